"""Sessions: one user's conversations, when they were open, and their last turns."""

from typing import Annotated

from fastapi import APIRouter, Query

from graphmem.answers.episodes import SessionOut, SessionPage, SessionWindowOut
from graphmem.api.cursors import after_time, time_cursor
from graphmem.api.deps import ActorDep, AskedDep, CursorQuery, GroupPath, IdPath, LimitQuery, MemoryDep, SettingsDep
from graphmem.api.openapi import documented
from graphmem.api.schemas.words import Name

router = APIRouter(prefix="/v1/groups/{group}/sessions", tags=["sessions"])

_CLOSING = """A session is opened by its first episode. It is closed by a call, by the same user's next session, or
after `sessions.silence_minutes` without an episode; what is of no user, only by a call and by silence. An episode opens
it again."""


@router.get(
    "",
    **documented(
        "The sessions in which something had been said, in the order in which they were opened",
        *(401, 403, 404, 422, 503),
    ),
    description="Two users who name their sessions alike have two. " + _CLOSING,
)
async def list_sessions(
    asked: AskedDep,
    memory: MemoryDep,
    name: Annotated[Name | None, Query(description="Only those of this name; each user may have one.")] = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
) -> SessionPage:
    found = await memory.sessions.sessions(asked.scope, name=name, after=after_time(cursor), limit=limit + 1)
    last = found[limit - 1] if len(found) > limit else None
    more = last and time_cursor(last.opened_at, last.id)
    return SessionPage.of(asked, sessions=found[:limit], next_cursor=more)


@router.get(
    "/{session_id}",
    **documented("One session with its last turns", 401, 403, 404, 422, 503),
)
async def session(
    asked: AskedDep,
    session_id: IdPath,
    memory: MemoryDep,
    settings: SettingsDep,
    window: Annotated[
        int | None, Query(ge=0, le=200, description="Turns; default: as the settings say, perhaps of its agent.")
    ] = None,
) -> SessionWindowOut:
    if window is not None:
        return SessionWindowOut.of(await memory.sessions.session(asked.scope, session_id, window), asked)
    of_all, with_some = settings.sessions.window, settings.windows_with
    found = await memory.sessions.session(asked.scope, session_id, of_all, with_some)
    return SessionWindowOut.of(found, asked)


@router.post(
    "/{session_id}/close",
    **documented("Close a session; one that is closed stays as it is", 401, 403, 404, 422, 503),
    description=_CLOSING,
)
async def close_session(group: GroupPath, user: ActorDep, session_id: IdPath, memory: MemoryDep) -> SessionOut:
    return SessionOut.of(await memory.sessions.close(group, session_id, user))
