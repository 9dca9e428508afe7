"""Sessions, and when they were open."""

from itertools import zip_longest

from graphmem.model.session import ClosedBy, Opening, Session
from graphmem.store.instants import Instant
from graphmem.store.rows import Row


class SessionRecord(Row):
    id: str
    group_id: str
    name: str
    user: str
    agent: str | None
    subject: str | None
    openings: tuple[Instant, ...]
    closings: tuple[Instant, ...]
    closers: tuple[ClosedBy, ...]
    closes_at: Instant | None

    def to_domain(self) -> Session:
        times = zip_longest(self.openings, self.closings, self.closers)
        return Session(
            id=self.id,
            group_id=self.group_id,
            name=self.name,
            user=self.user,
            agent=self.agent,
            subject=self.subject,
            openings=tuple(Opening(*one) for one in times),
            closes_at=self.closes_at,
        )


class SessionRow(Row):
    session: SessionRecord


class LockedSessionRow(Row):
    session: SessionRecord
    now: Instant


class SessionWindowRow(Row):
    """The ids of the last turns, newest first, of ``total``."""

    session: SessionRecord
    total: int
    ids: tuple[str, ...]


class SilentSessionRow(Row):
    group_id: str
    id: str
