"""Who is the same: merges, by hand and computed; pairs for somebody to decide; sources that tell of a thing once."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query
from pydantic import Field
from starlette.responses import JSONResponse

from graphmem.answers.answer import AnswerContext
from graphmem.answers.entities import Merged, MergePage, OneMerge, PairOut, Remerged, ReviewInFull, ReviewPage
from graphmem.answers.groups import AskedJob, SourceList, SourceOut
from graphmem.api.backend import WorkQueue, wake
from graphmem.api.bodies import json_body
from graphmem.api.cursors import after_score, after_time, score_cursor, time_cursor
from graphmem.api.deps import (
    ActorDep,
    AdministeredGroup,
    AskedDep,
    ClockDep,
    CursorQuery,
    EnteredGroup,
    GroupPath,
    IdPath,
    LimitQuery,
    MemoryDep,
    PrincipalDep,
    QueueDep,
    StandingDep,
    UserDep,
)
from graphmem.api.openapi import documented, takes
from graphmem.api.schemas.words import ID_PATTERN, Name, Request, ShortText
from graphmem.identity.merging import tie
from graphmem.memory import Memory
from graphmem.model.damage import must_be_read
from graphmem.model.interval import LATEST
from graphmem.model.matching import Verdict
from graphmem.model.merge import Merge, Opinion
from graphmem.model.scope import EVERYBODY, Scope
from graphmem.model.work import Work
from graphmem.store.change.moves import Reidentified

_LEFT_TO_WORKER: dict[int | str, dict[str, Any]] = {
    202: {
        "description": "More than 1,000 claims move, so a worker carries it out: the job shows what came of it",
        "model": AskedJob,
    }
}


class MergeIn(Request):
    """Two entities that are the same, and why; for everybody, or in one user's memory."""

    entities: Annotated[list[Annotated[str, Field(pattern=ID_PATTERN)]], Field(min_length=2, max_length=2)]
    reason: ShortText
    user: Name | None = None


class RevertIn(Request):
    """Why the two are different."""

    reason: ShortText


router = APIRouter(prefix="/v1/groups/{group}", tags=["merges"])


