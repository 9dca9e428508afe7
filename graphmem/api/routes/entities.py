"""Entities: who and what is mentioned."""

from typing import Annotated

from fastapi import APIRouter, Query

from graphmem.api import examples
from graphmem.api.cursors import after_id, id_cursor
from graphmem.api.deps import CursorQuery, GroupPath, IdPath, LimitQuery, MemoryDep, NameQuery, WhenDep
from graphmem.api.openapi import documented
from graphmem.api.schemas.beliefs import EntityBeliefs, entity_beliefs, entity_out
from graphmem.api.schemas.groups import EntityPage
from graphmem.api.schemas.words import EntityType

router = APIRouter(prefix="/v1/groups/{group}/entities", tags=["entities"])


@router.get(
    "",
    **documented(
        "The entities known at known_at, in order of id; of one type or of one name, however written",
        examples.ENTITY_PAGE,
        *(401, 403, 404, 422, 503),
    ),
)
async def list_entities(
    group: GroupPath,
    when: WhenDep,
    memory: MemoryDep,
    type: Annotated[EntityType | None, Query()] = None,  # noqa: A002 - the name in the URL
    name: NameQuery = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
) -> EntityPage:
    found = await memory.reader.entities(
        group, when.point, entity_type=type, name=name, after=after_id(cursor), limit=limit + 1
    )
    return EntityPage(
        valid_at=when.valid_at,
        known_at=when.known_at,
        entities=[entity_out(entity) for entity in found[:limit]],
        next_cursor=id_cursor(found[limit - 1].id) if len(found) > limit else None,
    )


@router.get(
    "/{entity_id}",
    **documented("One entity and what was believed about it", examples.ENTITY, 401, 403, 404, 422, 503),
)
async def entity(group: GroupPath, entity_id: IdPath, when: WhenDep, memory: MemoryDep) -> EntityBeliefs:
    graph = await memory.reader.entity(group, entity_id, when.point)
    return entity_beliefs(graph, when.valid_at, when.known_at)
