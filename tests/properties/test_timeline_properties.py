"""``project`` against a small oracle that paints days, and its invariants for any claims whatever."""

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.claim import Claim, Kind
from graphmem.model.interval import END
from graphmem.model.predicate import MANY, ONE, Cardinality, Policy, Rule
from graphmem.model.timeline import project

DAYS = 12
EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
POLICIES = [MANY, ONE, Policy(Cardinality.ONE, Rule.CONFIDENT)]


def day(number: int) -> datetime:
    return EPOCH + timedelta(days=number)


@st.composite
def claims(draw: st.DrawFn, kinds: Sequence[Kind] = tuple(Kind), values: Sequence[str] = ("A", "B", "C")) -> Claim:
    kind = draw(st.sampled_from(kinds))
    start = draw(st.integers(0, DAYS - 2))
    until = None if kind is Kind.ENDS else draw(st.none() | st.integers(start + 1, DAYS))
    stated = draw(st.booleans())
    return Claim(
        group_id="g",
        episode_id=str(draw(st.integers(0, 5))),
        kind=kind,
        subject_id="s",
        predicate="p",
        object_id=draw(st.sampled_from(values)),
        statement="",
        quote="",
        quote_start=0,
        quote_end=0,
        valid_from=day(start),
        valid_to=END if until is None else day(until),
        from_stated=stated,
        to_stated=until is not None,
        said_at=day(draw(st.integers(0, DAYS)) if stated else start),
        confidence=draw(st.sampled_from([0.3, 0.6, 0.9])),
        extractor="t",
        extractor_version="1",
    )


def identity(claim: Claim) -> str:
    """Two claims of one identity are one claim: an episode does not contradict itself in the same words."""
    return claim.id


@given(st.lists(claims(), max_size=8, unique_by=identity), st.sampled_from(POLICIES), st.randoms(use_true_random=False))
def test_order_and_repetition_make_no_difference(given_claims: list[Claim], policy: Policy, random: object) -> None:
    mixed = [*given_claims, *given_claims[::2]]
    getattr(random, "shuffle")(mixed)  # noqa: B009 - hypothesis types its random as object

    assert [b.fingerprint for b in project(mixed, policy)] == [b.fingerprint for b in project(given_claims, policy)]


@given(st.lists(claims(), max_size=8, unique_by=identity), st.sampled_from(POLICIES[1:]))
def test_beliefs_of_a_single_valued_slot_never_overlap(given_claims: list[Claim], policy: Policy) -> None:
    beliefs = project(given_claims, policy)

    for before, after in itertools.pairwise(beliefs):
        assert before.interval.end <= after.interval.start


@given(st.lists(claims(), max_size=8, unique_by=identity), st.sampled_from(POLICIES))
def test_identities_are_unique_and_every_belief_rests_on_a_claim_of_its_value(
    given_claims: list[Claim], policy: Policy
) -> None:
    one_value = [claim for claim in given_claims if claim.object_id == "A"]
    beliefs = project(one_value if policy is MANY else given_claims, policy)

    assert len({belief.id for belief in beliefs}) == len(beliefs)
    assert all(belief.first in given_claims and belief.first.kind is not Kind.ENDS for belief in beliefs)


@given(st.lists(claims(values=("A",)), max_size=8, unique_by=identity))
def test_retracting_evidence_and_adding_it_again_changes_nothing(given_claims: list[Claim]) -> None:
    once = project(given_claims, MANY)

    project(given_claims[1:], MANY)

    assert project([*given_claims[1:], *given_claims[:1]], MANY) == once


def painted(given_claims: list[Claim]) -> set[int]:
    """The oracle for slots that hold many, without ``holds``: the days on which the one value is believed."""
    ends = [claim for claim in given_claims if claim.kind is Kind.ENDS]
    days: set[int] = set()
    for claim in given_claims:
        if claim.kind is Kind.ENDS:
            continue
        later = [end for end in ends if end.said_at > claim.said_at and end.valid_from <= claim.valid_from]
        if later and not claim.from_stated:
            continue
        stops = (
            [claim.valid_to] if claim.to_stated else [e.valid_from for e in ends if e.valid_from >= claim.valid_from]
        )
        stop = min([*stops, day(DAYS + 1)])
        days |= {number for number in range(DAYS + 1) if claim.valid_from <= day(number) < stop}
    return days


@given(st.lists(claims(kinds=(Kind.STARTS, Kind.ENDS), values=("A",)), max_size=8, unique_by=identity))
def test_a_slot_that_holds_many_agrees_with_painted_days(given_claims: list[Claim]) -> None:
    beliefs = project(given_claims, MANY)

    believed = {number for number in range(DAYS + 1) for b in beliefs if b.interval.contains(day(number))}
    assert believed == painted(given_claims)


def latest(given_claims: list[Claim]) -> dict[int, str]:
    """The oracle for single-valued slots of stated starts only: what the last start at or before a day says."""
    order = sorted({claim.id: claim for claim in given_claims}.values(), key=lambda claim: claim.order)
    days: dict[int, str] = {}
    for number in range(DAYS + 1):
        begun = [claim for claim in order if claim.valid_from <= day(number)]
        value = begun[-1].object_id if begun else None
        run = list(begun[_last_other(begun) :])
        if value is not None and any(claim.valid_to > day(number) for claim in run):
            days[number] = value
    return days


def _last_other(begun: list[Claim]) -> int:
    """Where the run of starts of the last value begins."""
    others = [at for at, claim in enumerate(begun) if claim.object_id != begun[-1].object_id]
    return others[-1] + 1 if others else 0


@given(st.lists(claims(kinds=(Kind.STARTS,)).filter(lambda claim: claim.from_stated), max_size=8, unique_by=identity))
def test_a_single_valued_slot_agrees_with_the_last_start(given_claims: list[Claim]) -> None:
    beliefs = project(given_claims, ONE)

    believed = {n: b.first.object_id for n in range(DAYS + 1) for b in beliefs if b.interval.contains(day(n))}
    assert believed == latest(given_claims)
