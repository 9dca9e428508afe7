"""Where a value begins of which nobody could read since when it is so: “I moved to Oslo back in the Henderson days”."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from graphmem.model.claim import Claim, ClaimKind
from graphmem.model.interval import BEGIN, END, MICROSECOND
from graphmem.model.projection.predicate import MANY, ONE, Policy
from graphmem.model.projection.timeline import project

EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
Spell = tuple[str, int | None, int | None]
"""A value, its first day and the day that it ended; None where it has no such end. A day is rounded up."""


def day(number: int) -> datetime:
    return EPOCH + timedelta(days=number)


def said(
    value: str, at: int, since: int | None = None, *, unread: bool = False, until: int | None = None, ends: bool = False
) -> Claim:
    """Since ``since``, as somebody says; else since it was said, or (``unread``) since nobody knows when."""
    start = BEGIN if unread else day(at if since is None else since)
    return Claim(
        group_id="g", episode_id=f"{value}{at}", kind=ClaimKind.ENDS if ends else ClaimKind.STARTS, subject_id="s",
        predicate="p", object_id=value, statement="", quote="", quote_start=0, quote_end=0, valid_from=start,
        valid_to=END if until is None else day(until), from_stated=since is not None, to_stated=until is not None,
        time_unread="when the pears were ripe" if unread else "", said_at=day(at), confidence=1.0, extractor="t",
        extractor_version="1",
    )  # fmt: skip


def unread(value: str, at: int) -> Claim:
    return said(value, at, unread=True)


def ended(value: str, at: int, since: int) -> Claim:
    return said(value, at, since, ends=True)


CASES: dict[str, tuple[Policy, Sequence[Claim], list[Spell]]] = {
    "alone, since nobody knows when": (ONE, [unread("Oslo", 10)], [("Oslo", None, None)]),
    "one of many, too": (
        MANY,
        [unread("Oslo", 10)],
        [("Oslo", None, None)],
    ),
    "after what was said to hold before": (
        ONE,
        [said("Rome", 1), unread("Oslo", 10)],
        [("Rome", 1, 2), ("Oslo", 2, None)],
    ),
    "after what is said, later, to have held before": (
        ONE,
        [unread("Oslo", 10), said("Rome", 20, 5)],
        [("Oslo", None, 5), ("Rome", 5, None)],
    ),
    "cut by what begins later": (
        ONE,
        [said("Rome", 1), unread("Oslo", 10), said("Bonn", 20)],
        [("Rome", 1, 2), ("Oslo", 2, 20), ("Bonn", 20, None)],
    ),
    "not at all, where what is said later began before it could": (
        ONE,
        [said("Rome", 8, 1), unread("Oslo", 10), said("Bonn", 20, 5)],
        [("Rome", 1, 5), ("Bonn", 5, None)],
    ),
    "after the known end of another": (
        ONE,
        [said("Rome", 1, 1, until=4), unread("Oslo", 10)],
        [("Rome", 1, 4), ("Oslo", 4, None)],
    ),
    "one unread after another": (
        ONE,
        [unread("Oslo", 5), unread("Rome", 10)],
        [("Oslo", None, 6), ("Rome", 6, None)],
    ),
    "support of what is known of its value": (
        ONE,
        [said("Oslo", 1, 1), unread("Oslo", 10)],
        [("Oslo", 1, None)],
    ),
    "support of what is said later of its value": (
        MANY,
        [unread("Acme", 10), said("Acme", 20, 3)],
        [("Acme", 3, None)],
    ),
    "until its value ends": (
        MANY,
        [unread("Acme", 10), ended("Acme", 20, 15)],
        [("Acme", None, 15)],
    ),
    "anew after it had ended": (
        MANY,
        [said("Acme", 1, 1), ended("Acme", 5, 4), unread("Acme", 10)],
        [("Acme", 1, 4), ("Acme", 5, None)],
    ),
}


def spells(claims: Sequence[Claim], policy: Policy) -> list[Spell]:
    return [
        (str(belief.first.object_id), _day(belief.interval.start), _day(belief.interval.end))
        for belief in project(claims, policy)
    ]


def _day(instant: datetime) -> int | None:
    return None if instant in (BEGIN, END) else -((EPOCH - instant) // timedelta(days=1))


def test_an_unread_start_lies_after_what_is_known_before(subtests: pytest.Subtests) -> None:
    for name, (policy, claims, expected) in CASES.items():
        for order in permutations(claims):
            with subtests.test(name):
                assert spells([*order, *order[:1]], policy) == expected


def test_an_unread_start_is_the_instant_after_and_is_not_stated() -> None:
    _, belief = project([said("Rome", 1), unread("Oslo", 10)], ONE)

    assert belief.interval.start == day(1) + MICROSECOND
    assert not belief.from_stated
