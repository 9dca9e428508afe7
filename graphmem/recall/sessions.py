"""Sessions: listed, shown with their last turns, and closed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import structlog

from graphmem.clock import Clock
from graphmem.errors import OurError
from graphmem.model.episode import StoredEpisode
from graphmem.model.interval import BEGIN, LATEST
from graphmem.model.scope import Scope
from graphmem.model.session import ClosedBy, Session, SessionPosition
from graphmem.recall.reader import Reader, existing
from graphmem.store.change.sessions import SessionChanges
from graphmem.store.graph import GraphStore
from graphmem.store.instants import as_text

_NONE: Mapping[str, int] = MappingProxyType({})
MOST_AT_ONCE = 100
"""Sessions that silence closed, looked for at once."""

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SessionWindow:
    """A session with its last turns, the oldest of them first, of ``total``."""

    session: Session
    turns: tuple[StoredEpisode, ...]
    total: int

    @property
    def earlier(self) -> int:
        """How many turns there were before these."""
        return self.total - len(self.turns)


class Sessions:
    """What callers ask of sessions."""

    def __init__(self, store: GraphStore, reader: Reader, clock: Clock) -> None:
        self._store = store
        self._changes = SessionChanges.beside(store)
        self._reader = reader
        self._clock = clock

    async def sessions(
        self, scope: Scope, *, name: str | None = None, after: SessionPosition, limit: int
    ) -> list[Session]:
        """Sessions in which something had been said then, in order of (opened_at, id), after a position.

        ``name``: only those of this name, of which each user may have one.

        Raises:
            NotFound: there is no such group.
        """
        await self._reader.known_group(scope.group)
        return await self._store.sessions(scope, self._clock(), name=name, after=after, limit=limit)

    async def session(
        self, scope: Scope, session_id: str, window: int, window_with: Mapping[str, int] = _NONE
    ) -> SessionWindow:
        """A session as it was then, with so many of its last turns; ``window_with`` is that of some agents' sessions.

        Raises:
            NotFound: nothing had been said in it then, or the reader may not see it.
            AnswerTooLarge: the turns are too long for one answer.
        """
        await self._reader.known_group(scope.group)
        most = max(window, *window_with.values(), 0)
        row = await self._store.session(scope, session_id, self._clock(), limit=most)
        session, total, last = existing(row, scope.group, "session", session_id, "as known at that time")
        ids = last[: window if session.agent is None else window_with.get(session.agent, window)]
        stored = {episode.id: episode for episode in await self._reader.episodes_by_id(scope, ids)}
        return SessionWindow(session, tuple(stored[id_] for id_ in reversed(ids) if id_ in stored), total)

    async def close(self, group: str, session_id: str, user: str | None = None) -> Session:
        """Close a session that a user may see (None: whoever it is of); one that is closed stays as it is.

        Raises:
            NotFound: there is no such session, or the caller may not see it.
        """
        scope = Scope(group, LATEST, user=user)
        await self.session(scope, session_id, 0)
        await self._changes.close(group, [session_id], ClosedBy.CALL)
        return (await self.session(scope, session_id, 0)).session

    async def close_all(self, group: str, ids: Iterable[str]) -> None:
        """Close sessions of whomever; those that are closed, or gone, are passed over."""
        left = sorted(ids)
        while left:
            some, left = left[:MOST_AT_ONCE], left[MOST_AT_ONCE:]
            await self._changes.close(group, some, ClosedBy.CALL)

    async def close_silent(self, at_once: int = MOST_AT_ONCE) -> None:
        """Close sessions that silence has closed by now, of all groups, but for those that cannot be read."""
        after = (as_text(BEGIN), "")
        while page := await self._store.silent_sessions(after, at_once):
            for group, (_, id_) in page:
                try:
                    await self._changes.close(group, [id_], ClosedBy.SILENCE)
                except OurError as error:  # whatever somebody did to one session, the others are closed
                    log.exception("session.not_closed", group=group, session=id_, reason=str(error))
            _, after = page[-1]
