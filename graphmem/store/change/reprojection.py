"""Projects slots anew whose claims are there: a policy changed, something was repaired, or identities overtook a claim.

Objects of claims are not locked, for everybody names some of them. So a change of merges may miss claims that are not
committed yet, and their writer may miss the change: those are placed again.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime

from graphmem.model.claim import Claim
from graphmem.model.export import BeliefDifference
from graphmem.model.projection.identity import Identities
from graphmem.model.projection.predicate import Predicates
from graphmem.model.projection.slot import Slot, place
from graphmem.store.change.row_changes import Touched, touched
from graphmem.store.change.statements import Added, Statements
from graphmem.store.change.writer import check_identities, fading_of, slots_of, stamp, subjects_of, supersede
from graphmem.store.parameters import named_ends
from graphmem.store.rows.digest import ClockRow

Former = Mapping[str, AbstractSet[str]]
"""By entity, all that it stood for at some time since its merges changed."""


async def reproject(
    do: Statements, subject_ids: Sequence[str], predicate: str, also: Iterable[Slot] = ()
) -> tuple[int, bool]:
    """Project the slots of claims, and others; returns how many rows changed, and whether all could be read."""
    await do.lock_group()
    claims, _ = await do.claims_of_predicate(subject_ids, predicate)
    identities = await do.identities(claims)
    locked = subjects_of(claims, identities).union(slot.subject_id for slot in also)
    stamps = await do.lock_subjects(locked)
    claims, damaged = await do.claims_of_predicate(subject_ids, predicate)
    await check_identities(do, named_ends(claims), identities)
    clock = await do.clock([predicate])
    now = stamp(clock, stamps)
    policies = clock.predicates()
    wanted = [*slots_of(claims, policies, identities), *(policies.whole(slot) for slot in also)]
    slots = await touched(do, policies, identities, wanted)
    return await rewrite(do, slots, locked, clock, now), not damaged and not slots.kept


async def differences(do: Statements, subject_ids: Sequence[str], predicate: str) -> list[BeliefDifference]:
    """Where what is believed of subjects is not what their claims amount to; nothing is written."""
    claims, _ = await do.claims_of_predicate(subject_ids, predicate)
    identities = await do.identities(claims)
    policies = (await do.clock([predicate])).predicates()
    slots = await touched(do, policies, identities, slots_of(claims, policies, identities))
    return sorted(slots.differences(), key=lambda found: (found.belief_id, found.only_in))


async def repair(do: Statements, slot: Slot) -> int | None:
    """Project a slot of which something could not be read; returns how many rows changed, None if it still cannot.

    What its claims amount to may be in other slots by now, by who is who and by the policy in force.
    """
    who = await do.identities_of([(slot.subject_id, "", slot.user)])
    subject = who.of(slot.subject_id, session="", user=slot.user)
    subjects = {slot.subject_id, *who.members(subject, user=slot.user)}
    changed, whole = await reproject(do, sorted(subjects), slot.predicate, also=[slot])
    return changed if whole else None


async def place_again(do: Statements, claims: Sequence[Claim], since: datetime) -> int:
    """Project the slots that claims between entities are in, and may be taken to be in; returns how many rows changed.

    ``since`` is when their writers may have read who is who.
    """
    await do.lock_group()
    identities = await do.identities(claims)
    former = await do.former_identities((id_ for claim in claims for id_ in _ends(claim)), since)
    locked = subjects_of(claims, identities).union(*(former[claim.subject_id] for claim in claims))
    stamps = await do.lock_subjects(locked)
    await check_identities(do, named_ends(claims), identities)
    clock = await do.clock(claim.predicate for claim in claims)
    policies = clock.predicates()
    slots = await touched(do, policies, identities, _slots(claims, identities, former, policies))
    others = await do.identities(slots.claims)
    slots = replace(slots, identities=slots.identities.knowing(others.decisions))
    return await rewrite(do, slots, locked, clock, stamp(clock, stamps))


def _ends(claim: Claim) -> Iterator[str]:
    yield claim.subject_id
    if claim.object_id is not None:
        yield claim.object_id


def _slots(claims: Iterable[Claim], identities: Identities, former: Former, policies: Predicates) -> Iterator[Slot]:
    """The slots of claims by the identities of their ends, and by all that their ends stood for."""
    for claim in claims:
        placed = place(claim, identities)
        for subject in {placed.subject_id, *former[claim.subject_id]}:
            for thing in {placed.object_id, *former.get(claim.object_id or "", ())} - {None}:
                slot = policies.slot(replace(placed, subject_id=subject, object_id=thing, target=thing or ""))
                if slot is not None:
                    yield slot


async def rewrite(do: Statements, slots: Touched, locked: Collection[str], clock: ClockRow, now: datetime) -> int:
    """Supersede and record what differs from what the claims of slots amount to; returns how many rows that are."""
    difference = slots.after(now, fading_of(do, clock))
    await supersede(do, difference, now)
    await do.write_change(
        Added(beliefs=difference.record, uses=difference.uses, shared=difference.shared, stamped=locked), now
    )
    await do.follow_existence(difference.bounded)
    await do.follow_names(difference.renamed)
    return len(difference.record) + difference.superseded
