"""Entities: who and what is mentioned."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from graphmem.answers.changes import HistoryOut
from graphmem.answers.entities import EntityBeliefs, EntityProfile
from graphmem.answers.groups import EntityPage
from graphmem.answers.merges import ProtectedOut
from graphmem.api.bodies import json_body
from graphmem.api.cursors import after_id, after_version, id_cursor, version_cursor
from graphmem.api.deps import (
    AdministeredGroup,
    AskedDep,
    AskedOfBeliefsDep,
    CursorQuery,
    IdPath,
    LimitQuery,
    MemoryDep,
    NameQuery,
    PredicatesQuery,
    StandingDep,
)
from graphmem.api.openapi import documented, takes
from graphmem.api.schemas.beliefs import entity_out
from graphmem.api.schemas.changes import history_out
from graphmem.api.schemas.entities import entity_beliefs, entity_profile
from graphmem.api.schemas.merges import ProtectedIn
from graphmem.api.schemas.words import EntityType, stands
from graphmem.model.recall import version_position

router = APIRouter(prefix="/v1/groups/{group}/entities", tags=["entities"])

_MOST_VERSIONS = 500


@router.get(
    "",
    **documented(
        "The entities known at known_at, in order of id; of one type or of one name, however written",
        *(401, 403, 404, 422, 503),
    ),
)
async def list_entities(
    standing: StandingDep,
    asked: AskedDep,
    memory: MemoryDep,
    type: Annotated[EntityType | None, Query()] = None,  # noqa: A002 - the name in the URL
    name: NameQuery = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
) -> EntityPage:
    found = await memory.reader.entities(
        asked.scope, entity_type=type, name=name, after=after_id(cursor), limit=limit + 1
    )
    return EntityPage(
        valid_at=asked.valid_at,
        known_at=asked.known_at,
        **stands(standing),
        entities=[entity_out(entity, asked.valid_at) for entity in found[:limit]],
        next_cursor=id_cursor(found[limit - 1].id) if len(found) > limit else None,
    )


@router.get(
    "/{entity_id}",
    **documented(
        "One entity, all that it was the same as, and what was believed about it",
        401,
        403,
        404,
        422,
        503,
    ),
)
async def entity(
    entity_id: IdPath, standing: StandingDep, asked: AskedOfBeliefsDep, memory: MemoryDep
) -> EntityBeliefs:
    graph = await memory.reader.entity(asked.scope, entity_id)
    cluster = await memory.reader.cluster(asked.scope, entity_id)
    return entity_beliefs(graph, cluster, asked.valid_at, asked.known_at, standing=standing)


@router.get(
    "/{entity_id}/profile",
    **documented(
        "One entity at a glance: a summary, names, mentions, facts, relationships, and what was believed over time",
        *(401, 403, 404, 422, 503),
    ),
)
async def profile(
    entity_id: IdPath, standing: StandingDep, asked: AskedOfBeliefsDep, memory: MemoryDep
) -> EntityProfile:
    graph = await memory.reader.entity(asked.scope, entity_id)
    cluster = await memory.reader.cluster(asked.scope, entity_id)
    history = await memory.reader.history(asked.scope, entity_id, limit=_MOST_VERSIONS)
    summary = await memory.reader.entity_summary(asked.scope, cluster.representative.id)
    return entity_profile(graph, history, cluster, summary, asked.valid_at, asked.known_at, standing=standing)


@router.get(
    "/{entity_id}/history",
    **documented(
        "Every version of an entity's beliefs recorded by known_at, superseded ones too",
        *(401, 403, 404, 422, 503),
    ),
    description="""Each version says from when to when it was true, and from when to when it was believed; what
superseded it later than `known_at` is not told. `valid_at`, if given, keeps the versions that speak of that time.""",
)
async def history(
    entity_id: IdPath,
    standing: StandingDep,
    asked: AskedOfBeliefsDep,
    memory: MemoryDep,
    predicate: PredicatesQuery = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
) -> HistoryOut:
    found = await memory.reader.history(
        asked.scope,
        entity_id,
        valid_at=asked.given_valid_at,
        predicates=tuple(predicate) if predicate else None,
        after=after_version(cursor),
        limit=limit,
    )
    more = None if found.complete else version_cursor(version_position(found.versions[-1]))
    return history_out(found, asked.given_valid_at, asked.known_at, more, standing=standing)


@router.put(
    "/{entity_id}/protected",
    **takes("ProtectedIn"),
    **documented(
        "Say whether only people merge an entity; merges of it that were computed are taken back by the next dedup job",
        *(401, 403, 404, 413, 415, 422, 503),
    ),
)
async def put_protected(
    group: AdministeredGroup,
    entity_id: IdPath,
    body: Annotated[ProtectedIn, Depends(json_body(ProtectedIn))],
    memory: MemoryDep,
) -> ProtectedOut:
    await memory.merging.protect(group, entity_id, protected=body.protected)
    return ProtectedOut(id=entity_id, protected=body.protected)
