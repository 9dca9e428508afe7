"""Policies of predicates, and what a re-projection asks."""

from dataclasses import dataclass
from datetime import datetime

from graphmem.model.interval import MICROSECOND
from graphmem.model.projection.predicate import SetPredicate
from graphmem.store.rows.digest import PolicyRow


@dataclass(frozen=True, slots=True)
class PredicateRecord(PolicyRow):
    group_id: str
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class PredicateRow:
    predicate: PredicateRecord

    def to_domain(self) -> SetPredicate:
        record = self.predicate
        return SetPredicate(
            group_id=record.group_id, name=record.name, policy=record.to_domain(), changed_at=record.recorded_at
        )


@dataclass(frozen=True, slots=True)
class PolicyClockRow:
    """``newest`` is what the next stamp has to exceed."""

    now: datetime
    newest: datetime

    def stamp(self) -> datetime:
        return max(self.now, self.newest + MICROSECOND)


@dataclass(frozen=True, slots=True)
class WritersGoneRow:
    gone: bool
