"""Slots of which something cannot be read: they stay as they are, and are projected once it is repaired.

To leave a damaged claim out would settle a falsehood. So the change that touches such a slot writes its evidence,
leaves the rows alone, and asks for work: one record for each slot, which a worker takes up until it succeeds.
"""

from collections.abc import Mapping
from dataclasses import asdict

from pydantic import TypeAdapter

from graphmem.model.damage import Damage
from graphmem.model.ids import digest
from graphmem.model.projection.slot import Slot
from graphmem.model.work import WorkKind, WorkRequest
from graphmem.store.driver import Transaction
from graphmem.store.queries import Query
from graphmem.store.work import request_work

_SLOT: TypeAdapter[Slot] = TypeAdapter(Slot)
_WHY = "unreadable"


async def ask_for_repair(
    transaction: Transaction, queries: Mapping[str, Query], group: str, slots: Mapping[Slot, Damage]
) -> None:
    """Have slots projected once what is given with each can be read."""
    requests = sorted((_request(group, slot, why) for slot, why in slots.items()), key=lambda request: request.id)
    await request_work(transaction, queries, group, WorkKind.REPAIR, requests)


def slot_of(arguments: Mapping[str, object]) -> Slot:
    """The slot that work of the kind ``repair`` is about."""
    return _SLOT.validate_python({name: one for name, one in arguments.items() if name != _WHY})


def _request(group: str, slot: Slot, why: Damage) -> WorkRequest:
    return WorkRequest(
        id=digest(
            *("repair", group, slot.user, slot.subject_id, slot.predicate, slot.target, slot.day, slot.open),
            *slot.distinguished_by,
        ),
        target=slot.predicate,
        arguments={**asdict(slot), _WHY: str(why)},
        audience=slot.user,
    )
