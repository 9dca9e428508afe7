"""Work: what was taken, and how far it is."""

from pydantic import Json, StrictBool

from graphmem.model.work import Work, WorkKind, WorkProgress
from graphmem.store.instants import Instant
from graphmem.store.rows import Row


class TakenRow(Row):
    group_id: str
    lane: int
    id: str | None
    kind: str | None


class FailedRow(Row):
    status: str
    attempts: int


class WorkRecord(Row):
    id: str
    group_id: str
    kind: WorkKind
    target: str | None
    period: str | None
    generation: int | None
    status: WorkProgress
    dry_run: StrictBool | None
    arguments: Json[dict[str, object]] | None
    cursor: Json[dict[str, object]] | None
    progress: Json[dict[str, object]] | None
    result: Json[dict[str, object]] | None
    error: str | None
    attempts: int
    leases: int
    due_at: Instant | None
    requested_at: Instant
    began_at: Instant | None
    finished_at: Instant | None


class WorkRow(Row):
    work: WorkRecord

    def to_domain(self) -> Work:
        record = self.work
        return Work(
            id=record.id,
            group_id=record.group_id,
            kind=record.kind,
            target=record.target or "",
            period=record.period or "",
            generation=record.generation or 0,
            status=record.status,
            dry_run=bool(record.dry_run),
            arguments=record.arguments or {},
            cursor=record.cursor or {},
            progress=record.progress or {},
            result=record.result or {},
            error=record.error,
            attempts=record.attempts,
            leases=record.leases,
            due_at=record.due_at,
            requested_at=record.requested_at,
            began_at=record.began_at,
            finished_at=record.finished_at,
        )
