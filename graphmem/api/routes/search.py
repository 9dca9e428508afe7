"""Search: full text and vectors over beliefs and episodes, at a point in time."""

from typing import Annotated

from fastapi import APIRouter, Depends

from graphmem.api import examples
from graphmem.api.bodies import json_body
from graphmem.api.deps import ClockDep, GroupPath, MemoryDep, when_of
from graphmem.api.openapi import documented, takes
from graphmem.api.schemas.beliefs import SearchIn, SearchOut, search_out
from graphmem.memory.recall import KINDS

router = APIRouter(prefix="/v1/groups/{group}/search", tags=["search"])


@router.post(
    "",
    **takes("SearchIn", examples.SEARCH_IN),
    **documented(
        "What was believed and said about a question; `explain` shows contributions that sum to each score",
        examples.SEARCH,
        *(401, 403, 404, 409, 413, 415, 422, 503),
    ),
)
async def search(
    group: GroupPath, asked: Annotated[SearchIn, Depends(json_body(SearchIn))], memory: MemoryDep, clock: ClockDep
) -> SearchOut:
    when = when_of(asked.valid_at, asked.known_at, clock())
    kinds = frozenset[str](asked.kinds) if asked.kinds else KINDS
    settled = await memory.reader.settled(group, when.point.known_at)
    recall = await memory.searcher.search(group, when.point, asked.query, kinds=kinds, limit=asked.limit)
    return search_out(recall, when.valid_at, when.known_at, settled=settled, explain=asked.explain)
