"""``project`` against the oracle, and its invariants for any claims whatever."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.belief import Belief
from graphmem.model.claim import NEVER, STRUCTURED, AssertedBy, Claim, ClaimKind
from graphmem.model.interval import BEGIN, END
from graphmem.model.projection.existence import Bound, Bounding
from graphmem.model.projection.predicate import CONFIDENT, MANY, ONE, SUCCESSIVE, Policy, Predicates
from graphmem.model.projection.slot import Slot, place
from graphmem.model.projection.timeline import project
from tests.properties.oracle import BEFORE, OPEN, Told, believed

DAYS = 12
EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
POLICIES = [MANY, ONE, CONFIDENT, SUCCESSIVE]


def day(number: int) -> datetime:
    return EPOCH + timedelta(days=number)


@st.composite
def claims(
    draw: st.DrawFn,
    kinds: Sequence[ClaimKind] = tuple(ClaimKind),
    values: Sequence[str] = ("A", "B", "C"),
    *,
    most: int = DAYS,
    unnamed: bool = False,
) -> Claim:
    """Of the first ``most`` days; ``unnamed``: some of them end nothing in particular."""
    kind = draw(st.sampled_from(kinds))
    value = draw(st.sampled_from([*values, None] if unnamed and kind is ClaimKind.ENDS else values))
    start = draw(st.integers(0, most - 2))
    until = None if kind is ClaimKind.ENDS else draw(st.none() | st.integers(start + 1, most))
    stated = draw(st.booleans())
    unknown = until is not None and draw(st.integers(0, 3)) == 0
    unread = kind is ClaimKind.STARTS and until is None and draw(st.integers(0, 2)) == 0
    if unread:
        unknown, stated = True, False
    if kind.is_act:
        unknown, until, stated = True, None, False
    return Claim(
        group_id="g",
        episode_id=str(draw(st.integers(0, 5))),
        kind=kind,
        subject_id="s",
        predicate="p",
        object_id=value,
        statement="",
        quote="",
        quote_start=(quoted := draw(st.integers(0, 1))),
        quote_end=quoted,
        time_unread=draw(st.sampled_from(["once", ""])) if unread else "",
        valid_from=BEGIN if unknown else day(start),
        valid_to=END if until is None else day(until),
        from_stated=stated,
        to_stated=until is not None,
        said_at=day(draw(st.integers(0, most)) if stated else start),
        turn=(draw(st.integers(-1, 1)), draw(st.integers(0, 2))),
        from_precision=draw(st.sampled_from([0, 0, 1, 4])) if stated and kind is ClaimKind.STARTS else 0,
        confidence=draw(st.sampled_from([0.3, 0.6, 0.9])),
        asserted_by=draw(st.sampled_from(AssertedBy)),
        beside=kind.asserts and draw(st.integers(0, 3)) == 0,
        protecting=kind is ClaimKind.STARTS and draw(st.integers(0, 3)) == 0,
        cap=draw(st.sampled_from([0.0, 0.3, 0.7])) if kind is ClaimKind.LOWERS else None,
        extractor=draw(st.sampled_from(["t", "t", STRUCTURED])),
        extractor_version="1",
    )


@st.composite
def open_claims_and_events(draw: st.DrawFn) -> Claim:
    """A claim that is open, or an event of one of two days, or both; perhaps with a verb and a detail."""
    claim = draw(claims(kinds=(ClaimKind.STARTS,)))
    date = draw(st.sampled_from(["", "2025-01-01", "2025-01-02"]))
    found = {key: draw(st.sampled_from([None, "a", "b"])) for key in ("verb", "detail")}
    return replace(claim, open=draw(st.booleans()) or not date, day=date, attributes=found)


Apart = tuple[bool, str, tuple[str, ...]]
"""Whether open, of which day, and by which verb and detail."""


def apart(one: Claim | Slot) -> Apart:
    return (one.open, one.day, one.distinguished_by)


def by_slot(given_claims: Sequence[Claim], policies: Predicates) -> set[tuple[Apart, str]]:
    """The beliefs of all slots, and what tells each from those of other slots."""
    slots: dict[Slot | None, list[Claim]] = {}
    for claim in given_claims:
        slots.setdefault(policies.slot(place(claim)), []).append(claim)
    return {
        (apart(slot), belief.fingerprint)
        for slot, found in slots.items()
        if slot is not None
        for belief in project(found, policies.policy_of(slot))
    }


def identity(claim: Claim) -> str:
    """Two claims of one identity are one claim: an episode does not contradict itself in the same words."""
    return claim.id


@given(st.lists(claims(), max_size=8, unique_by=identity), st.sampled_from(POLICIES), st.randoms(use_true_random=False))
def test_order_and_repetition_make_no_difference(given_claims: list[Claim], policy: Policy, random: object) -> None:
    mixed = [*given_claims, *given_claims[::2]]
    getattr(random, "shuffle")(mixed)  # noqa: B009 - hypothesis types its random as object

    assert [b.fingerprint for b in project(mixed, policy)] == [b.fingerprint for b in project(given_claims, policy)]


@given(
    st.lists(claims(), max_size=6, unique_by=identity),
    st.lists(open_claims_and_events(), max_size=6, unique_by=identity),
    st.sampled_from(POLICIES),
    st.randoms(use_true_random=False),
)
def test_open_claims_and_events_of_other_days_make_no_difference(
    curated: list[Claim], others: list[Claim], policy: Policy, random: object
) -> None:
    policies = Predicates({"p": policy})
    mixed = [*curated, *others]
    getattr(random, "shuffle")(mixed)  # noqa: B009 - hypothesis types its random as object
    found = by_slot(mixed, policies)

    assert {one for one in found if one[0] == (False, "", ())} == by_slot(curated, policies)
    for other in {apart(claim) for claim in others}:
        alone = [claim for claim in others if apart(claim) == other]
        assert {one for one in found if one[0] == other} == by_slot(alone, policies)
    slots = [policies.slot(place(claim)) for claim in others if claim.open]
    assert all(slot and slot.target and policies.policy_of(slot).competition == MANY for slot in slots)


@given(
    st.lists(claims(), max_size=8, unique_by=identity), st.sampled_from(POLICIES), st.sampled_from([Bound.BEGINS, None])
)
def test_a_bound_changes_nothing_of_what_is_believed_and_is_a_new_row(
    given_claims: list[Claim], policy: Policy, bound: Bound | None
) -> None:
    without = project(given_claims, policy)
    with_bound = project(given_claims, replace(policy, bound=Bounding(bound or "none")))

    assert [replace(belief, bound=None) for belief in with_bound] == list(without)
    assert {belief.bound for belief in with_bound} <= {bound}
    same = [one.fingerprint == other.fingerprint for one, other in zip(with_bound, without, strict=True)]
    assert all(same) if bound is None else not any(same)


@given(st.lists(claims(), max_size=8, unique_by=identity), st.sampled_from([ONE, CONFIDENT]))
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
    assert all(belief.first in given_claims and belief.first.kind.asserts for belief in beliefs)


@given(st.lists(claims(values=("A",)), max_size=8, unique_by=identity))
def test_retracting_evidence_and_adding_it_again_changes_nothing(given_claims: list[Claim]) -> None:
    once = project(given_claims, MANY)

    project(given_claims[1:], MANY)

    assert project([*given_claims[1:], *given_claims[:1]], MANY) == once


def told(claim: Claim) -> Told:
    return Told(
        id=claim.id,
        predicate=claim.predicate,
        ends=claim.kind is ClaimKind.ENDS,
        holds=claim.kind is ClaimKind.HOLDS,
        beside=claim.beside,
        value=claim.object_id or "",
        day=_first_day(claim.valid_from),
        unknown=claim.valid_from == BEGIN and not claim.kind.is_act,
        unread=claim.kind is ClaimKind.STARTS and claim.valid_from == BEGIN and not claim.to_stated,
        until=(claim.valid_to - EPOCH).days if claim.to_stated else None,
        stated=claim.from_stated,
        said=(claim.said_at - EPOCH).days,
        turn=claim.turn,
        quoted=claim.quote_start,
        width=claim.from_precision,
        structured=claim.is_structured,
        confidence=claim.confidence,
        rejects=claim.kind is ClaimKind.REJECTS,
        lowers=claim.cap,
        protecting=claim.protecting,
        rank=claim.asserted_by.rank,
        recorded=0,
    )


def _first_day(instant: datetime) -> int:
    """The first day that begins at an instant or after it."""
    return max(BEFORE, -((EPOCH - instant) // timedelta(days=1)))


def days(beliefs: Sequence[Belief]) -> set[tuple[str, str, int, int]]:
    """Runs of days at whose beginnings a value is believed."""
    runs: dict[str, list[tuple[int, int]]] = {}
    for belief in beliefs:
        first, after = (_first_day(belief.interval.start), min(OPEN, _first_day(belief.interval.end)))
        of_value = runs.setdefault(belief.first.object_id or "", [])
        if of_value and of_value[-1][1] == first:
            of_value[-1] = (of_value[-1][0], after)
        elif first < after:
            of_value.append((first, after))
    return {("p", value, *run) for value, of_value in runs.items() for run in of_value}


BUT_HOLDS = (ClaimKind.STARTS, ClaimKind.STARTS, ClaimKind.STARTS, ClaimKind.ENDS, ClaimKind.REJECTS, ClaimKind.LOWERS)
NONE = frozenset[str]()
ALL = frozenset({"p"})


@given(st.lists(claims(BUT_HOLDS), max_size=8, unique_by=identity))
def test_projections_of_many_values_agree_with_the_oracle(given_claims: list[Claim]) -> None:
    slots = [[claim for claim in given_claims if claim.object_id == value] for value in "ABC"]

    projected = {belief for slot in slots for belief in days(project(slot, MANY))}

    assert projected == believed(map(told, given_claims), NONE, 0)


@given(st.lists(claims(BUT_HOLDS, unnamed=True), max_size=8, unique_by=identity), st.booleans())
def test_projections_of_one_value_agree_with_the_oracle(given_claims: list[Claim], surest: bool) -> None:  # noqa: FBT001
    single, confident = (NONE, ALL) if surest else (ALL, NONE)

    projected = days(project(given_claims, CONFIDENT if surest else ONE))

    assert projected == believed(map(told, given_claims), single, 0, confident)


SAYING = (ClaimKind.STARTS, ClaimKind.STARTS, ClaimKind.HOLDS, ClaimKind.ENDS)
SUCCEEDING = st.lists(claims(unnamed=True), max_size=9, unique_by=identity) | st.lists(
    claims(SAYING, most=6, unnamed=True), max_size=12, unique_by=identity
)


@given(SUCCEEDING)
def test_projections_of_successive_values_agree_with_the_oracle(given_claims: list[Claim]) -> None:
    projected = days(project(given_claims, SUCCESSIVE))

    assert projected == believed(map(told, given_claims), NONE, 0, successive=ALL)


@given(SUCCEEDING, st.sampled_from([SUCCESSIVE, ONE, MANY, CONFIDENT]))
def test_a_belief_is_cut_by_what_says_nothing_of_its_value(given_claims: list[Claim], policy: Policy) -> None:
    by_id = {claim.id: claim for claim in given_claims}
    beliefs = project(given_claims, policy)

    for belief in (belief for belief in beliefs if belief.cut_by):
        cutting = by_id[belief.cut_by]
        assert policy in (SUCCESSIVE, ONE)
        assert cutting.object_id != belief.first.object_id
        assert belief.interval.end < END
        assert not belief.to_stated
        if policy is SUCCESSIVE:
            assert cutting.object_id is None or (cutting.kind.begins and not cutting.beside)
    if policy is SUCCESSIVE:
        ends = {(claim.object_id, claim.valid_from) for claim in given_claims if claim.kind is ClaimKind.ENDS}
        for belief in beliefs:
            told_end = belief.to_stated or (belief.first.object_id, belief.interval.end) in ends
            assert belief.interval.end == END or bool(belief.cut_by) != told_end


def said_later(claim: Claim, others: Sequence[Claim], kind: ClaimKind) -> bool:
    """Whether a claim asserts what one of this kind, said after it, is about."""
    return claim.kind.asserts and any(
        other.kind is kind and other.object_id == claim.object_id and other.telling > claim.telling for other in others
    )


@given(st.lists(claims(), max_size=8, unique_by=identity), st.sampled_from(POLICIES))
def test_what_was_rejected_is_as_if_it_had_never_been_said(given_claims: list[Claim], policy: Policy) -> None:
    left = [claim for claim in given_claims if not said_later(claim, given_claims, ClaimKind.REJECTS)]
    unsaid = [claim for claim in left if claim.kind is not ClaimKind.REJECTS]

    assert believes(given_claims, policy) == believes(left, policy) == believes(unsaid, policy)


def believes(given_claims: Sequence[Claim], policy: Policy) -> list[Belief]:
    """What is believed, without what tells which claims are evidence."""
    return [replace(belief, rejected_before=NEVER, dropped_before=NEVER) for belief in project(given_claims, policy)]


@given(st.lists(claims(), max_size=8, unique_by=identity), st.sampled_from([MANY, ONE]))
def test_where_time_decides_a_cap_above_0_changes_confidence_only(given_claims: list[Claim], policy: Policy) -> None:
    some = [claim for claim in given_claims if claim.cap != 0]
    unlowered = project([claim for claim in some if claim.kind is not ClaimKind.LOWERS], policy)

    lowered = project(some, policy)

    assert [replace(belief, confidence=0) for belief in lowered] == [replace(one, confidence=0) for one in unlowered]
    assert all(belief.confidence <= one.confidence for belief, one in zip(lowered, unlowered, strict=True))


@given(st.lists(claims(), max_size=8, unique_by=identity), st.sampled_from(POLICIES))
def test_claims_before_the_instants_that_a_belief_names_are_no_evidence(
    given_claims: list[Claim], policy: Policy
) -> None:
    for belief in project(given_claims, policy):
        assert belief.first.telling >= belief.rejected_before
        assert belief.first.protecting or belief.first.telling >= belief.dropped_before
        counted = [
            claim
            for claim in given_claims
            if claim.object_id == belief.first.object_id
            and claim.telling >= belief.rejected_before
            and (claim.protecting or claim.telling >= belief.dropped_before)
        ]
        gone = [c for c in given_claims if c.object_id == belief.first.object_id and c not in counted]
        assert not any(said_later(claim, given_claims, ClaimKind.REJECTS) for claim in counted)
        assert all(
            said_later(c, given_claims, ClaimKind.REJECTS) or said_later(c, given_claims, ClaimKind.LOWERS)
            for c in gone
            if c.kind.asserts
        )


def insisted(claim: Claim, others: Sequence[Claim], policy: Policy) -> tuple[datetime, datetime]:
    """From when until when a claim says that its value holds, whatever begins after it."""
    ends = (one.valid_from for one in others if one.kind is ClaimKind.ENDS and one.object_id == claim.object_id)
    end = claim.valid_to if claim.to_stated else min((at for at in ends if at >= claim.valid_from), default=END)
    if policy is ONE and not claim.to_stated:
        end = min(end, claim.valid_from + timedelta(days=1))
    return claim.valid_from, end


STATED = claims(kinds=(ClaimKind.STARTS, ClaimKind.STARTS, ClaimKind.HOLDS, ClaimKind.ENDS)).map(
    lambda claim: replace(
        claim,
        extractor=STRUCTURED,
        from_stated=True,
        valid_from=max(claim.valid_from, EPOCH),
        said_at=day(DAYS + int(claim.episode_id)),
    )
)


@given(st.lists(STATED, max_size=7, unique_by=identity), st.sampled_from([ONE, CONFIDENT]))
def test_contested_is_what_cannot_be_so_with_something_said_later(given_claims: list[Claim], policy: Policy) -> None:
    by_id = {claim.id: claim for claim in given_claims}
    for belief in project(given_claims, policy):
        newest = max(by_id[id_].telling for id_ in belief.supported_by)
        against = [
            insisted(claim, given_claims, policy)
            for claim in given_claims
            if claim.kind.asserts and claim.object_id != belief.first.object_id and claim.telling > newest
        ]
        began, ended = belief.interval.start, belief.interval.end
        assert belief.contested == any(begin < end and begin < ended and began < end for begin, end in against)
