"""Summaries of sessions, as they were at any time, and made again."""

from typing import Annotated

from fastapi import APIRouter, Query

from graphmem.answers.summaries import RegeneratedSummary, SummaryPage
from graphmem.api.backend import wake
from graphmem.api.cursors import after_time, time_cursor
from graphmem.api.deps import (
    ActorDep,
    AskedDep,
    CursorQuery,
    GroupPath,
    IdPath,
    LimitQuery,
    MemoryDep,
    QueueDep,
    SummariesDep,
)
from graphmem.api.openapi import documented
from graphmem.api.schemas.summaries import checked_summary
from graphmem.model.interval import LATEST
from graphmem.model.scope import Scope
from graphmem.model.work import WorkKind, WorkRequest, work_id
from graphmem.store.work import request_one

router = APIRouter(prefix="/v1/groups/{group}/summaries", tags=["summaries"])


@router.get(
    "",
    **documented(
        "The summaries of turns that had all been said at valid_at, as known at known_at, in order of their last turns",
        *(401, 403, 404, 422, 503),
    ),
    description="""The turns of a session are summarised 20 at a time, once 30 are in no summary or the session is
closed; in sessions of 100 turns and more, summaries are summarised 5 at a time. All numbers are settings.""",
)
async def list_summaries(
    asked: AskedDep,
    summaries: SummariesDep,
    session_id: Annotated[IdPath | None, Query(description="Only those of this session.")] = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
) -> SummaryPage:
    found = await summaries.summaries(asked.scope, session_id=session_id, after=after_time(cursor), limit=limit + 1)
    cited = await summaries.cited(asked.scope, found)
    last = found[limit - 1] if len(found) > limit else None
    return SummaryPage.of(
        asked,
        summaries=[checked_summary(summary.as_known(asked.known_at), cited) for summary in found[:limit]],
        next_cursor=last and time_cursor(last.last.occurred_at, last.id),
    )


@router.post(
    "/{summary_id}/regenerate",
    **documented(
        "Have a summary made again; the version that stands is shown as stale until then",
        *(401, 403, 404, 422, 503),
        status=202,
    ),
)
async def regenerate_summary(
    group: GroupPath,
    user: ActorDep,
    summary_id: IdPath,
    summaries: SummariesDep,
    memory: MemoryDep,
    queue: QueueDep,
) -> RegeneratedSummary:
    summary = await summaries.regenerate(group, summary_id, user)
    request = WorkRequest(id=work_id(WorkKind.SUMMARISE, group), anew=False, again=True)
    work = await request_one(memory.works, group, WorkKind.SUMMARISE, request)
    cited = await summaries.cited(Scope(group, LATEST, user=user), [summary])
    return RegeneratedSummary.of(
        summary=checked_summary(summary, cited),
        job=work if user is None else None,
        queued=await wake(queue, group),
    )
