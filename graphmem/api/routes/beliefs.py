"""Beliefs: what one rests on."""

from typing import Annotated

from fastapi import APIRouter, Query

from graphmem.answers.grounds import GroundsOut
from graphmem.api.cursors import after_time, time_cursor
from graphmem.api.deps import AskedDep, CursorQuery, IdPath, MemoryDep, StandingDep
from graphmem.api.openapi import documented

router = APIRouter(prefix="/v1/groups/{group}/beliefs", tags=["graph"])


@router.get(
    "/{belief_id}/evidence",
    **documented(
        "The claims behind a belief, down to characters, and their episodes; by its id or its belief_id",
        *(401, 403, 404, 422, 503),
    ),
    description="""With a `belief_id` it is the last version recorded by `known_at`; with an `id`, that version.
Retracted claims are shown too, with `retracted_at`. `valid_at`, if given, keeps the claims that speak of that time.""",
)
async def evidence(
    belief_id: IdPath,
    standing: StandingDep,
    asked: AskedDep,
    memory: MemoryDep,
    cursor: CursorQuery = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> GroundsOut:
    grounds = await memory.reader.evidence(
        asked.scope,
        belief_id,
        valid_at=asked.given_valid_at,
        after=after_time(cursor),
        limit=limit,
    )
    more = None if grounds.complete else time_cursor(grounds.claims[-1].said_at, grounds.claims[-1].id)
    return GroundsOut.of(
        grounds,
        standing,
        valid_at=asked.given_valid_at,
        known_at=asked.known_at,
        next_cursor=more,
        context=asked.context(grounds.entities),
    )
