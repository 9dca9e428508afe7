"""Properties of consolidation: no order, done twice as once, no meaning lost, nothing of others touched."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.acts import Lowering, SlotState
from graphmem.model.claim import AssertedBy, Claim, ClaimKind
from graphmem.model.interval import BEGIN, END
from graphmem.model.projection.predicate import BUILT_IN_PREDICATES
from graphmem.model.projection.slot import Slot, place
from graphmem.resolve.acts import give_way
from graphmem.resolve.consolidation import conflicts, duplicates, likeness, words_of
from tests.unit.test_timeline import day

WORDS = ("short", "plain", "very", "not")
PREDICATES = ("instruction.answers", "instruction.answers", "preference.style", "preference.style", "lives_at")


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    words = draw(st.lists(st.sampled_from(WORDS), min_size=2, max_size=3, unique=True))
    value = " ".join(sorted(words))
    start, until = draw(st.integers(0, 4)), draw(st.sampled_from([None, None, None, 6]))
    protecting = draw(st.sampled_from([False, False, False, True]))
    said = draw(st.integers(0, 6))
    plain = Claim(
        group_id="g",
        episode_id="",
        kind=ClaimKind.STARTS,
        subject_id=draw(st.sampled_from(["maya", "maya", "maya", "bruno"])),
        predicate=draw(st.sampled_from(PREDICATES)),
        value=value,
        statement=f"Maya wants what is {value}.",
        quote="",
        quote_start=0,
        quote_end=0,
        valid_from=day(start),
        valid_to=END if until is None else day(until),
        from_stated=draw(st.booleans()),
        to_stated=until is not None,
        said_at=day(said),
        confidence=draw(st.sampled_from([0.4, 0.6, 0.9])),
        category=draw(st.sampled_from(["preference", "preference", "preference", "habit", ""])),
        user=draw(st.sampled_from(["", "", "", "ana"])),
        extractor="test",
        extractor_version="1",
        asserted_by=draw(st.sampled_from(list(AssertedBy))),
        protecting=protecting,
    )
    return replace(plain, episode_id=repr(plain))


MANY_CLAIMS = st.lists(claims(), max_size=9, unique_by=lambda one: one.id)


def states(given_claims: Sequence[Claim]) -> list[SlotState]:
    by_slot: dict[Slot, list[Claim]] = defaultdict(list)
    for claim in given_claims:
        slot = BUILT_IN_PREDICATES.slot(place(claim))
        if slot is not None:
            by_slot[slot].append(claim)
    return [SlotState.of(slot, BUILT_IN_PREDICATES.policy_of(slot), some) for slot, some in by_slot.items()]


def lowered(found: Sequence[Lowering]) -> set[tuple[Slot | None, str, str]]:
    """What gives way to which claim."""
    return {(BUILT_IN_PREDICATES.slot(one.claims[0]), one.target, one.to.id) for one in found}


def with_lowered(given_claims: Sequence[Claim], found: Sequence[Lowering]) -> list[Claim]:
    return [*given_claims, *(claim for one in found for claim in give_way(one, BEGIN).claims)]


@given(MANY_CLAIMS, st.randoms(use_true_random=False))
def test_no_order_of_claims_or_slots_changes_what_gives_way(given_claims: list[Claim], random: object) -> None:
    turned = [*given_claims]
    random.shuffle(turned)  # type: ignore[attr-defined]

    for decide in (duplicates, conflicts):
        assert lowered(decide(states(given_claims))) == lowered(decide(states(turned)))


@given(MANY_CLAIMS)
def test_done_again_nothing_gives_way(given_claims: list[Claim]) -> None:
    dropped = with_lowered(given_claims, duplicates(states(given_claims)))
    settled = with_lowered(dropped, conflicts(states(dropped)))

    assert duplicates(states(dropped)) == []
    assert conflicts(states(settled)) == []


@given(MANY_CLAIMS)
def test_each_that_is_dropped_is_said_by_one_that_stays(given_claims: list[Claim]) -> None:
    before = states(given_claims)
    found = duplicates(before)
    after = states(with_lowered(given_claims, found))
    staying = {(one.slot, belief.id): belief for one in after for belief in one.beliefs}

    for lowering in found:
        kept, gone = lowering.kept, lowering.belief
        assert kept.id in {id_ for _, id_ in staying}
        assert (kept.first.user, kept.subject_id, kept.category) == (gone.first.user, gone.subject_id, gone.category)
        assert likeness(words_of(kept.first.statement), words_of(gone.first.statement)) >= 0.75
        assert kept.interval.end == gone.interval.end
    gone = {(one.belief.id, one.target) for one in found}
    believed = {(belief.id, belief.target) for one in before for belief in one.beliefs}
    left = {(belief.id, belief.target) for one in after for belief in one.beliefs}
    dropped_targets = {(BUILT_IN_PREDICATES.slot(one.claims[0]), one.target) for one in found}
    expected = {
        (belief.id, belief.target)
        for one in before
        for belief in one.beliefs
        if (one.slot, belief.target) not in dropped_targets
    }
    assert gone <= believed
    assert left == expected


@given(MANY_CLAIMS)
def test_nothing_that_is_protected_gives_way_and_nothing_to_itself(given_claims: list[Claim]) -> None:
    for lowering in [*duplicates(states(given_claims)), *conflicts(states(given_claims))]:
        assert not any(placed.claim.protecting for placed in lowering.claims)
        assert lowering.to.id not in {placed.id for placed in lowering.claims}
        assert lowering.to.user == lowering.claims[0].claim.user


@given(MANY_CLAIMS)
def test_settled_conflicts_change_nothing_that_is_believed_but_how_surely(given_claims: list[Claim]) -> None:
    for state in states(given_claims):
        found = conflicts([state])
        after = state.knowing(claim for one in found for claim in give_way(one, BEGIN).claims)

        assert [(one.id, one.interval) for one in after.beliefs] == [(one.id, one.interval) for one in state.beliefs]
        gone = {one.target for one in found}
        kept = {one.kept.target for one in found} - gone
        assert all(
            belief.confidence == one.confidence
            for belief, one in zip(after.beliefs, state.beliefs, strict=True)
            if belief.target in kept
        )
        assert all(belief.confidence <= 0.3 for belief in after.beliefs if belief.target in gone)
