"""Writes what somebody does about a belief: read under the locks of its slot, and written in the same transaction."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from graphmem.errors import Conflict
from graphmem.model.acts import Ground
from graphmem.model.belief import BeliefRow
from graphmem.model.evidence import Change, ChangeOutcome
from graphmem.model.projection.slot import slot_of_value
from graphmem.store.change.row_changes import touched
from graphmem.store.change.statements import Statements
from graphmem.store.change.writer import ChangeWriter, check_identities

MakeChange = Callable[[Ground], Change]


async def act(
    do: Statements, row: BeliefRow, make: MakeChange, *, instead: str = "", recorded_at: datetime | None = None
) -> tuple[Change, ChangeOutcome]:
    """Make the change that follows from what stands in the slot of a belief once it is locked.

    ``instead`` is the target of what is to take its place, "" of nothing else.

    Raises:
        Conflict: that is believed no more.
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
    ground = (await touched(do, policies, identities, slots)).ground(slot, row.belief_id, other)
    if ground is None:
        raise Conflict(f"Belief {row.belief_id} is believed no more. Look it up again, and act on what took its place.")
    change = make(ground)
    (outcome,) = await ChangeWriter(do, [change]).write()
    return change, outcome
