"""Projects the slots of a predicate again after its policy changed, in steps, under a lease (docs/decisions/0009).

May be killed at any instruction and run again: a step that was done changes nothing when it is done again.
"""

import asyncio
from dataclasses import replace
from functools import partial
from uuid import uuid4

import structlog

from graphmem.background import Background
from graphmem.errors import LeaseLost, QueueUnavailable, TransactionEnded, UnavailableError, reason_of
from graphmem.jobs.digester import MAX_LEASES, begun_too_often
from graphmem.jobs.leases import kept, logged_reason
from graphmem.jobs.queue import Queue, reprojecting
from graphmem.model.predicate import SERVICE, Progress, Reprojection
from graphmem.settings import JobSettings
from graphmem.store.evidence import EvidenceStore
from graphmem.store.predicates import PredicateStore

STEP = 200
"""Subjects projected in one transaction; fewer, after one that took too long."""
_PAUSE = 0.05

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Reprojector:
    """What the worker does with a re-projection from the queue: one at a time, so that digests keep their places."""

    def __init__(
        self,
        predicates: PredicateStore,
        evidence: EvidenceStore,
        queue: Queue,
        settings: JobSettings,
        step: int = STEP,
        background: Background | None = None,
    ) -> None:
        self._predicates = predicates
        self._evidence = evidence
        self._queue = queue
        self._settings = settings
        self._background = background or Background()
        self._most = step
        self._step = step
        self._one = asyncio.Lock()

    async def reproject(self, group: str, id_: str) -> None:
        """Work at a re-projection if it is due and nobody else is at it. Never raises but when cancelled.

        Ends when all is done, or after the time of one digest: what is left is a job of its own.
        """
        if self._one.locked():
            return  # the sweeper brings it again
        async with self._one:
            with structlog.contextvars.bound_contextvars(group=group, reprojection=id_):
                try:
                    await self._lease(group, id_)
                except UnavailableError as error:
                    log.warning("reproject.unavailable", reason=str(error))

    async def _lease(self, group: str, id_: str) -> None:
        lease = uuid4().hex
        leased = await self._predicates.lease_reprojection(group, id_, lease, self._settings.lease_seconds)
        if leased is None:
            return
        if leased.idle > MAX_LEASES:
            await self._failed(leased, lease, begun_too_often("came no step further", leased.error), attempts=1)
            return
        try:
            renew = partial(self._renew, leased, lease)
            async with kept(self._background, log, "reproject.lease_not_renewed", self._settings.lease_seconds, renew):
                await self._work(leased, lease)
        except LeaseLost:
            log.info("reproject.lease_lost")
        except UnavailableError as error:
            self._step = max(1, self._step // 2)
            log.warning("reproject.unavailable", reason=str(error), step=self._step)
            ended = error if isinstance(error, TransactionEnded) else None
            await self._again(leased, lease, self._settings.retry_seconds, ended)
        except Exception as error:  # noqa: BLE001 - the worker's boundary: whatever happens, the re-projection says so
            await self._failed(leased, lease, logged_reason(log, "reproject.error", error))

    async def _work(self, leased: Reprojection, lease: str) -> None:
        """Step by step until all is done or the time is up.

        Raises:
            LeaseLost: somebody else took it over, or it was asked for anew.
        """
        until = asyncio.get_running_loop().time() + self._settings.digest_timeout
        at = leased
        while at.status is not Progress.DONE:
            if asyncio.get_running_loop().time() >= until:
                return await self._again(at, lease, 0)
            if at.subjects_total is None:
                at = await self._counted(at, lease)
            else:
                at = await self._stepped(at, lease)
        return log.info("reproject.done", subjects=at.subjects_done, rows=at.rows_changed)

    async def _counted(self, at: Reprojection, lease: str) -> Reprojection:
        """Begin, or wait a moment: who may still write by the older policy is waited for."""
        if not await self._predicates.writers_gone(at):
            await asyncio.sleep(_PAUSE)
            return at
        return _held(await self._predicates.count_subjects(at.group_id, at.id, lease))

    async def _stepped(self, at: Reprojection, lease: str) -> Reprojection:
        """One step: the next subjects of a group, or on to the next group."""
        group = at.group_id or at.cursor_group
        subjects = await self._predicates.next_subjects(group, at.predicate, at.cursor, self._step) if group else []
        rows = await self._evidence.reproject(group, subjects, at.predicate) if subjects else 0
        following = group
        if not subjects:
            following = await self._predicates.next_group(at.predicate, group) if at.group_id == SERVICE else None
        advanced = await self._predicates.advance_reprojection(
            replace(at, cursor_group=following or group, cursor=subjects[-1] if subjects else ""),
            lease,
            subjects=len(subjects),
            rows=rows,
            finished=following is None,
            seconds=self._settings.lease_seconds,
        )
        self._step = min(self._most, 2 * self._step)
        return _held(advanced)

    async def _renew(self, leased: Reprojection, lease: str) -> None:
        await self._predicates.renew_reprojection(leased.group_id, leased.id, lease, self._settings.lease_seconds)

    async def _again(self, at: Reprojection, lease: str, seconds: float, ended: TransactionEnded | None = None) -> None:
        """Give it back, and ask for it to be gone on with. A transaction that ``ended`` has spent the lease."""
        spent, error = ended is not None, reason_of(ended) if ended else None
        await self._predicates.return_reprojection(at.group_id, at.id, lease, seconds, spent=spent, error=error)
        await self._enqueue(at, seconds)

    async def _failed(self, at: Reprojection, lease: str, reason: str, *, attempts: int | None = None) -> None:
        seconds = self._settings.retry_seconds * 2**at.attempts
        after = await self._predicates.fail_reprojection(
            at.group_id,
            at.id,
            lease,
            error=reason,
            max_attempts=attempts or self._settings.max_attempts,
            seconds=seconds,
        )
        log.warning("reproject.failed", reason=reason, status=after.status if after else None)
        if after is not None and after.status is Progress.PENDING:
            await self._enqueue(after, seconds)

    async def _enqueue(self, at: Reprojection, seconds: float) -> None:
        try:
            await self._queue.put(reprojecting(at), after_seconds=seconds)
        except QueueUnavailable:
            log.warning("reproject.not_enqueued")  # the sweeper will find it


def _held(after: Reprojection | None) -> Reprojection:
    if after is None:
        raise LeaseLost("Another worker has taken the re-projection over, or it was asked for anew.")
    return after
