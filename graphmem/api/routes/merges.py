"""Who is the same: merges, by hand and computed; pairs for somebody to decide; sources that tell of a thing once."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import Field
from starlette.responses import JSONResponse

from graphmem.answers.answer import AnswerContext
from graphmem.answers.entities import Merged, MergePage, OneMerge, PairOut, Remerged, ReviewInFull, ReviewPage
from graphmem.answers.groups import AskedJob
from graphmem.api.backend import WorkQueue, wake
from graphmem.api.bodies import json_body
from graphmem.api.cursors import BY_SCORE, BY_TIME
from graphmem.api.deps import (
    AskedDep,
    ClockDep,
    CursorQuery,
    DeciderDep,
    GroupPath,
    IdPath,
    LimitQuery,
    MemoryDep,
    QueueDep,
    StandingDep,
    UserDep,
    decided_body,
)
from graphmem.api.openapi import CallRouter
from graphmem.api.schemas.words import ID_PATTERN, Id, Name, Request, ShortText
from graphmem.identity.merging import tie
from graphmem.memory import Memory
from graphmem.model.damage import must_be_read
from graphmem.model.interval import LATEST
from graphmem.model.matching import Verdict
from graphmem.model.merge import Merge, Opinion
from graphmem.model.scope import EVERYBODY, Scope
from graphmem.model.work import Work
from graphmem.store.change.moves import Reidentified

_LEFT_TO_WORKER: dict[int, dict[str, Any]] = {
    202: {
        "description": "More than 1,000 claims move, so a worker carries it out: the job shows what came of it",
        "model": AskedJob,
    }
}


class MergeIn(Request):
    """Two entities that are the same, and why; for everybody, or in one user's memory."""

    entities: Annotated[list[Id], Field(min_length=2, max_length=2)]
    reason: ShortText
    user: Name | None = None


class RevertIn(Request):
    """Why the two are different."""

    reason: ShortText


router = CallRouter(prefix="/v1/groups/{group}", tags=["merges"])


_BY_WHOM = """Of a short name, what it means in that session is taken back; elsewhere it means whom it did. With
`user`, only what holds in that user's memory alone can be taken back: for a merge that holds for everybody the answer
is 409."""


@router.call("POST", "/merges", 409, takes=MergeIn, status=201, also=_LEFT_TO_WORKER, response_model=Merged)
async def post_merge(
    group: GroupPath, body: Annotated[MergeIn, decided_body(MergeIn)], memory: MemoryDep, queue: QueueDep
) -> Merged | JSONResponse:
    """Decide that two entities are the same; claims stay where they are, so that it can be taken back."""
    opinion = await memory.merging.same(group, *body.entities, reason=body.reason, user=body.user or EVERYBODY)
    done = await memory.decisions.decide(group, opinion)
    if isinstance(done, Work):
        return await _left_to_worker(queue, done)
    merge, scope = tie(done, opinion), Scope(group, LATEST, user=body.user)
    done = done.seen_by(scope.audience)
    context = await _context(memory, scope, [merge, *done.opened, *done.closed])
    must_be_read(merge.named, context.entity_of)
    return Merged.of(_remerged(done, context), merge=merge, context=context)


@router.call("GET", "/merges")
async def list_merges(
    standing: StandingDep, asked: AskedDep, memory: MemoryDep, cursor: CursorQuery = None, limit: LimitQuery = 100
) -> MergePage:
    """The merges in force at known_at, in order of (recorded_at, id)."""
    merges = await memory.merging.merges(asked.scope, after=BY_TIME.after(cursor), limit=limit + 1)
    context = await _context(memory, asked.scope, merges)
    return MergePage.of(
        asked,
        standing,
        merges=_readable_merges(merges[:limit], context),
        next_cursor=BY_TIME.after_page(merges, limit, lambda merge: (merge.recorded_at, merge.id)),
        context=context,
    )


@router.call("GET", "/merges/{merge_id}")
async def one_merge(group: GroupPath, merge_id: IdPath, user: UserDep, memory: MemoryDep) -> OneMerge:
    """One merge, in force or not any more."""
    merge = await memory.access.merge(group, merge_id, user)
    context = await _context(memory, Scope(group, LATEST, user=user), [merge])
    must_be_read(merge.named, context.entity_of)
    return OneMerge.of(merge, context=context)


