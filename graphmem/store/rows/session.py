"""Sessions, and when they were open."""

from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest

from graphmem.model.session import ClosedBy, Opening, Session
from graphmem.store.rows import same_length


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A session to which nothing was said yet has no openings."""

    id: str
    group_id: str
    name: str
    user: str
    agent: str | None
    subject: str | None
    openings: tuple[datetime, ...]
    closings: tuple[datetime, ...]
    closers: tuple[ClosedBy, ...]
    closes_at: datetime | None

    def __post_init__(self) -> None:
        same_length(self.closings, self.closers)
        if len(self.openings) - len(self.closings) != (self.closes_at is not None):
            raise ValueError("it was not closed as often as it was opened")

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


@dataclass(frozen=True, slots=True)
class SessionRow:
    session: SessionRecord


@dataclass(frozen=True, slots=True)
class LockedSessionRow:
    session: SessionRecord
    now: datetime


@dataclass(frozen=True, slots=True)
class SessionWindowRow:
    """The ids of the last turns, newest first, of ``total``."""

    session: SessionRecord
    total: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SessionIdRow:
    group_id: str
    id: str


@dataclass(frozen=True, slots=True)
class SilentSessionRow:
    """``closes_at`` is a text, because somebody may have written nanoseconds, and the walk is to go on after them."""

    group_id: str
    id: str
    closes_at: str
