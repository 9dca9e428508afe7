"""Jobs about all groups: what the service itself asks for by night, or after a change of its settings."""

from fastapi import APIRouter

from graphmem.answers.jobs import JobPage, OneJob
from graphmem.api.cursors import after_id
from graphmem.api.deps import CursorQuery, IdPath, LimitQuery, MemoryDep
from graphmem.api.openapi import documented
from graphmem.api.schemas.jobs import job_page
from graphmem.errors import NotFound
from graphmem.model.work import BUT_DIGESTS, SERVICE

router = APIRouter(prefix="/v1/jobs", tags=["jobs"])


@router.get(
    "",
    **documented(
        "The jobs about all groups, in order of id: what is asked for by night, and beliefs projected again after a "
        "change of the service's own policies",
        *(401, 403, 422, 503),
    ),
)
async def list_service_jobs(memory: MemoryDep, cursor: CursorQuery = None, limit: LimitQuery = 100) -> JobPage:
    return job_page(await memory.works.works(SERVICE, BUT_DIGESTS, after_id(cursor), limit + 1), limit)


@router.get(
    "/{job_id}",
    **documented("One job about all groups: how far it is, and what came of it", 401, 403, 404, 422, 503),
)
async def service_job(job_id: IdPath, memory: MemoryDep) -> OneJob:
    found = [work for work in await memory.works.works_by_id(SERVICE, [job_id]) if work.group_id == SERVICE]
    if not found:
        raise NotFound(f"There is no job {job_id!r} about all groups.")
    return OneJob.of(found[0])
