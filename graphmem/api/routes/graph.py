"""The graph: what was believed at one time to be true at another."""

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query
from starlette.responses import Response

from graphmem.answers.beliefs import GraphOut
from graphmem.api.deps import AskedOfBeliefsDep, EntityQuery, MemoryDep, PredicatesQuery, StandingDep
from graphmem.api.formats import MEDIA_TYPES, Format, beliefs_csv, chosen_format, graphml
from graphmem.api.naming import entity_id
from graphmem.api.openapi import documented
from graphmem.api.schemas.words import EntityType
from graphmem.recall.reader import MAX_BELIEFS, MAX_DEPTH, GraphQuery

router = APIRouter(prefix="/v1/groups/{group}/graph", tags=["graph"])

_SUMMARY = "The believed subgraph: all of it, or what is around an entity; as JSON, GraphML or CSV"
_CONTENT: dict[str, dict[str, object]] = {MEDIA_TYPES[name]: {} for name in ("json", "graphml", "csv")}


async def _query(
    asked: AskedOfBeliefsDep,
    memory: MemoryDep,
    entity: EntityQuery = None,
    depth: Annotated[int, Query(ge=0, le=MAX_DEPTH, description="Steps from that entity.")] = 1,
    predicate: PredicatesQuery = None,
    type: Annotated[  # noqa: A002 - the name in the URL
        list[EntityType] | None, Query(max_length=64, description="Only beliefs with an end of one of these types.")
    ] = None,
    limit: Annotated[
        int | None,
        Query(
            ge=1,
            le=MAX_BELIEFS,
            description=f"Beliefs at most, before `type` is looked at. Without it, over {MAX_BELIEFS} are refused.",
        ),
    ] = None,
) -> GraphQuery:
    return GraphQuery(
        entity_id=await entity_id(memory, asked.scope, entity) if entity else None,
        depth=depth,
        predicates=tuple(predicate) if predicate else None,
        types=frozenset(type) if type else None,
        limit=limit,
    )


@router.get(
    "",
    response_model=GraphOut,
    **documented(
        _SUMMARY,
        *(401, 403, 404, 409, 422, 503),
        also={200: {"description": _SUMMARY, "content": _CONTENT}},
    ),
)
async def graph(
    standing: StandingDep,
    query: Annotated[GraphQuery, Depends(_query)],
    asked: AskedOfBeliefsDep,
    memory: MemoryDep,
    format: Annotated[Format | None, Query(description="Wins over the Accept header.")] = None,  # noqa: A002
    accept: Annotated[str, Header(include_in_schema=False)] = "",
) -> GraphOut | Response:
    subgraph = await memory.reader.graph(asked.scope, query)
    found = GraphOut.of(subgraph, asked, standing, context=asked.context(subgraph.entities))
    wanted = chosen_format(format, accept)
    if wanted == "json":
        return found
    content = graphml(found) if wanted == "graphml" else beliefs_csv(found)
    return Response(content, media_type=MEDIA_TYPES[wanted])
