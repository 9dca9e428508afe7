"""Since when a value holds of which several starts were said: tables of days of 2025, a claim a line."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from graphmem.model.belief import Belief
from graphmem.model.claim import STRUCTURED, Claim, ClaimKind
from graphmem.model.interval import END
from graphmem.model.projection.predicate import CONFIDENT, MANY, ONE, Policy
from graphmem.model.projection.timeline import project
from tests.claims import claim, day

POLICIES = [MANY, ONE, CONFIDENT]
EARLIER: list[dict[str, Any]] = [
    {"turn": (0, 9)},
    {"turn": (-1, 0)},
    {"turn": (1, 0)},
    {"turn": (1, 1), "quote_start": 3, "quote_end": 3},
]
"""Where in what was said at one instant something is before turn (1, 1), at 5."""


def said(at: int, start: int, value: str = "Oslo", *, days: int = 1, until: int | None = None) -> Claim:
    """That it is so since a stated day, in words that speak of so many ``days``."""
    plain = claim(value, start, until=until, said=at)
    return replace(plain, episode_id=f"{plain.episode_id} {days}", from_precision=days)


def now(at: int, value: str = "Oslo") -> Claim:
    return replace(said(at, at, value), from_stated=False, from_precision=0)


def ends(at: int, value: str = "Oslo") -> Claim:
    return replace(said(at, at, value), kind=ClaimKind.ENDS)


def structured(claim: Claim) -> Claim:
    return replace(claim, extractor=STRUCTURED, from_precision=0)


def starts(beliefs: tuple[Belief, ...]) -> list[tuple[str | None, int]]:
    return [(belief.first.object_id, (belief.interval.start - day(0)).days) for belief in beliefs]


CORRECTED: dict[str, tuple[list[Claim], int]] = {
    "a later start": ([said(100, 10), said(110, 60)], 60),
    "an earlier one": ([said(100, 60), said(110, 10)], 10),
    "corrected again": ([said(100, 10), said(110, 60), said(120, 30)], 30),
    "and back": ([said(100, 10), said(110, 60), said(120, 10)], 10),
    "whatever was said in between": ([said(100, 10), now(105), said(110, 60)], 60),
    "months that are none of each other": ([said(100, 0, days=31), said(110, 59, days=31)], 59),
    "a month that follows a shorter one": ([said(400, 31, days=28), said(410, 59, days=1)], 59),
    "a finer start refines": ([said(400, 0, days=365), said(410, 59, days=31)], 59),
    "and stands": ([said(400, 59, days=31), said(410, 0, days=365)], 59),
    "and is corrected by what is as fine": (
        [said(400, 59, days=31), said(410, 0, days=365), said(420, 90, days=30)],
        90,
    ),
    "of what is coarser than both the newest": (
        [said(400, 59, days=31), said(405, 90, days=30), said(410, 0, days=365)],
        90,
    ),
    "a day of it": ([said(400, 59, days=31), said(410, 73), said(420, 0, days=365)], 73),
    "another year corrects both": ([said(400, 59, days=31), said(410, 0, days=365), said(800, 365, days=365)], 365),
    "and is corrected back": ([said(400, 59, days=31), said(800, 365, days=365), said(810, 0, days=365)], 59),
    "an instant of it": ([said(400, 0, days=365), structured(said(390, 45))], 45),
}


@pytest.mark.parametrize("policy", POLICIES)
def test_the_start_that_was_said_last_or_the_finest_in_it_stands(policy: Policy, subtests: pytest.Subtests) -> None:
    for name, (claims, start) in CORRECTED.items():
        with subtests.test(name):
            for order in permutations(claims):
                (belief,) = project([*order, *order], policy)
                assert (starts((belief,)), belief.interval.end) == ([("Oslo", start)], END)
                assert (belief.first.valid_from, belief.from_stated) == (day(start), True)
                assert belief.supported_by == {claim.id for claim in claims}


DEV, LEAD = (
    replace(said(at, start), attributes={"role": role}) for at, start, role in ((100, 10, "a"), (110, 60, "b"))
)
KEPT: dict[str, tuple[Policy, list[Claim], list[tuple[str | None, int]]]] = {
    "said at once": (MANY, [said(100, 10), replace(said(100, 60), episode_id="")], [("Oslo", 10)]),
    "a start that was not stated": (MANY, [said(100, 10), now(110)], [("Oslo", 10)]),
    "of a start that was not stated": (MANY, [now(10), said(110, 60)], [("Oslo", 10)]),
    "another value between": (
        ONE,
        [said(100, 10), said(90, 30, "Rome"), said(110, 60)],
        [("Oslo", 10), ("Rome", 30), ("Oslo", 60)],
    ),
    "an end between": (MANY, [said(100, 10), ends(30), said(110, 60)], [("Oslo", 10), ("Oslo", 60)]),
    "an end where the other starts": (MANY, [said(100, 10, until=90), ends(60), said(110, 60)], [("Oslo", 10)]),
    "a stay that was over": (MANY, [said(100, 10, until=30), said(110, 60)], [("Oslo", 10), ("Oslo", 60)]),
    "that went on at once": (MANY, [said(100, 10, until=60), said(110, 60)], [("Oslo", 10)]),
    "of another role": (MANY, [DEV, LEAD], [("Oslo", 10), ("Oslo", 60)]),
    "structured claims": (MANY, [structured(said(100, 10)), structured(said(110, 60))], [("Oslo", 10)]),
    "by a structured claim": (MANY, [said(100, 10), structured(said(110, 60))], [("Oslo", 10)]),
    "of a structured claim": (MANY, [structured(said(100, 10)), said(110, 60)], [("Oslo", 10)]),
}


def test_other_starts_are_as_they_were_said(subtests: pytest.Subtests) -> None:
    for name, (policy, claims, expected) in KEPT.items():
        with subtests.test(name):
            for order in permutations(claims):
                assert starts(project(order, policy)) == expected


def test_what_only_the_wrong_start_cancelled_is_believed_again() -> None:
    rome, wrong, right = now(50, "Rome"), said(80, 20), said(90, 70)

    assert starts(project([rome, wrong], ONE)) == [("Oslo", 20)]
    assert starts(project([rome, wrong, right], ONE)) == [("Rome", 50), ("Oslo", 70)]


@pytest.mark.parametrize("earlier", EARLIER)
def test_of_one_instant_what_comes_later_corrects(earlier: dict[str, Any]) -> None:
    """By sequence, then position, then the place in the text: whatever the ids are."""
    for number in range(5):
        first = replace(said(100, 10), episode_id=f"{number}", **earlier)
        later = replace(said(100, 60), episode_id=f"later {number}", turn=(1, 1), quote_start=5, quote_end=5)
        assert starts(project([later, first], MANY)) == [("Oslo", 60)]


@pytest.mark.parametrize("policy", [ONE, CONFIDENT])
@pytest.mark.parametrize("earlier", EARLIER)
def test_of_two_values_at_one_instant_the_one_said_later_holds(policy: Policy, earlier: dict[str, Any]) -> None:
    for number in range(5):
        rome = replace(now(10, "Rome"), episode_id=f"{number}", **earlier)
        oslo = replace(now(10), episode_id=f"later {number}", turn=(1, 1), quote_start=5, quote_end=5)
        assert starts(project([oslo, rome], policy)) == [("Oslo", 10)]


def test_an_act_is_on_what_was_said_before_it_at_one_instant() -> None:
    before, after = (replace(now(10), episode_id=f"{place}", turn=(-1, place)) for place in (0, 2))
    act = replace(now(10), kind=ClaimKind.REJECTS, turn=(-1, 1))

    assert project([before, act], MANY) == ()
    (belief,) = project([after, act, before], MANY)
    assert (belief.supported_by, belief.rejected_before) == ({after.id}, act.telling)