@router.call(
    "POST",
    "/merges/{merge_id}/revert",
    409,
    takes=RevertIn,
    also=_LEFT_TO_WORKER,
    notes=_BY_WHOM,
    response_model=Remerged,
)
async def revert_merge(
    group: GroupPath,
    merge_id: IdPath,
    body: Annotated[RevertIn, json_body(RevertIn)],
    user: DeciderDep,
    memory: MemoryDep,
    queue: QueueDep,
) -> Remerged | JSONResponse:
    """Take a merge back: its pair is different from now on, and both are what they were."""
    opinion = await memory.merging.undo(group, merge_id, reason=body.reason, user=user)
    return await _decided(memory, queue, group, opinion, user)


class DecisionIn(Request):
    """Whether the two are the same, and why."""

    verdict: Literal["same", "different"]
    reason: ShortText


@router.call("GET", "/reviews")
async def list_reviews(
    group: GroupPath, user: UserDep, memory: MemoryDep, cursor: CursorQuery = None, limit: LimitQuery = 100
) -> ReviewPage:
    """Pairs that may be the same, those that look most alike first, for somebody to decide."""
    scope = Scope(group, LATEST, user=user)
    opinions = await memory.merging.reviews(scope, after=BY_SCORE.after(cursor), limit=limit + 1)
    entities = await memory.merging.named(scope, {id_ for opinion in opinions for id_ in opinion.judgement.pair})
    return ReviewPage.of(
        reviews=[opinion for opinion in opinions[:limit] if entities.keys() >= set(opinion.judgement.pair)],
        next_cursor=BY_SCORE.after_page(opinions, limit, lambda opinion: (opinion.judgement.score, opinion.id)),
        context=AnswerContext(entities=entities.values()),
    )


@router.call("GET", "/reviews/{review_id}")
async def one_review(
    group: GroupPath, review_id: IdPath, user: UserDep, memory: MemoryDep, clock: ClockDep
) -> ReviewInFull:
    """One pair: what is thought of it, and why, and what is known of both."""
    opinion = await memory.access.review(group, review_id, user)
    both = await memory.merging.side_by_side(Scope(group, clock(), user=user), *opinion.judgement.pair)
    return ReviewInFull.of(opinion, both, context=AnswerContext(entities=both.entities))


@router.call("POST", "/reviews/{review_id}", 409, takes=DecisionIn, also=_LEFT_TO_WORKER, response_model=Remerged)
async def decide(
    group: GroupPath,
    review_id: IdPath,
    body: Annotated[DecisionIn, json_body(DecisionIn)],
    user: DeciderDep,
    memory: MemoryDep,
    queue: QueueDep,
) -> Remerged | JSONResponse:
    """Say whether a pair is the same; it is not asked about again.

    A review whose `user` is null asks everybody and is answered without a `user`; with one it is refused
    (409). One of a user is answered for that user.
    """
    opinion = await memory.merging.answer(group, review_id, Verdict(body.verdict), reason=body.reason, user=user)
    return await _decided(memory, queue, group, opinion, user)


EntityIdQuery = Annotated[str, Query(pattern=ID_PATTERN, description="The id of an entity.")]


@router.call("GET", "/pairs")
async def pair(
    group: GroupPath, first: EntityIdQuery, second: EntityIdQuery, user: UserDep, memory: MemoryDep, clock: ClockDep
) -> PairOut:
    """Why two entities are taken for the same, or why not, from what the reader may know: everybody, or the `user`."""
    await memory.reader.known_group(group)
    explained = await memory.judging.explain(group, first, second, user or EVERYBODY)
    both = await memory.merging.side_by_side(Scope(group, clock(), user=user), *explained.judgement.pair)
    return PairOut.of(explained, explained.judgement, both, context=AnswerContext(entities=both.entities))


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
        _readable_merges(sorted(of, key=lambda merge: merge.id), context) for of in (done.opened, done.closed)
    )
    return Remerged.of(done, opened=opened, closed=closed, context=context)


def _readable_merges(merges: Iterable[Merge], context: AnswerContext) -> list[Merge]:
    """The merges of which all entities could be read."""
    return [merge for merge in merges if merge.named <= context.entity_of.keys()]


async def _context(memory: Memory, scope: Scope, merges: Iterable[Merge]) -> AnswerContext:
    """With all that these merges name."""
    named = await memory.merging.named(scope, {id_ for merge in merges for id_ in merge.named})
    return AnswerContext(entities=named.values())
