"""Sessions, and what is made of them: summaries, and reflections on weeks, as they were at any time."""

from collections.abc import Mapping
from typing import Annotated

from fastapi import Query

from graphmem.answers.answer import Joined
from graphmem.answers.episodes import SessionOut, SessionPage, SessionWindowOut
from graphmem.answers.summaries import CheckedSummary, ReflectionPage, RegeneratedSummary, SummaryPage
from graphmem.api.backend import wake
from graphmem.api.cursors import BY_TIME
from graphmem.api.deps import (
    ActorDep,
    AskedDep,
    CursorQuery,
    GroupPath,
    IdPath,
    LimitQuery,
    MemoryDep,
    QueueDep,
    ServicesDep,
    SettingsDep,
)
from graphmem.api.openapi import CallRouter
from graphmem.api.schemas.words import Name
from graphmem.derived.summarise.writing import still_believed
from graphmem.model.interval import LATEST
from graphmem.model.scope import Scope
from graphmem.model.summary import CitedBelief, StoredSummary
from graphmem.model.work import WorkKind, WorkRequest, work_id
from graphmem.store.work import request_one

sessions_router = CallRouter(prefix="/v1/groups/{group}/sessions", tags=["sessions"])
summaries_router = CallRouter(prefix="/v1/groups/{group}/summaries", tags=["sessions"])
reflections_router = CallRouter(prefix="/v1/groups/{group}/reflections", tags=["sessions"])

_CLOSING = """A session is opened by its first episode. It is closed by a call, by the same user's next session, or
after `sessions.silence_minutes` without an episode; what is of no user, only by a call and by silence. An episode opens
it again."""


@sessions_router.call("GET", "", notes=f"Two users who name their sessions alike have two. {_CLOSING}")
async def list_sessions(
    asked: AskedDep,
    memory: MemoryDep,
    name: Annotated[Name | None, Query(description="Only those of this name; each user may have one.")] = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
) -> SessionPage:
    """The sessions in which something had been said, in the order in which they were opened."""
    sessions = await memory.sessions.sessions(asked.scope, name=name, after=BY_TIME.after(cursor), limit=limit + 1)
    more = BY_TIME.after_page(sessions, limit, lambda last: (last.opened_at, last.id))
    return SessionPage.of(asked, sessions=sessions[:limit], next_cursor=more)


@sessions_router.call("GET", "/{session_id}")
async def session(
    asked: AskedDep,
    session_id: IdPath,
    memory: MemoryDep,
    settings: SettingsDep,
    window: Annotated[
        int | None, Query(ge=0, le=200, description="Turns; default: as the settings say, perhaps of its agent.")
    ] = None,
) -> SessionWindowOut:
    """One session with its last turns."""
    turns, with_some = (settings.sessions.window, settings.windows_with) if window is None else (window, {})
    return SessionWindowOut.of(await memory.sessions.session(asked.scope, session_id, turns, with_some), asked)


@sessions_router.call("POST", "/{session_id}/close", notes=_CLOSING)
async def close_session(group: GroupPath, by: ActorDep, session_id: IdPath, memory: MemoryDep) -> SessionOut:
    """Close a session; one that is closed stays as it is."""
    return SessionOut.of(await memory.sessions.close(group, session_id, by.user))


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


@summaries_router.call("GET", "")
async def list_summaries(
    asked: AskedDep,
    services: ServicesDep,
    session_id: Annotated[IdPath | None, Query(description="Only those of this session.")] = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
) -> SummaryPage:
    """The summaries of turns that had all been said at valid_at, as known at known_at, in order of their last turns.

    The turns of a session are summarised 20 at a time, once 30 are in no summary or the session is
    closed; in sessions of 100 turns and more, summaries are summarised 5 at a time. All numbers are settings.
    """
    after = BY_TIME.after(cursor)
    summaries = await services.summaries.summaries(asked.scope, session_id=session_id, after=after, limit=limit + 1)
    cited = await services.summaries.cited(asked.scope, summaries)
    return SummaryPage.of(
        asked,
        summaries=[checked_summary(summary.as_known(asked.known_at), cited) for summary in summaries[:limit]],
        next_cursor=BY_TIME.after_page(summaries, limit, lambda summary: (summary.last.occurred_at, summary.id)),
    )


@summaries_router.call("POST", "/{summary_id}/regenerate", status=202)
async def regenerate_summary(
    group: GroupPath, by: ActorDep, summary_id: IdPath, services: ServicesDep, queue: QueueDep
) -> RegeneratedSummary:
    """Have a summary made again; the version that stands is shown as stale until then."""
    summary = await services.summaries.regenerate(group, summary_id, by.user)
    request = WorkRequest(id=work_id(WorkKind.SUMMARISE, group), anew=False, again=True)
    work = await request_one(services.memory.works, group, WorkKind.SUMMARISE, request)
    cited = await services.summaries.cited(Scope(group, LATEST, user=by.user), [summary])
    return RegeneratedSummary.of(
        summary=checked_summary(summary, cited),
        job=work if by.user is None else None,
        queued=await wake(queue, group),
    )


@reflections_router.call("GET", "")
async def list_reflections(
    asked: AskedDep, services: ServicesDep, cursor: CursorQuery = None, limit: LimitQuery = 100
) -> ReflectionPage:
    """The reflections on weeks that had ended at valid_at, as known at known_at, in the order in which these ended.

    On Sunday at 03:00 UTC each group gets one on the 7 days before, if at least 3 memories are new, and
    so does each user of whom one is. All numbers are settings. The job `reflect` makes them at other times.
    """
    after = BY_TIME.after(cursor)
    reflections = await services.reflections.reflections(asked.scope, after=after, limit=limit + 1)
    more = BY_TIME.after_page(reflections, limit, lambda reflection: (reflection.week.until, reflection.id))
    return ReflectionPage.of(asked, reflections=reflections[:limit], next_cursor=more, context=asked.context())
