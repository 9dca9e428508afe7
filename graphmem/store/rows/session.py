"""Sessions, when they were open, and what sums them up."""

from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from typing import Annotated

from graphmem.model.episode import FIRST_TURN, TurnOrder
from graphmem.model.interval import BEGIN
from graphmem.model.session import ClosedBy, Opening, Session
from graphmem.model.summary import CitedBelief, Place, StoredSummary, SummaryOutline
from graphmem.store.rows import ReadAs, made_of, otherwise, same_length


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
        return made_of(self, Session, openings=tuple(Opening(*opening) for opening in times))


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


@dataclass(frozen=True, slots=True)
class _SummaryColumns:
    first_at: datetime
    first_order: TurnOrder
    first_id: str
    last_at: datetime
    last_order: TurnOrder
    last_id: str


@dataclass(frozen=True, slots=True)
class SummaryRow:
    summary: Annotated[StoredSummary, ReadAs(_SummaryColumns)]


@dataclass(frozen=True, slots=True)
class OutlineRow:
    """Only the summaries that are shown are read whole, and named where they cannot be."""

    id: str
    summary_id: Annotated[str, otherwise("")]
    tier: Annotated[int, otherwise(1)]
    covers: Annotated[tuple[str, ...], otherwise(())]
    last_at: Annotated[datetime, otherwise(BEGIN)]
    last_order: Annotated[TurnOrder, otherwise(FIRST_TURN)]
    last_id: Annotated[str, otherwise("")]

    def to_domain(self) -> SummaryOutline:
        return SummaryOutline(
            id=self.id,
            summary_id=self.summary_id or self.id,
            tier=self.tier,
            last=Place(self.last_at, self.last_order, self.last_id),
            covers=self.covers,
        )


@dataclass(frozen=True, slots=True)
class CitedBeliefRow:
    id: str
    cited: CitedBelief


@dataclass(frozen=True, slots=True)
class CountableTurnRow:
    id: str
    occurred_at: datetime
    turn: TurnOrder
    read: bool

    @property
    def place(self) -> Place:
        return Place(self.occurred_at, self.turn, self.id)


@dataclass(frozen=True, slots=True)
class DueSessionRow:
    session: SessionRecord
    due: datetime
    withdrawn_at: str | None
    attempts: int
    now: datetime
