"""Summaries, as queries return them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from graphmem.model.interval import BEGIN
from graphmem.model.summary import CitedBelief, Place, StoredSummary, SummaryOutline
from graphmem.store.rows import ReadAs, otherwise
from graphmem.store.rows.session import SessionRecord


@dataclass(frozen=True, slots=True)
class _SummaryColumns:
    first_at: datetime
    first_sequence: int
    first_id: str
    last_at: datetime
    last_sequence: int
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
    last_sequence: Annotated[int, otherwise(-1)]
    last_id: Annotated[str, otherwise("")]

    def to_domain(self) -> SummaryOutline:
        return SummaryOutline(
            id=self.id,
            summary_id=self.summary_id or self.id,
            tier=self.tier,
            last=Place(self.last_at, self.last_sequence, self.last_id),
            covers=self.covers,
        )


@dataclass(frozen=True, slots=True)
class CoveringRow:
    id: str
    turn: str


@dataclass(frozen=True, slots=True)
class CitedBeliefRow:
    id: str
    cited: CitedBelief


@dataclass(frozen=True, slots=True)
class CountableTurnRow:
    id: str
    occurred_at: datetime
    sequence: int
    read: bool

    @property
    def place(self) -> Place:
        return Place(self.occurred_at, self.sequence, self.id)


@dataclass(frozen=True, slots=True)
class DueSessionRow:
    session: SessionRecord
    due: datetime
    withdrawn_at: str | None
    attempts: int
    now: datetime
