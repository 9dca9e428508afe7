"""Sessions, and their last turns."""

from datetime import datetime

from graphmem.model.scope import Scope
from graphmem.model.session import Session, SessionPosition, as_known
from graphmem.store.named import QueryStore
from graphmem.store.rows.session import SessionRow, SessionWindowRow, SilentSessionRow

SilentPosition = tuple[str, str]
"""Where a walk over silent sessions is: (closes_at as the store writes it, id)."""


class SessionStore(QueryStore):
    """The queries of ``session.cypher``."""

    async def sessions(
        self, scope: Scope, now: datetime, *, name: str | None, after: SessionPosition, limit: int
    ) -> list[Session]:
        """Those in which something had been said then, in order of opening, as they were at ``known_at`` or ``now``.

        ``name``: only those of this name, of which each user may have one.
        """
        rows = await self._run.many(
            "sessions", SessionRow, scope, session=name, after_time=after[0], after_id=after[1], limit=limit
        )
        shown = (as_known(row.session.to_domain(), min(scope.known_at, now)) for row in rows)
        return [session for session in shown if session is not None]

    async def session(
        self, scope: Scope, session_id: str, now: datetime, *, limit: int
    ) -> tuple[Session, int, list[str]] | None:
        """A session as known, how many turns it had, and the ids of the last, newest first; None if unknown."""
        row = await self._run.optional("session", SessionWindowRow, scope, id=session_id, limit=limit)
        session = row and as_known(row.session.to_domain(), min(scope.known_at, now))
        return (session, row.total, list(row.ids)) if row and session else None

    async def silent_sessions(self, after: SilentPosition, limit: int) -> list[tuple[str, SilentPosition]]:
        """Open sessions that silence has closed by now: group and position of each, in order, after a position."""
        rows = await self._leader.many(
            "silent_sessions", SilentSessionRow, after_time=after[0], after_id=after[1], limit=limit
        )
        return [(row.group_id, (row.closes_at, row.id)) for row in rows]
