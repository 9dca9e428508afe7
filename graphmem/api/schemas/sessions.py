"""Sessions as shown: when they were open, and their last turns."""

from collections.abc import Sequence

from graphmem.answers.sessions import SessionOut, SessionPage, SessionWindowOut
from graphmem.api.cursors import time_cursor
from graphmem.api.deps import Asked
from graphmem.api.schemas.episodes import episode_out
from graphmem.memory.sessions import SessionWindow
from graphmem.model.session import Session


def session_out(session: Session) -> SessionOut:
    return SessionOut(
        id=session.id,
        session=session.name,
        user=session.user or None,
        agent=session.agent,
        subject=session.subject,
        opened_at=session.opened_at,
        reopened_at=session.openings[-1].opened_at if len(session.openings) > 1 else None,
        closed_at=session.closed_at,
        closed_by=session.closed_by,
    )


def session_page(asked: Asked, found: Sequence[Session], limit: int) -> SessionPage:
    """The first ``limit``, and where to go on if there are more."""
    shown = found[:limit]
    more = len(found) > limit
    return SessionPage(
        valid_at=asked.valid_at,
        known_at=asked.known_at,
        sessions=[session_out(session) for session in shown],
        next_cursor=time_cursor(shown[-1].opened_at, shown[-1].id) if more else None,
    )


def session_window(asked: Asked, found: SessionWindow) -> SessionWindowOut:
    return SessionWindowOut(
        valid_at=asked.valid_at,
        known_at=asked.known_at,
        session=session_out(found.session),
        episodes=[episode_out(stored) for stored in found.turns],
        earlier=found.total - len(found.turns),
    )
