"""Writes what consolidation decides: read under the locks of the subjects, and written in the same transaction."""

from collections.abc import Callable, Sequence

from graphmem.model.acts import CurrentFact, Lowering, SlotState
from graphmem.model.evidence import Change, ChangeOutcome
from graphmem.model.projection.slot import slot_of_value
from graphmem.store.change.row_changes import touched
from graphmem.store.change.statements import Statements
from graphmem.store.change.writer import ChangeWriter, check_identities

DecideLowerings = Callable[[Sequence[SlotState]], Sequence[Lowering]]
MakeLowered = Callable[[Sequence[Lowering]], Change]

_NOTHING = ChangeOutcome()


async def consolidate(
    do: Statements, facts: Sequence[CurrentFact], decide: DecideLowerings, make: MakeLowered
) -> tuple[Sequence[Lowering], ChangeOutcome]:
    """Decide what gives way among the slots of facts once nobody else can change them, and write that."""
    found = await survey(do, facts, decide, lock=True)
    if not found:
        return found, _NOTHING
    (outcome,) = await ChangeWriter(do, [make(found)]).write()
    return found, outcome


async def survey(
    do: Statements, facts: Sequence[CurrentFact], decide: DecideLowerings, *, lock: bool = False
) -> Sequence[Lowering]:
    """What would give way; it is not written."""
    slots = [slot_of_value(fact) for fact in facts]
    named = sorted({(id_, "", slot.user) for slot in slots for id_ in (slot.subject_id, slot.target) if id_})
    identities = await do.identities_of(named)
    if lock:
        subjects = {(slot.subject_id, slot.user) for slot in slots}
        await do.lock_subjects({one for id_, user in subjects for one in identities.members(id_, user=user)})
        await check_identities(do, named, identities)
    policies = (await do.clock({slot.predicate for slot in slots})).predicates()
    states = (await touched(do, policies, identities, (policies.whole(slot) for slot in slots))).states()
    return decide(states)
