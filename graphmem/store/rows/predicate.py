"""Policies of predicates, and what a re-projection asks."""

from datetime import datetime

from pydantic import StrictBool

from graphmem.model.interval import MICROSECOND
from graphmem.model.projection.existence import Bounding
from graphmem.model.projection.predicate import Cardinality, Policy, SetPredicate, WinningRule
from graphmem.store.instants import Instant
from graphmem.store.rows import Row


class PredicateRecord(Row):
    group_id: str
    name: str
    cardinality: Cardinality
    rule: WinningRule
    bound: Bounding | None
    irreflexive: StrictBool | None
    recorded_at: Instant


class PredicateRow(Row):
    predicate: PredicateRecord

    def to_domain(self) -> SetPredicate:
        record = self.predicate
        policy = Policy(record.cardinality, record.rule, record.bound, record.irreflexive)
        return SetPredicate(group_id=record.group_id, name=record.name, policy=policy, changed_at=record.recorded_at)


class PolicyClockRow(Row):
    """``newest`` is what the next stamp has to exceed."""

    now: Instant
    newest: Instant

    def stamp(self) -> datetime:
        return max(self.now, self.newest + MICROSECOND)


class WritersGoneRow(Row):
    gone: StrictBool


class SubjectRow(Row):
    subject_id: str


class GroupIdRow(Row):
    group_id: str


class SubjectCountRow(Row):
    subjects: int
