"""Writes what somebody does about beliefs: read under the locks of their slots, and written in the same transaction.

Somebody confirms, rejects or corrects a belief, shares it, or takes that back; and consolidation lowers what gives way.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.errors import Conflict
from graphmem.model.acts import (
    UNSEEN,
    CurrentFact,
    Ground,
    Lowering,
    Seen,
    SlotState,
    value_of,
    values_of,
    was_shared,
)
from graphmem.model.belief import BeliefRow
from graphmem.model.evidence import Change, ChangeOutcome
from graphmem.model.projection.slot import slot_of_value
from graphmem.model.scope import EVERYBODY
from graphmem.store.change.row_changes import touched
from graphmem.store.change.statements import Statements
from graphmem.store.change.writer import ChangeWriter, after, check_identities, fading_of
from graphmem.store.rows.digest import VersionRow

MakeChange = Callable[[Ground], Change]
DecideLowerings = Callable[[Sequence[SlotState]], Sequence[Lowering]]
MakeLowered = Callable[[Sequence[Lowering]], Change]


async def act(
    do: Statements,
    row: BeliefRow,
    make: MakeChange,
    *,
    instead: str = "",
    recorded_at: datetime | None = None,
    seen: Seen = UNSEEN,
) -> tuple[Change, ChangeOutcome]:
    """Make the change that follows from what stands in the slot of a belief once it is locked.

    ``instead`` is the target of what is to take its place, "" of nothing else.

    Raises:
        Conflict: that is believed no more, or says something else than who asks for it has ``seen``.
    """
    if recorded_at is not None:
        await do.lock_group()
    ends = [row.subject_id, *([row.object_id] if row.object_id else []), *([instead] if instead else [])]
    named = [(id_, "", row.user) for id_ in ends]
    identities = await do.identities_of(named)
    await do.lock_subjects(identities.members(row.subject_id, user=row.user))
    await check_identities(do, named, identities)
    policies = (await do.clock([row.predicate])).predicates()
    value = slot_of_value(row)
    slot, other = policies.whole(value), None
    if instead:
        other = replace(value, target=identities.of(instead, session="", user=row.user))
    slots = [slot, *([policies.whole(other)] if other else [])]
    before = await touched(do, policies, identities, slots)
    ground = before.ground(slot, row.belief_id, other)
    if ground is None:
        raise Conflict(f"Belief {row.belief_id} is believed no more. Look it up again, and act on what took its place.")
    seen.check_version(before.held(row.id))
    seen.check_content(ground.belief.first.statement)
    change = make(ground)
    await do.admit(change.entrants)
    (outcome,) = await ChangeWriter(do, [change]).write()
    return change, outcome


async def share(do: Statements, row: BeliefRow, *, in_force: bool, seen: Seen = UNSEEN) -> tuple[datetime, int]:
    """Share the value of a belief under the names in which its claims have it, or take that back.

    Who may see a version changes with it, whenever that was believed. Returns the instant, and of how many versions.

    Raises:
        Conflict: that is believed no more, or is another version than who asks for it has ``seen``.
    """
    named = [(id_, "", row.user) for id_ in (row.subject_id, row.object_id) if id_]
    identities = await do.identities_of(named)
    members = identities.members(row.subject_id, user=row.user)
    stamps = await do.lock_subjects(members)
    await check_identities(do, named, identities)
    clock = await do.clock([row.predicate])
    now, policies = after(clock, stamps), clock.predicates()
    slot = policies.whole(slot_of_value(row))
    before = await touched(do, policies, identities, [slot])
    ground = before.ground(slot, row.belief_id, None)
    if ground is None:
        raise Conflict(f"Belief {row.belief_id} is believed no more. Look it up again, and share what took its place.")
    seen.check_version(before.held(row.id))
    values = values_of(ground.belief, {placed.claim.id: placed.claim for placed in ground.claims})
    if await do.share_values(values, now, in_force=in_force):
        await do.note_access(now)
    await do.name_shared(id_ for value in values for id_ in (value.subject_id, value.object_id) if id_)
    present = (await touched(do, policies, identities, [slot])).after(now, fading_of(do, clock))
    audiences = {
        **present.audiences,
        **_of_the_past(await do.versions_of_values(members, row.user, row.predicate), row.user),
    }
    await do.set_audiences(audiences)
    return now, len(audiences)


def _of_the_past(versions: Iterable[VersionRow], user: str) -> Mapping[str, str]:
    """Who may see versions that are believed no more, where that changes."""
    audiences = dict[str, str]()
    for version in versions:
        values = [value_of(claim) for claim in version.claims]
        everybody = was_shared((version.subject_id, version.target), values, {row.id for row in version.shared})
        audience = EVERYBODY if everybody else user
        if audience != version.audience:
            audiences[version.id] = audience
    return audiences


async def consolidate(
    do: Statements, facts: Sequence[CurrentFact], decide: DecideLowerings, make: MakeLowered
) -> tuple[Sequence[Lowering], ChangeOutcome]:
    """Decide what gives way among the slots of facts once nobody else can change them, and write that."""
    lowerings = await would_consolidate(do, facts, decide, lock=True)
    if not lowerings:
        return lowerings, ChangeOutcome()
    (outcome,) = await ChangeWriter(do, [make(lowerings)]).write()
    return lowerings, outcome


async def would_consolidate(
    do: Statements, facts: Sequence[CurrentFact], decide: DecideLowerings, *, lock: bool = False
) -> Sequence[Lowering]:
    """What would give way; it is not written."""
    slots = [slot_of_value(fact) for fact in facts]
    named = sorted({(id_, "", slot.user) for slot in slots for id_ in (slot.subject_id, slot.target) if id_})
    identities = await do.identities_of(named)
    if lock:
        subjects = {(slot.subject_id, slot.user) for slot in slots}
        await do.lock_subjects({member for id_, user in subjects for member in identities.members(id_, user=user)})
        await check_identities(do, named, identities)
    policies = (await do.clock({slot.predicate for slot in slots})).predicates()
    states = (await touched(do, policies, identities, (policies.whole(slot) for slot in slots))).states()
    return decide(states)
