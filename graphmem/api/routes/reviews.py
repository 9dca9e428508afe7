"""Reviews: pairs that may be the same, for somebody to decide."""

from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import JSONResponse

from graphmem.answers.answer import AnswerContext
from graphmem.answers.merges import Remerged
from graphmem.answers.reviews import ReviewInFull, ReviewPage
from graphmem.api.bodies import json_body
from graphmem.api.cursors import after_score, score_cursor
from graphmem.api.deps import (
    ActorDep,
    ClockDep,
    CursorQuery,
    GroupPath,
    IdPath,
    LimitQuery,
    MemoryDep,
    QueueDep,
    UserDep,
)
from graphmem.api.leaving import LEFT_TO_WORKER, left_to_worker
from graphmem.api.openapi import documented, takes
from graphmem.api.schemas.merges import remerged
from graphmem.api.schemas.reviews import DecisionIn
from graphmem.model.interval import LATEST
from graphmem.model.matching import Verdict
from graphmem.model.scope import Scope
from graphmem.model.work import Work

router = APIRouter(prefix="/v1/groups/{group}/reviews", tags=["merges"])


@router.get(
    "",
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
    "/{review_id}",
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
    "/{review_id}",
    **takes("DecisionIn"),
    **documented(
        "Say whether a pair is the same; it is not asked about again",
        *(401, 403, 404, 409, 413, 415, 422, 503),
        also=LEFT_TO_WORKER,
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
    done = await memory.decisions.decide(group, opinion)
    if isinstance(done, Work):
        return await left_to_worker(queue, done)
    scope = Scope(group, LATEST, user=user)
    done = done.seen_by(scope.audience)
    ids = {id_ for merge in (*done.opened, *done.closed) for id_ in merge.named}
    named = await memory.merging.named(scope, ids)
    return remerged(done, AnswerContext(entities=named.values()))
