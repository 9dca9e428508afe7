"""Merges: who is the same, by hand and computed, and taken back."""

from collections.abc import Iterable
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import JSONResponse

from graphmem.answers.answer import AnswerContext
from graphmem.answers.merges import Merged, MergePage, OneMerge, Remerged
from graphmem.api.bodies import json_body
from graphmem.api.cursors import after_time, time_cursor
from graphmem.api.deps import (
    ActorDep,
    AskedDep,
    CursorQuery,
    GroupPath,
    IdPath,
    LimitQuery,
    MemoryDep,
    PrincipalDep,
    QueueDep,
    StandingDep,
    UserDep,
)
from graphmem.api.leaving import LEFT_TO_WORKER, left_to_worker
from graphmem.api.openapi import documented, takes
from graphmem.api.schemas.merges import MergeIn, RevertIn, readable_merges, remerged
from graphmem.identity.merging import tie
from graphmem.memory import Memory
from graphmem.model.damage import must_be_read
from graphmem.model.interval import LATEST
from graphmem.model.merge import Merge
from graphmem.model.scope import EVERYBODY, Scope
from graphmem.model.work import Work

router = APIRouter(prefix="/v1/groups/{group}/merges", tags=["merges"])


@router.post(
    "",
    **takes("MergeIn"),
    **documented(
        "Decide that two entities are the same; claims stay where they are, so that it can be taken back",
        *(401, 403, 404, 409, 413, 415, 422, 503),
        status=201,
        also=LEFT_TO_WORKER,
    ),
    response_model=Merged,
)
async def post_merge(
    group: GroupPath,
    body: Annotated[MergeIn, Depends(json_body(MergeIn))],
    principal: PrincipalDep,
    memory: MemoryDep,
    queue: QueueDep,
) -> Merged | JSONResponse:
    (first, second), user = body.entities, principal.writes(group, body.user)
    opinion = await memory.merging.same(group, first, second, reason=body.reason, user=user or EVERYBODY)
    done = await memory.decisions.decide(group, opinion)
    if isinstance(done, Work):
        return await left_to_worker(queue, done)
    merge, scope = tie(done, opinion), Scope(group, LATEST, user=user)
    done = done.seen_by(scope.audience)
    context = await _context(memory, scope, [merge, *done.opened, *done.closed])
    must_be_read(merge.named, context.entity_of)
    return Merged.of(remerged(done, context), merge=merge, context=context)


@router.get(
    "",
    **documented(
        "The merges in force at known_at, in order of (recorded_at, id)",
        *(401, 403, 404, 422, 503),
    ),
)
async def list_merges(
    standing: StandingDep, asked: AskedDep, memory: MemoryDep, cursor: CursorQuery = None, limit: LimitQuery = 100
) -> MergePage:
    found = await memory.merging.merges(asked.scope, after=after_time(cursor), limit=limit + 1)
    context = await _context(memory, asked.scope, found)
    last = found[limit - 1] if len(found) > limit else None
    more = time_cursor(last.recorded_at, last.id) if last else None
    merges = readable_merges(found[:limit], context)
    return MergePage.of(asked, standing, merges=merges, next_cursor=more, context=context)


@router.get(
    "/{merge_id}",
    **documented("One merge, in force or not any more", 401, 403, 404, 422, 503),
)
async def one_merge(group: GroupPath, merge_id: IdPath, user: UserDep, memory: MemoryDep) -> OneMerge:
    merge = await memory.access.merge(group, merge_id, user)
    context = await _context(memory, Scope(group, LATEST, user=user), [merge])
    must_be_read(merge.named, context.entity_of)
    return OneMerge.of(merge, context=context)


@router.post(
    "/{merge_id}/revert",
    **takes("RevertIn"),
    **documented(
        "Take a merge back: its pair is different from now on, and both are what they were",
        *(401, 403, 404, 409, 413, 415, 422, 503),
        also=LEFT_TO_WORKER,
    ),
    description="""Of a short name, what it means in that session is taken back; elsewhere it means whom it did. With
`user`, only what holds in that user's memory alone can be taken back: for a merge that holds for everybody the answer
is 409.""",
    response_model=Remerged,
)
async def revert_merge(
    group: GroupPath,
    merge_id: IdPath,
    body: Annotated[RevertIn, Depends(json_body(RevertIn))],
    user: ActorDep,
    memory: MemoryDep,
    queue: QueueDep,
) -> Remerged | JSONResponse:
    opinion = await memory.merging.undo(group, merge_id, reason=body.reason, user=user)
    done = await memory.decisions.decide(group, opinion)
    if isinstance(done, Work):
        return await left_to_worker(queue, done)
    scope = Scope(group, LATEST, user=user)
    done = done.seen_by(scope.audience)
    return remerged(done, await _context(memory, scope, [*done.opened, *done.closed]))


async def _context(memory: Memory, scope: Scope, merges: Iterable[Merge]) -> AnswerContext:
    """With all that these merges name."""
    named = await memory.merging.named(scope, {id_ for merge in merges for id_ in merge.named})
    return AnswerContext(entities=named.values())
