"""The graph: what was believed at one time to be true at another."""

import re
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query
from starlette.responses import Response

from graphmem.api import examples
from graphmem.api.deps import GroupPath, MemoryDep, When, WhenDep
from graphmem.api.errors import AmbiguousName
from graphmem.api.formats import MEDIA_TYPES, Format, beliefs_csv, chosen_format, graphml
from graphmem.api.openapi import documented
from graphmem.api.schemas.beliefs import GraphOut, graph_out
from graphmem.api.schemas.words import ID_PATTERN, EntityType, Name
from graphmem.errors import NotFound
from graphmem.memory import Memory
from graphmem.reading import MAX_BELIEFS, MAX_DEPTH, GraphQuery

router = APIRouter(prefix="/v1/groups/{group}/graph", tags=["graph"])

_MOST_CANDIDATES = 20


async def _query(
    group: GroupPath,
    when: WhenDep,
    memory: MemoryDep,
    entity: Annotated[Name | None, Query(description="The id or the name of an entity to start from.")] = None,
    depth: Annotated[int, Query(ge=0, le=MAX_DEPTH, description="Steps from that entity.")] = 1,
    predicate: Annotated[list[Name] | None, Query(max_length=64, description="Only these.")] = None,
    type: Annotated[  # noqa: A002 - the name in the URL
        list[EntityType] | None, Query(max_length=64, description="Only beliefs with an end of one of these types.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_BELIEFS, description="Beliefs at most.")] = 1_000,
) -> GraphQuery:
    return GraphQuery(
        entity_id=await _entity_id(memory, group, when, entity) if entity else None,
        depth=depth,
        predicates=tuple(predicate) if predicate else None,
        types=frozenset(type) if type else None,
        limit=limit,
    )


@router.get(
    "",
    response_model=GraphOut,
    **documented(
        "The believed subgraph: all of it, or what is around an entity; as JSON, GraphML or CSV",
        examples.GRAPH,
        *(401, 403, 404, 409, 422, 503),
    ),
)
async def graph(
    group: GroupPath,
    query: Annotated[GraphQuery, Depends(_query)],
    when: WhenDep,
    memory: MemoryDep,
    format: Annotated[Format | None, Query(description="Wins over the Accept header.")] = None,  # noqa: A002
    accept: Annotated[str, Header(include_in_schema=False)] = "",
) -> GraphOut | Response:
    found = graph_out(await memory.reader.graph(group, when.point, query), when.valid_at, when.known_at)
    wanted = chosen_format(format, accept)
    if wanted == "json":
        return found
    content = graphml(found) if wanted == "graphml" else beliefs_csv(found)
    return Response(content, media_type=MEDIA_TYPES[wanted])


async def _entity_id(memory: Memory, group: str, when: When, entity: str) -> str:
    """The entity that an id or a name means.

    Raises:
        NotFound: none.
        AmbiguousName: several; names them with their ids.
    """
    if re.fullmatch(ID_PATTERN, entity):
        return entity
    found = await memory.reader.entities(group, when.point, name=entity, limit=_MOST_CANDIDATES)
    if not found:
        raise NotFound(f"Group {group!r} knew no entity of the name {entity!r} at that time.")
    if len(found) > 1:
        candidates = [{"id": item.id, "type": item.type, "name": item.name} for item in found]
        raise AmbiguousName("Several entities have this name. Ask with the id of one of the candidates.", candidates)
    return found[0].id
