"""What began, ended and changed, as a table; and up to when the past has settled."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.model.belief import BeliefRow
from graphmem.model.interval import BEGIN, END
from graphmem.model.recall import Difference, horizon
from graphmem.retrieve.difference import difference

JANUARY, MAY = datetime(2025, 1, 1, tzinfo=UTC), datetime(2025, 5, 1, tzinfo=UTC)
PORTO = BeliefRow(
    id="1",
    belief_id="b1",
    kind="relationship",
    subject_id="maya",
    predicate="lives_in",
    object_id="porto",
    value=None,
    target="porto",
    user="",
    statement="Maya lives in Porto.",
    attributes="{}",
    category="",
    confidence=0.9,
    importance=0.5,
    contested=False,
    from_stated=True,
    to_stated=False,
    valid_from=JANUARY,
    valid_to=END,
    recorded_at=JANUARY,
    superseded_at=END,
    open=False,
    day="",
    event_to=None,
)
LISBON = replace(PORTO, id="2", belief_id="b2", object_id="lisbon", target="lisbon", valid_from=MAY)
CLOSED = replace(PORTO, id="3", valid_to=MAY, recorded_at=MAY)


def test_nothing_differs_from_itself() -> None:
    assert difference([PORTO, LISBON], [LISBON, PORTO]) == Difference(began=(), ended=(), changed=())


def test_another_value_ended_and_began_and_is_no_change() -> None:
    assert difference([PORTO], [LISBON]) == Difference(began=(LISBON,), ended=(PORTO,), changed=())


def test_the_same_belief_with_another_end_has_changed() -> None:
    (change,) = difference([PORTO], [CLOSED]).changed
    assert (change.before, change.after, change.fields) == (PORTO, CLOSED, ("valid_to",))


@pytest.mark.parametrize("changes", [{"recorded_at": MAY, "id": "9"}, {"superseded_at": MAY}, {"belief_id": "x"}])
def test_a_row_recorded_again_as_it_was_is_no_change(changes: dict[str, datetime]) -> None:
    assert difference([PORTO], [replace(PORTO, **changes)]).changed == ()


def test_users_are_not_confused() -> None:
    other = replace(PORTO, user="ann")
    assert difference([PORTO], [other]) == Difference(began=(other,), ended=(PORTO,), changed=())


def test_lists_are_in_one_order() -> None:
    assert difference([], [LISBON, PORTO]).began == difference([], [PORTO, LISBON]).began == (PORTO, LISBON)


@pytest.mark.parametrize(
    ("importing", "settled_until", "settled"),
    [
        (False, BEGIN, MAY - timedelta(seconds=33)),
        (False, JANUARY, MAY - timedelta(seconds=33)),
        (False, MAY, MAY - timedelta(microseconds=1)),
        (True, JANUARY, JANUARY - timedelta(microseconds=1)),
        (True, BEGIN, BEGIN),
    ],
)
def test_the_horizon_is_behind_every_open_transaction_and_import(
    *, importing: bool, settled_until: datetime, settled: datetime
) -> None:
    assert horizon(MAY, 30, importing=importing, settled_until=settled_until) == settled


def test_events_of_two_days_are_two() -> None:
    first, second = (replace(PORTO, day=day) for day in ("2025-05-01", "2025-05-08"))
    found = difference([first], [first, second])
    assert (found.began, found.ended, found.changed) == ((second,), (), ())
