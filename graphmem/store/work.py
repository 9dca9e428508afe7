"""Work to do, under leases: taken by group and lane, renewed, given back, failed, or done step by step."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from graphmem.model.damage import noted
from graphmem.model.interval import LATEST
from graphmem.model.scope import Scope
from graphmem.model.work import Lane, Taken, Work, WorkKind, WorkRequest, WorkStep
from graphmem.store.named import GroupQueries, QueryStore


@dataclass(frozen=True, slots=True)
class TakenRow:
    group_id: str
    lane: int
    id: str | None
    kind: str | None


@dataclass(frozen=True, slots=True)
class FailedRow:
    status: str
    attempts: int


@dataclass(frozen=True, slots=True)
class WorkRow:
    work: Work


class WorkStore(QueryStore):
    """The queries of ``work.cypher``."""

    async def take_work(
        self,
        lease: str,
        seconds: float,
        *,
        lane: Lane = Lane.BACKGROUND,
        most: int = 1,
        more: int = -1,
        group: str | None = None,
    ) -> Taken | None:
        """The next work that is due in lanes up to this one, leased for so many seconds; None where nothing is due.

        Up to ``most`` digests of a group are taken together where they came in bulk, or where so many wait. With one
        digest go the turns that came to be read in the same call, or up to ``more`` that wait in its session; -1: none.
        """
        while True:
            rows = await self._run.many(
                "take_work", TakenRow, group=group, lease=lease, seconds=seconds, lane=lane, most=most, more=more
            )
            if not rows:
                return None
            if rows[0].kind is not None:
                return _taken(lease, rows)

    async def lease_work(self, group: str, id_: str, lease: str, seconds: float, *, more: int = -1) -> Taken | None:
        """Take certain work; None if it is done, not due, or somebody else's."""
        rows = await self._run.many(
            "lease_work", TakenRow, group=group, id=id_, lease=lease, seconds=seconds, more=more
        )
        return _taken(lease, rows) if rows else None

    async def renew_work(self, group: str, ids: Sequence[str], lease: str, seconds: float) -> None:
        await self._run.execute("renew_work", group=group, ids=ids, lease=lease, seconds=seconds)

    async def return_work(
        self, group: str, id_: str, lease: str, seconds: float, *, spent: bool = False, error: str | None = None
    ) -> None:
        """Give work back undone; it is due after so many seconds. A ``spent`` lease counts as a beginning in vain."""
        await self._run.execute(
            "return_work", group=group, id=id_, lease=lease, spent=spent, error=error, seconds=seconds
        )

    async def fail_work(
        self, group: str, id_: str, lease: str, *, error: str, max_attempts: int, seconds: float
    ) -> FailedRow | None:
        """Count an attempt that failed; None if the lease is lost."""
        return await self._run.optional(
            "fail_work",
            FailedRow,
            group=group,
            id=id_,
            lease=lease,
            error=error,
            max_attempts=max_attempts,
            seconds=seconds,
        )

    async def advance_work(self, work: Work, lease: str, step: WorkStep, seconds: float) -> Work | None:
        """The work after a step; None if the lease is lost, or it was asked for anew."""
        row = await self._run.optional(
            "advance_work",
            WorkRow,
            group=work.group_id,
            id=work.id,
            lease=lease,
            generation=work.generation,
            cursor=json.dumps(step.cursor),
            progress=json.dumps(step.progress),
            result=json.dumps(step.result),
            finished=step.finished,
            seconds=seconds,
        )
        return row and row.work

    async def request_work(
        self, group: str, kind: WorkKind, requests: Iterable[WorkRequest], lane: Lane = Lane.BACKGROUND
    ) -> list[Work]:
        """What was asked for, as far as it can be read."""
        return await self.database.write(
            lambda transaction: request_work(self._in(transaction, group), kind, requests, lane)
        )

    async def works(
        self, group: str, kinds: Iterable[WorkKind], after: str, limit: int, *, user: str | None = None
    ) -> list[Work]:
        """Those of the group, in order of id; with a user, only digests and decisions that this user may see."""
        scope = Scope(group, LATEST, user=user)
        rows = await self._run.many("works", WorkRow, scope, kinds=sorted(kinds), after=after, limit=limit)
        return [row.work for row in rows]

    async def works_by_id(self, group: str, ids: Iterable[str], *, user: str | None = None) -> list[Work]:
        """Work of the group and of the service, the last asked for first; with a user, only what this user may see."""
        scope = Scope(group, LATEST, user=user)
        rows = await self._run.many("works_by_id", WorkRow, scope, ids=sorted(set(ids)))
        return [row.work for row in rows]


async def request_work(
    run: GroupQueries, kind: WorkKind, requests: Iterable[WorkRequest], lane: Lane = Lane.BACKGROUND
) -> list[Work]:
    """Ask for work in an open transaction, as its last statement."""
    asked = [{**asdict(request), "arguments": json.dumps(request.arguments)} for request in requests]
    if not asked:
        return []
    return [row.work for row in await run.many("request_work", WorkRow, kind=kind, lane=lane, rows=asked)]


def _taken(lease: str, rows: Sequence[TakenRow]) -> Taken:
    first, ids = rows[0], tuple(row.id for row in rows if row.id is not None)
    return Taken(lease, first.group_id, first.lane, first.kind or "", ids)


async def request_one(works: WorkStore, group: str, kind: WorkKind, request: WorkRequest) -> Work:
    """Ask for one thing to be done.

    Raises:
        Unreadable: its record cannot be read; it is asked for all the same.
    """
    with noted() as damage:
        requested = await works.request_work(group, kind, [request])
    if not requested:
        raise damage.error()
    return requested[0]
