"""Places claims again that were written by who is who before a merge, and committed after it.

Objects of claims are not locked, for everybody names some of them. So a change of merges may miss claims that are not
committed yet, and their writer may miss the change.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime

from graphmem.model.claim import Claim
from graphmem.model.projection.identity import Identities
from graphmem.model.projection.predicate import Predicates
from graphmem.model.projection.slot import Slot, place
from graphmem.store.change.row_changes import touched
from graphmem.store.change.statements import Statements
from graphmem.store.change.writer import check_identities, rewrite, stamp, subjects_of
from graphmem.store.parameters import named_ends

Former = Mapping[str, AbstractSet[str]]
"""By entity, all that it stood for at some time since its merges changed."""


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
