"""Sessions as shown: when they were open, and their last turns."""

from collections.abc import Sequence
from datetime import datetime

from graphmem.api.cursors import time_cursor
from graphmem.api.deps import Asked
from graphmem.api.schemas.episodes import EpisodeOut, episode_out
from graphmem.api.schemas.words import Answer
from graphmem.memory.sessions import SessionWindow
from graphmem.model.session import ClosedBy, Session


class SessionOut(Answer):
    """The episodes of one session name and one ``user`` (null: of nobody in particular).

    ``opened_at`` is when its first episode was recorded. ``closed_at`` is null while it is open; an episode opens it
    again, and ``reopened_at`` is when that was last. ``agent`` and ``subject`` are as the last episode said that named
    one.
    """

    id: str
    session: str
    user: str | None
    agent: str | None
    subject: str | None
    opened_at: datetime
    reopened_at: datetime | None
    closed_at: datetime | None
    closed_by: ClosedBy | None


class SessionPage(Answer):
    """Sessions in the order in which they were opened."""

    valid_at: datetime
    known_at: datetime
    sessions: list[SessionOut]
    next_cursor: str | None


class SessionWindowOut(Answer):
    """A session with its last turns, the oldest of them first, and how many there were before them."""

    valid_at: datetime
    known_at: datetime
    session: SessionOut
    episodes: list[EpisodeOut]
    earlier: int


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
