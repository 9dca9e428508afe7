"""Pairs: why any two entities are taken for the same, or not."""

from typing import Annotated

from fastapi import APIRouter, Query

from graphmem.answers.answer import AnswerContext
from graphmem.answers.reviews import PairOut
from graphmem.api.deps import ClockDep, GroupPath, MemoryDep, UserDep
from graphmem.api.openapi import documented
from graphmem.api.schemas.words import ID_PATTERN
from graphmem.model.scope import EVERYBODY, Scope

router = APIRouter(prefix="/v1/groups/{group}/pairs", tags=["merges"])
EntityIdQuery = Annotated[str, Query(pattern=ID_PATTERN, description="The id of an entity.")]


@router.get(
    "",
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
