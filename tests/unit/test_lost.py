"""Why something is not among the hits: the first of the steps that it did not pass."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.model.hits import Addressed, Contribution, Lost, Ranked, SearchTrace
from graphmem.model.interval import END
from graphmem.model.scope import Scope
from graphmem.retrieve.scales import with_raw
from graphmem.retrieve.why_not import of_its_time, why_not


def day(number: int) -> datetime:
    return datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=number)


ONE = Addressed(
    asked="b",
    id="row",
    belief_id="b",
    kind="fact",
    open=False,
    valid_from=day(5),
    valid_to=day(10),
    recorded_at=day(6),
    superseded_at=day(20),
)
THEN = Scope("g", valid_at=day(7), known_at=day(8))
NOTHING = SearchTrace(ranked=(), insufficient=(), limit=2)


def ranked(id_: str, score: float, **more: object) -> Ranked:
    return replace(Ranked(kind="fact", id=id_, score=score, contributions=()), **more)


@pytest.mark.parametrize(
    ("scope", "lost", "told"),
    [
        (THEN, Lost.NOT_FOUND, "None of the channels"),
        (replace(THEN, known_at=day(5)), Lost.TIME, "not yet known"),
        (replace(THEN, known_at=day(20)), Lost.TIME, "no longer believed"),
        (replace(THEN, known_at=day(20), history=True), Lost.NOT_FOUND, ""),
        (replace(THEN, valid_at=day(4)), Lost.TIME, "began to hold at 2025-01-06"),
        (replace(THEN, valid_at=day(4), history=True), Lost.TIME, "began to hold"),
        (replace(THEN, valid_at=day(10)), Lost.TIME, "had ended"),
        (replace(THEN, valid_at=day(10), history=True), Lost.NOT_FOUND, ""),
    ],
)
def test_of_which_time_it_was_not(scope: Scope, lost: Lost, told: str) -> None:
    found = why_not("b", [ONE], scope, NOTHING)
    assert (found.lost, told in found.detail) == (lost, True)


def test_a_filter_comes_before_a_rank() -> None:
    outcome = replace(NOTHING, ranked=(ranked("row", 1.0),), failed={"row": ("roles",)})
    assert (why_not("b", [ONE], THEN, outcome).lost, why_not("b", [ONE], THEN, outcome).filters) == (
        Lost.FILTER,
        ("roles",),
    )


def test_ranks_scores_and_wordings() -> None:
    others = (ranked("x", 3.0, other_wordings=("alike",)), ranked("y", 2.0))

    def lost(id_: str, *more: Ranked, insufficient: tuple[Ranked, ...] = ()) -> tuple[Lost | None, int | None]:
        outcome = replace(NOTHING, ranked=(*others, *more), insufficient=insufficient)
        found = why_not("b", [replace(ONE, id=id_)], THEN, outcome)
        return found.lost, found.rank

    assert lost("y") == (None, 2)
    assert lost("row", ranked("row", 1.0)) == (Lost.RANK, 3)
    assert lost("row", insufficient=(ranked("row", 1.0),)) == (Lost.FILTER, 3)
    assert lost("alike") == (Lost.WORDING, None)


def test_an_older_version_is_told_which_one_stands_for_it() -> None:
    found = why_not("row", [ONE], replace(THEN, history=True), replace(NOTHING, replaced={"row": "newer"}))
    assert (found.lost, found.instead) == (Lost.WORDING, "newer")
    assert found.detail.startswith("newer is a newer version")


@pytest.mark.parametrize("history", [False, True])
def test_an_edited_episode_says_that_another_text_has_its_name(*, history: bool) -> None:
    edited, scope = replace(ONE, kind="episode", valid_to=END), replace(THEN, known_at=day(20), history=history)
    found = why_not("row", [edited], scope, NOTHING)
    assert (found.lost, "another text has its name" in found.detail) == (Lost.TIME, True)
    assert why_not("row", [edited], THEN, NOTHING).lost is Lost.NOT_FOUND


def test_of_several_versions_the_one_of_the_time_is_looked_for() -> None:
    later = replace(ONE, id="later", recorded_at=day(20), superseded_at=END)
    assert of_its_time([ONE, later], THEN).id == "row"
    assert of_its_time([ONE, later], replace(THEN, known_at=day(30))).id == "later"
    assert of_its_time([ONE, later], replace(THEN, valid_at=day(12), known_at=day(30))).id == "later"
    assert of_its_time([later], THEN).id == "later"


def test_every_list_that_a_hit_is_in_is_named_with_the_score_of_its_index() -> None:
    part = Contribution(channel="text", rank=2, score=0.5, contribution=0.5)
    rule = Contribution(channel="open", rank=None, score=1.0, contribution=-0.1)
    (hit,) = with_raw(
        [ranked("a", 0.4, contributions=(part, rule))],
        {"text": [[("b", 8.0), ("a", 4.0)], [("turn", 9.0)]], "vector": [[("a", 0.2)], []]},
    )
    assert hit.contributions == (
        replace(part, raw=4.0),
        rule,
        Contribution(channel="vector", rank=1, score=0.0, contribution=0.0, raw=0.2),
    )
