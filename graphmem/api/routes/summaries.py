"""Summaries of sessions and reflections on weeks, as they were at any time; summaries made again."""

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Query

from graphmem.answers.answer import Joined
from graphmem.answers.summaries import CheckedSummary, ReflectionPage, RegeneratedSummary, SummaryPage
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
    ReflectionsDep,
    SummariesDep,
)
from graphmem.api.openapi import documented
from graphmem.derived.summarise.changes import still_believed
from graphmem.model.interval import LATEST
from graphmem.model.scope import Scope
from graphmem.model.summary import CitedBelief, StoredSummary
from graphmem.model.work import WorkKind, WorkRequest, work_id
from graphmem.store.work import request_one


def checked_summary(summary: StoredSummary, cited: Mapping[str, CitedBelief]) -> CheckedSummary:
    """``cited`` by the ids of rows: how the beliefs stand."""
    sentences = list(zip(summary.text.lines, summary.text.sentences, strict=True))
    beliefs = {belief for _, sentence in sentences for belief in sentence.all_beliefs}
    standing = {belief.belief_id for belief in cited.values() if belief.believed}
    return CheckedSummary.of(
        summary,
        still_believed=still_believed(beliefs, standing) if beliefs else None,
        contradicted=[
            Joined(belief, text=line)
            for line, sentence in sentences
            for row in sorted(sentence.all_rows)
            if (belief := cited.get(row)) and belief.contradicted_by
        ],
    )


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


reflections_router = APIRouter(prefix="/v1/groups/{group}/reflections", tags=["reflections"])


@reflections_router.get(
    "",
    **documented(
        "The reflections on weeks that had ended at valid_at, as known at known_at, in the order in which these ended",
        *(401, 403, 404, 422, 503),
    ),
    description="""On Sunday at 03:00 UTC each group gets one on the 7 days before, if at least 3 memories are new, and
so does each user of whom one is. All numbers are settings. The job `reflect` makes them at other times.""",
)
async def list_reflections(
    asked: AskedDep, reflections: ReflectionsDep, cursor: CursorQuery = None, limit: LimitQuery = 100
) -> ReflectionPage:
    found = await reflections.reflections(asked.scope, after=after_time(cursor), limit=limit + 1)
    last = found[limit - 1] if len(found) > limit else None
    more = last and time_cursor(last.week.until, last.id)
    return ReflectionPage.of(asked, reflections=found[:limit], next_cursor=more, context=asked.context())
