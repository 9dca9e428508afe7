"""Policies of predicates, and their re-projections."""

from graphmem.model.predicate import Cardinality, Policy, Progress, Reprojection, Rule, SetPredicate
from graphmem.store.instants import Instant
from graphmem.store.rows import Row


class PredicateRecord(Row):
    group_id: str
    name: str
    cardinality: Cardinality
    rule: Rule
    changed_at: Instant


class PredicateRow(Row):
    predicate: PredicateRecord

    def to_domain(self) -> SetPredicate:
        record = self.predicate
        policy = Policy(record.cardinality, record.rule)
        return SetPredicate(group_id=record.group_id, name=record.name, policy=policy, changed_at=record.changed_at)


class ChangedRow(Row):
    name: str
    changed: bool


class ReprojectionRecord(Row):
    id: str
    group_id: str
    predicate: str
    status: Progress
    generation: int
    cursor_group: str
    cursor: str
    subjects_total: int | None
    subjects_done: int
    rows_changed: int
    error: str | None
    attempts: int
    leases: int
    idle: int
    requested_at: Instant
    began_at: Instant | None
    finished_at: Instant | None


class ReprojectionRow(Row):
    reprojection: ReprojectionRecord

    def to_domain(self) -> Reprojection:
        return Reprojection(**self.reprojection.model_dump())


class DueReprojectionRow(Row):
    group_id: str
    id: str
    generation: int
    leases: int


class WritersGoneRow(Row):
    gone: bool


class SubjectRow(Row):
    subject_id: str


class GroupIdRow(Row):
    group_id: str
