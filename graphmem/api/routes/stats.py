"""How much a memory holds, by layer, category and age."""

from fastapi import APIRouter

from graphmem.answers.stats import MemoryStatsOut
from graphmem.api.deps import AskedDep, MemoryDep, StandingDep
from graphmem.api.openapi import documented

router = APIRouter(prefix="/v1/groups/{group}/memory", tags=["groups"])


@router.get(
    "/stats",
    **documented(
        "How much is remembered: by layer, category and age; what has faded or is stale, and what was used last",
        *(401, 403, 404, 422, 503),
    ),
    description="Beliefs are counted one by one, which takes long in a large group.",
)
async def memory_stats(standing: StandingDep, asked: AskedDep, memory: MemoryDep) -> MemoryStatsOut:
    return MemoryStatsOut.of(await memory.reader.stats(asked.scope), asked, standing)
