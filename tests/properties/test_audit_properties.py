"""Whatever becomes of the rows of a chain is noticed: another word, one gone, one too many, two that change places."""

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.audit import FIRST, AuditedThings, AuditNotes, AuditRow, ChainEnd, Misfit, chained, verified

_IDS = st.text("0123456789abcdef", min_size=1, max_size=8)
_THINGS = st.builds(
    AuditedThings,
    kind=st.sampled_from(["claims", "episodes", "keys"]),
    count=st.integers(0, 300),
    ids=st.lists(_IDS, max_size=3).map(tuple),
)
_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "id": _IDS,
    "group_id": st.sampled_from(["", "g", "h"]),
    "recorded_at": st.integers(0, 10**6).map(lambda us: datetime(2025, 1, 1, tzinfo=UTC) + timedelta(microseconds=us)),
    "operation": st.sampled_from(["POST /v1/keys", "digest"]),
    "key": _IDS,
    "user": st.none() | _IDS,
    "agent": st.none() | _IDS,
    "address": st.sampled_from(["", "127.0.0.1"]),
    "changed": st.lists(_THINGS, max_size=3).map(tuple),
}
_ROWS = st.lists(st.builds(AuditRow, **_FIELDS), max_size=6, unique_by=lambda row: row.id)
_ENDS = st.just(FIRST) | st.builds(ChainEnd, place=st.integers(1, 9), hash=_IDS)


@given(_ROWS, _ENDS, st.integers(0, 6))
def test_rows_go_on_with_a_chain_in_one_go_or_in_several(rows: Sequence[AuditRow], end: ChainEnd, cut: int) -> None:
    once = chained(rows, end)
    last = verified(once, end)
    assert isinstance(last, ChainEnd)
    assert last.place == end.place + len(rows)
    first = chained(rows[:cut], end)
    middle = verified(first, end)
    assert isinstance(middle, ChainEnd)
    assert [*first, *chained(rows[cut:], middle)] == once


@given(_ROWS.filter(bool), st.data())
def test_a_row_that_says_something_else_is_named(rows: Sequence[AuditRow], data: st.DataObject) -> None:
    kept, at = chained(rows, FIRST), data.draw(st.integers(0, len(rows) - 1))
    name = data.draw(st.sampled_from(sorted(_FIELDS)))
    other = data.draw(_FIELDS[name].filter(lambda value: value != getattr(kept[at], name)))
    kept[at] = replace(kept[at], **{name: other})
    assert verified(kept, FIRST) == Misfit(
        place=at + 1, id=kept[at].id, why="it does not say what it said when it was chained"
    )


@given(_ROWS.filter(bool), st.data())
def test_a_row_too_few_too_many_or_elsewhere_is_noticed(rows: Sequence[AuditRow], data: st.DataObject) -> None:
    """A chain that is cut off at its end fits: that it ended elsewhere is known by its end, which is kept apart."""
    kept, at = chained(rows, FIRST), data.draw(st.integers(0, len(rows) - 1))
    end = verified(kept, FIRST)
    assert verified(kept[:at] + kept[at + 1 :], FIRST) != end
    assert verified([*kept[:at], kept[at], *kept[at:]], FIRST) != end
    other = data.draw(st.integers(0, len(rows) - 1).filter(lambda place: place != at)) if len(rows) > 1 else at
    kept[at], kept[other] = kept[other], kept[at]
    assert (verified(kept, FIRST) == end) == (at == other)


@given(_ROWS.filter(lambda rows: len(rows) > 1), st.data())
def test_who_makes_a_row_fit_again_changes_the_end(rows: Sequence[AuditRow], data: st.DataObject) -> None:
    """Then all rows after it are others, too: whoever kept the end of the chain elsewhere sees it."""
    at = data.draw(st.integers(0, len(rows) - 1))
    forged = [*rows[:at], replace(rows[at], operation="nothing"), *rows[at + 1 :]]
    assert verified(chained(forged, FIRST), FIRST) != verified(chained(rows, FIRST), FIRST)


def test_a_row_is_hashed_as_the_documentation_says_in_all_that_it_has() -> None:
    row = AuditRow(
        id="a",
        group_id="g",
        recorded_at=datetime(2025, 5, 1, tzinfo=UTC),
        operation="POST /v1/keys",
        key="",
        user=None,
        agent=None,
        address="127.0.0.1",
        changed=(AuditedThings(kind="keys", count=1, ids=("k",)),),
    )
    said = (
        '{"address":"127.0.0.1","agent":null,"changed":[["keys",1,["k"]]],"group":"g","id":"a","key":"",'
        '"operation":"POST /v1/keys","place":1,"previous":"","recorded_at":"2025-05-01T00:00:00+00:00","user":null}'
    )
    assert row.hash_at(1, "") == sha256(said.encode()).hexdigest()
    assert {field.name for field in fields(AuditRow)} - {"place", "previous", "hash"} == _FIELDS.keys()


def test_what_a_transaction_notes_is_counted_once_by_id_and_groups_are_of_the_installation() -> None:
    notes = AuditNotes()
    notes.note("g", "claims", ["a", "b", "a"])
    notes.note("g", "claims", ["b"])
    notes.count("g", "mentions", 3)
    notes.note("g", "groups", ["g"])
    notes.note("g", "merges", [])
    assert list(notes.chains()) == [
        ("", (AuditedThings(kind="groups", count=1, ids=("g",)),)),
        ("g", (AuditedThings(kind="claims", count=2, ids=("a", "b")), AuditedThings(kind="mentions", count=3))),
    ]