@router.post(
    "/merges",
    **takes(MergeIn),
    **documented(
        "Decide that two entities are the same; claims stay where they are, so that it can be taken back",
        *(401, 403, 404, 409, 413, 415, 422, 503),
        status=201,
        also=_LEFT_TO_WORKER,
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
        return await _left_to_worker(queue, done)
    merge, scope = tie(done, opinion), Scope(group, LATEST, user=user)
    done = done.seen_by(scope.audience)
    context = await _context(memory, scope, [merge, *done.opened, *done.closed])
    must_be_read(merge.named, context.entity_of)
    return Merged.of(_remerged(done, context), merge=merge, context=context)


@router.get(
    "/merges",
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
    merges = _readable_merges(found[:limit], context)
    return MergePage.of(asked, standing, merges=merges, next_cursor=more, context=context)


@router.get(
    "/merges/{merge_id}",
    **documented("One merge, in force or not any more", 401, 403, 404, 422, 503),
)
async def one_merge(group: GroupPath, merge_id: IdPath, user: UserDep, memory: MemoryDep) -> OneMerge:
    merge = await memory.access.merge(group, merge_id, user)
    context = await _context(memory, Scope(group, LATEST, user=user), [merge])
    must_be_read(merge.named, context.entity_of)
    return OneMerge.of(merge, context=context)


@router.post(
    "/merges/{merge_id}/revert",
    **takes(RevertIn),
    **documented(
        "Take a merge back: its pair is different from now on, and both are what they were",
        *(401, 403, 404, 409, 413, 415, 422, 503),
        also=_LEFT_TO_WORKER,
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
    return await _decided(memory, queue, group, opinion, user)


class DecisionIn(Request):
    """Whether the two are the same, and why."""

    verdict: Literal["same", "different"]
    reason: ShortText


@router.get(
    "/reviews",
    **documented(
        "Pairs that may be the same, those that look most alike first, for somebody to decide",
        *(401, 403, 404, 422, 503),
    ),
)
async def list_reviews(
    group: GroupPath, user: UserDep, memory: MemoryDep, cursor: CursorQuery = None, limit: LimitQuery = 100
) -> ReviewPage:
    scope = Scope(group, LATEST, user=user)
    found = await memory.merging.reviews(scope, after=after_score(cursor), limit=limit + 1)
    entities = await memory.merging.named(scope, {id_ for one in found for id_ in one.judgement.pair})
    last = found[limit - 1] if len(found) > limit else None
    return ReviewPage.of(
        reviews=[opinion for opinion in found[:limit] if entities.keys() >= set(opinion.judgement.pair)],
        next_cursor=score_cursor(last.judgement.score, last.id) if last else None,
        context=AnswerContext(entities=entities.values()),
    )


@router.get(
    "/reviews/{review_id}",
    **documented(
        "One pair: what is thought of it, and why, and what is known of both",
        *(401, 403, 404, 422, 503),
    ),
)
async def one_review(
    group: GroupPath, review_id: IdPath, user: UserDep, memory: MemoryDep, clock: ClockDep
) -> ReviewInFull:
    opinion = await memory.access.review(group, review_id, user)
    both = await memory.merging.side_by_side(Scope(group, clock(), user=user), *opinion.judgement.pair)
    return ReviewInFull.of(opinion, both, context=AnswerContext(entities=both.entities))


@router.post(
    "/reviews/{review_id}",
    **takes(DecisionIn),
    **documented(
        "Say whether a pair is the same; it is not asked about again",
        *(401, 403, 404, 409, 413, 415, 422, 503),
        also=_LEFT_TO_WORKER,
    ),
    description="""A review whose `user` is null asks everybody and is answered without a `user`; with one it is refused
(409). One of a user is answered for that user.""",
    response_model=Remerged,
)
async def decide(
    group: GroupPath,
    review_id: IdPath,
    body: Annotated[DecisionIn, Depends(json_body(DecisionIn))],
    user: ActorDep,
    memory: MemoryDep,
    queue: QueueDep,
) -> Remerged | JSONResponse:
    opinion = await memory.merging.answer(group, review_id, Verdict(body.verdict), reason=body.reason, user=user)
    return await _decided(memory, queue, group, opinion, user)


EntityIdQuery = Annotated[str, Query(pattern=ID_PATTERN, description="The id of an entity.")]


@router.get(
    "/pairs",
    **documented(
        "Why two entities are taken for the same, or why not, from what the reader may know: everybody, or the `user`",
        *(401, 403, 404, 422, 503),
    ),
)
async def pair(
    group: GroupPath, first: EntityIdQuery, second: EntityIdQuery, user: UserDep, memory: MemoryDep, clock: ClockDep
) -> PairOut:
    await memory.reader.known_group(group)
    found = await memory.judging.explain(group, first, second, user or EVERYBODY)
    both = await memory.merging.side_by_side(Scope(group, clock(), user=user), *found.judgement.pair)
    return PairOut.of(found, found.judgement, both, context=AnswerContext(entities=both.entities))


class SourceIn(Request):
    """``unique``: the source tells of each thing once, so that two ids of it are never one thing."""

    unique: bool


SourcePath = Annotated[Name, Path(description="A source, as claims have it.", examples=["crm"])]


@router.get("/sources", **documented("The sources that tell of each thing once", 401, 403, 404, 422, 503))
async def list_sources(group: EnteredGroup, memory: MemoryDep) -> SourceList:
    await memory.reader.known_group(group)
    found = await memory.matching.unique_sources(group)
    return SourceList(sources=[SourceOut(name=name, unique=True) for name in found])


@router.put(
    "/sources/{source:path}",
    **takes(SourceIn),
    **documented(
        "Say whether a source tells of each thing once; two ids of such a source are never one thing",
        *(401, 403, 404, 413, 415, 422, 503),
    ),
)
async def put_source(
    group: AdministeredGroup,
    source: SourcePath,
    body: Annotated[SourceIn, Depends(json_body(SourceIn))],
    memory: MemoryDep,
) -> SourceOut:
    await memory.reader.known_group(group)
    await memory.matching.set_unique_source(group, source, unique=body.unique)
    return SourceOut(name=source, unique=body.unique)


async def _decided(
    memory: Memory, queue: WorkQueue, group: str, opinion: Opinion, user: str | None
) -> Remerged | JSONResponse:
    """What a decision changed, as far as the user may see it; or the job that carries it out."""
    done = await memory.decisions.decide(group, opinion)
    if isinstance(done, Work):
        return await _left_to_worker(queue, done)
    scope = Scope(group, LATEST, user=user)
    done = done.seen_by(scope.audience)
    return _remerged(done, await _context(memory, scope, [*done.opened, *done.closed]))


async def _left_to_worker(queue: WorkQueue, work: Work) -> JSONResponse:
    """The job that carries a decision out, of which workers are told."""
    asked = AskedJob.of(job=work, queued=await wake(queue, work.group_id))
    return JSONResponse(asked.model_dump(mode="json"), HTTPStatus.ACCEPTED)


def _remerged(done: Reidentified, context: AnswerContext) -> Remerged:
    opened, closed = (
        _readable_merges(sorted(of, key=lambda one: one.id), context) for of in (done.opened, done.closed)
    )
    return Remerged.of(done, opened=opened, closed=closed, context=context)


def _readable_merges(merges: Iterable[Merge], context: AnswerContext) -> list[Merge]:
    """The merges of which all entities could be read."""
    return [merge for merge in merges if merge.named <= context.entity_of.keys()]


async def _context(memory: Memory, scope: Scope, merges: Iterable[Merge]) -> AnswerContext:
    """With all that these merges name."""
    named = await memory.merging.named(scope, {id_ for merge in merges for id_ in merge.named})
    return AnswerContext(entities=named.values())
