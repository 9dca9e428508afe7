"""Versions by attributes against a small oracle that asks day by day; it shares no code with ``graphmem.model``."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.belief import Belief
from graphmem.model.claim import STRUCTURED, Claim, ClaimKind
from graphmem.model.interval import END
from graphmem.model.projection.predicate import MANY
from graphmem.model.projection.timeline import project

DAYS = 10
EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
KEYS = ("role", "team")


def day(number: int) -> datetime:
    return EPOCH + timedelta(days=number)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A start of one relationship, from one day to before another (None: open), with attributes."""

    number: int
    start: int
    until: int | None
    attributes: tuple[tuple[str, str], ...]

    @property
    def stop(self) -> int:
        return DAYS if self.until is None else self.until


@st.composite
def said(draw: st.DrawFn) -> Said:
    start = draw(st.integers(0, DAYS - 2))
    keys = draw(st.sets(st.sampled_from(KEYS)))
    return Said(
        number=draw(st.integers(0, 99)),
        start=start,
        until=draw(st.none() | st.integers(start + 1, DAYS)),
        attributes=tuple((key, draw(st.sampled_from("xyz"))) for key in sorted(keys)),
    )


def claim(one: Said) -> Claim:
    """Handed in as such, so that no start of it corrects another one."""
    return Claim(
        group_id="g",
        episode_id=f"{one.number:02}",
        kind=ClaimKind.STARTS,
        subject_id="s",
        predicate="works_at",
        object_id="acme",
        statement="",
        quote="",
        quote_start=0,
        quote_end=0,
        valid_from=day(one.start),
        valid_to=END if one.until is None else day(one.until),
        from_stated=True,
        to_stated=one.until is not None,
        said_at=day(one.number),
        confidence=0.5,
        attributes=dict(one.attributes),
        extractor=STRUCTURED,
        extractor_version="1",
    )


def expected(told: Sequence[Said], at: int) -> dict[str, str] | None:
    """The attributes believed on a day; None if nothing is believed then."""
    runs: list[list[Said]] = []
    for one in sorted(told, key=lambda one: one.start):
        if runs and one.start <= max(other.stop for other in runs[-1]):
            runs[-1].append(one)
        else:
            runs.append([one])
    for run in runs:
        if min(one.start for one in run) <= at < max(one.stop for one in run):
            values = {key: _value(key, run, at) for key in KEYS}
            return {key: value for key, value in values.items() if value is not None}
    return None


def _value(key: str, run: Sequence[Said], at: int) -> str | None:
    """Of the last start by then; before the first, what that says. What was cut, or has ended, says nothing."""
    telling = sorted((one for one in run if key in dict(one.attributes)), key=lambda one: (one.start, one.number))
    if not telling:
        return None
    ordered = [dict(one.attributes)[key] for one in telling]
    begun = [index for index, one in enumerate(telling) if one.start <= at]
    if not begun:
        first = telling[0].start
        return _value(key, run, first) if first > at else None
    last = begun[-1]
    same = list(itertools.takewhile(lambda index: ordered[index] == ordered[last], reversed(range(last + 1))))
    return ordered[last] if any(at < telling[index].stop for index in same) else None


def shown(beliefs: Sequence[Belief], at: int) -> dict[str, str] | None:
    found = [belief for belief in beliefs if belief.interval.contains(day(at))]
    assert len(found) <= 1, "versions overlap"
    return {key: str(value) for key, value in found[0].attributes.items()} if found else None


@given(st.lists(said(), max_size=7, unique_by=lambda one: one.number))
def test_each_day_has_the_attributes_that_the_oracle_gives_it(told: list[Said]) -> None:
    beliefs = project([claim(one) for one in told], MANY)

    assert [shown(beliefs, at) for at in range(DAYS)] == [expected(told, at) for at in range(DAYS)]


@given(st.lists(said(), max_size=7, unique_by=lambda one: one.number), st.randoms(use_true_random=False))
def test_order_makes_no_difference(told: list[Said], random: object) -> None:
    mixed = [claim(one) for one in told]
    getattr(random, "shuffle")(mixed)  # noqa: B009 - hypothesis types its random as object

    fingerprints = [belief.fingerprint for belief in project(mixed, MANY)]

    assert fingerprints == [belief.fingerprint for belief in project([claim(one) for one in told], MANY)]
    assert len(set(fingerprints)) == len(fingerprints)


@given(st.lists(said(), max_size=7, unique_by=lambda one: one.number))
def test_without_attributes_a_version_is_the_whole_belief(told: list[Said]) -> None:
    silent = project([claim(replace(one, attributes=())) for one in told], MANY)
    spoken = project([claim(one) for one in told], MANY)

    assert {belief.interval.start for belief in silent} <= {belief.interval.start for belief in spoken}
    assert sum((belief.interval.end - belief.interval.start for belief in silent), timedelta()) == sum(
        (belief.interval.end - belief.interval.start for belief in spoken), timedelta()
    )
