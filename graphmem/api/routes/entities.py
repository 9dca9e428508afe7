"""Entities: who and what is mentioned."""

from typing import Annotated

from fastapi import Query

from graphmem.answers.answer import AnswerContext
from graphmem.answers.beliefs import HistoryOut
from graphmem.answers.entities import EntityBeliefs, EntityPage, EntityProfile, ProtectedOut
from graphmem.api.bodies import json_body
from graphmem.api.cursors import BY_ID, OF_VERSIONS
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
from graphmem.api.openapi import CallRouter
from graphmem.api.schemas.words import EntityType, Request
from graphmem.model.interval import END
from graphmem.model.recall import version_position
from graphmem.recall.names import meant_by, near_names

router = CallRouter(prefix="/v1/groups/{group}/entities", tags=["entities"])

_MOST_VERSIONS = 500


class ProtectedIn(Request):
    """``protected``: only people merge the entity."""

    protected: bool


@router.call("GET", "")
async def list_entities(
    standing: StandingDep,
    asked: AskedDep,
    memory: MemoryDep,
    type: Annotated[EntityType | None, Query()] = None,  # noqa: A002 - the name in the URL
    name: NameQuery = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
) -> EntityPage:
    """The entities known at known_at, in order of id; of one type or of one name, however written.

    A name of which nothing was ever believed means the persons whose name it is short for; `taken_for` says whom, where
    that is one. Where nobody and nothing bears the name, `near` has names that are spelt much like it.
    """
    after, near = BY_ID.after(cursor), list[str]()
    if name is None:
        entities = await memory.reader.entities(asked.scope, entity_type=type, after=after, limit=limit + 1)
    else:
        await memory.reader.known_group(asked.scope.group)
        entities = await meant_by(memory.store, asked.scope, name, limit=limit + 1, entity_type=type, after=after)
        near = [] if entities or after else await near_names(memory.store, asked.scope, name)
    more = BY_ID.after_page(entities, limit, lambda entity: entity.id)
    return EntityPage.of(
        asked, standing, entities=entities[:limit], near=near, next_cursor=more, context=asked.context()
    )


@router.call("GET", "/{entity_id}")
async def entity(
    entity_id: IdPath, standing: StandingDep, asked: AskedOfBeliefsDep, memory: MemoryDep
) -> EntityBeliefs:
    """One entity, all that it was the same as, and what was believed about it."""
    graph = await memory.reader.entity(asked.scope, entity_id)
    cluster = await memory.reader.cluster(asked.scope, entity_id)
    return EntityBeliefs.of(graph, asked, standing, entity=cluster, context=asked.context(graph.entities))


@router.call("GET", "/{entity_id}/profile")
async def profile(
    entity_id: IdPath, standing: StandingDep, asked: AskedOfBeliefsDep, memory: MemoryDep
) -> EntityProfile:
    """One entity at a glance: a summary, names, mentions, facts, relationships, and what was believed over time."""
    graph = await memory.reader.entity(asked.scope, entity_id)
    cluster = await memory.reader.cluster(asked.scope, entity_id)
    history = await memory.reader.history(asked.scope, entity_id, limit=_MOST_VERSIONS)
    summary = await memory.reader.entity_summary(asked.scope, cluster.representative.id)
    believed = (version for version in history.versions if version.superseded_at == END)
    return EntityProfile.of(
        asked,
        standing,
        entity=cluster,
        summary=summary,
        facts=sorted((row for row in graph.beliefs if row.category), key=lambda row: (-row.importance, row.id)),
        relationships=[row for row in graph.beliefs if row.kind == "relationship"],
        values=[row for row in graph.beliefs if row.kind == "fact" and not row.category],
        timeline=sorted(believed, key=lambda version: (version.valid_from, version.belief_id)),
        complete=graph.complete and history.complete,
        context=asked.context((*history.entities, *graph.entities)),
    )


@router.call("GET", "/{entity_id}/history")
async def history(
    entity_id: IdPath,
    standing: StandingDep,
    asked: AskedOfBeliefsDep,
    memory: MemoryDep,
    predicate: PredicatesQuery = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
) -> HistoryOut:
    """Every version of an entity's beliefs recorded by known_at, superseded ones too.

    Each version says from when to when it was true, and from when to when it was believed; what
    superseded it later than `known_at` is not told. `valid_at`, if given, keeps the versions that speak of that time.
    """
    past = await memory.reader.history(
        asked.scope,
        entity_id,
        valid_at=asked.given_valid_at,
        predicates=tuple(predicate) if predicate else None,
        after=OF_VERSIONS.after(cursor),
        limit=limit,
    )
    return HistoryOut.of(
        past,
        standing,
        valid_at=asked.given_valid_at,
        known_at=asked.known_at,
        next_cursor=None if past.complete else OF_VERSIONS.of(version_position(past.versions[-1])),
        context=AnswerContext(entities=past.entities, valid_at=asked.given_valid_at or asked.known_at),
    )


@router.call("PUT", "/{entity_id}/protected", takes=ProtectedIn)
async def put_protected(
    group: AdministeredGroup,
    entity_id: IdPath,
    body: Annotated[ProtectedIn, json_body(ProtectedIn)],
    memory: MemoryDep,
) -> ProtectedOut:
    """Say whether only people merge an entity; merges of it that were computed are taken back by the next dedup job."""
    await memory.merging.protect(group, entity_id, protected=body.protected)
    return ProtectedOut(id=entity_id, protected=body.protected)
