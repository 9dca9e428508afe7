"""Entities by their name."""

import re

from graphmem.api.errors import AmbiguousName
from graphmem.api.schemas.words import ID_PATTERN
from graphmem.errors import NotFound
from graphmem.memory import Memory
from graphmem.model.scope import Scope

_MOST_CANDIDATES = 20


async def entity_id(memory: Memory, scope: Scope, entity: str) -> str:
    """The entity that an id or a name means.

    Raises:
        NotFound: none.
        AmbiguousName: several; names them with their ids.
    """
    if re.fullmatch(ID_PATTERN, entity):
        return entity
    found = await memory.reader.entities(scope, name=entity, limit=_MOST_CANDIDATES)
    if not found:
        raise NotFound(f"Group {scope.group!r} knew no entity of the name {entity!r} at that time.")
    if len({item.part_of or item.id for item in found}) > 1:
        candidates = [
            {"id": item.id, "type": item.type, "name": item.name, "qualifier": item.qualifier} for item in found
        ]
        raise AmbiguousName("Several entities have this name. Ask with the id of one of the candidates.", candidates)
    return found[0].id
