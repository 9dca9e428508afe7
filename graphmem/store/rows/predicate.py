"""Policies of predicates, and what a re-projection asks."""

from graphmem.model.projection.existence import Bounding
from graphmem.model.projection.predicate import Cardinality, Policy, Rule, SetPredicate
from graphmem.store.instants import Instant
from graphmem.store.rows import Row


class PredicateRecord(Row):
    group_id: str
    name: str
    cardinality: Cardinality
    rule: Rule
    bound: Bounding | None
    irreflexive: bool | None
    changed_at: Instant


class PredicateRow(Row):
    predicate: PredicateRecord

    def to_domain(self) -> SetPredicate:
        record = self.predicate
        policy = Policy(record.cardinality, record.rule, record.bound, record.irreflexive)
        return SetPredicate(group_id=record.group_id, name=record.name, policy=policy, changed_at=record.changed_at)


class ChangedRow(Row):
    name: str
    changed: bool


class WritersGoneRow(Row):
    gone: bool


class SubjectRow(Row):
    subject_id: str


class GroupIdRow(Row):
    group_id: str


class SubjectCountRow(Row):
    subjects: int
