"""Search: full text and vectors over beliefs and episodes, at a point in time."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends

from graphmem.answers.search import SearchOut
from graphmem.api.bodies import json_body
from graphmem.api.deps import ClockDep, GroupPath, MemoryDep, PrincipalDep, SettingsDep, asked_of
from graphmem.api.naming import entity_id
from graphmem.api.openapi import documented, takes
from graphmem.api.schemas.search import SearchIn
from graphmem.model.hit_kinds import SEARCHED

router = APIRouter(prefix="/v1/groups/{group}/search", tags=["search"])


@router.post(
    "",
    **takes("SearchIn"),
    **documented(
        "What was believed and said about a question; `explain` shows contributions that sum to each score",
        *(401, 403, 404, 409, 413, 415, 422, 503),
    ),
)
async def search(
    group: GroupPath,
    posted: Annotated[SearchIn, Depends(json_body(SearchIn))],
    principal: PrincipalDep,
    memory: MemoryDep,
    clock: ClockDep,
    settings: SettingsDep,
) -> SearchOut:
    user = principal.reads(group, posted.user)
    asked = asked_of(group, user, posted.valid_at, posted.known_at, clock(), fades=settings.fading.enabled)
    scope = replace(asked.scope, session=posted.session, open=posted.open, history=posted.include_history)
    kinds = frozenset[str](posted.kinds) if posted.kinds else SEARCHED
    standing = await memory.reader.standing(group, scope.known_at)
    filters = posted.filters(await entity_id(memory, scope, posted.entity) if posted.entity else None)
    recall = await memory.searcher.search(
        scope,
        posted.query,
        kinds=kinds,
        limit=posted.limit,
        fusion=posted.fusion,
        filters=filters,
        preferences=posted.preferences,
        why_not=posted.why_not or (),
    )
    context = asked.context(recall.entities, explain=posted.explain)
    return SearchOut.of(recall, asked, standing, hits=recall.found, context=context)
