"""Sessions, and when they were open."""

from itertools import zip_longest
from typing import Self

from pydantic import model_validator

from graphmem.model.session import ClosedBy, Opening, Session
from graphmem.store.instants import Instant
from graphmem.store.rows import Row, same_length


class SessionRecord(Row):
    """A session to which nothing was said yet has no openings."""

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

    @model_validator(mode="after")
    def _closed_as_often_as_opened(self) -> Self:
        same_length(self.closings, self.closers)
        if len(self.openings) - len(self.closings) != (self.closes_at is not None):
            raise ValueError("it was not closed as often as it was opened")
        return self

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


class SessionIdRow(Row):
    group_id: str
    id: str


class SilentSessionRow(Row):
    """``closes_at`` is a text, because somebody may have written nanoseconds, and the walk is to go on after them."""

    group_id: str
    id: str
    closes_at: str
