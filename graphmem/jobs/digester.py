"""Digests one episode under a lease, and says what became of it. May be killed at any instruction and run again."""

import asyncio
from functools import partial

import structlog

from graphmem.errors import LeaseLost, QueueUnavailable, UnavailableError
from graphmem.jobs.leases import kept, reason_of
from graphmem.jobs.queue import Queue, Work
from graphmem.memory import Memory
from graphmem.metrics import DigestMetrics
from graphmem.model.episode import Status
from graphmem.model.recall import Lease
from graphmem.settings import JobSettings

MAX_LEASES = 10
"""Beginnings of a digest without an end, after which the episode itself is taken to be what kills its worker."""

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Digester:
    """What the worker does with an id from the queue."""

    def __init__(
        self, memory: Memory, queue: Queue, settings: JobSettings, metrics: DigestMetrics | None = None
    ) -> None:
        self._memory = memory
        self._queue = queue
        self._settings = settings
        self._metrics = metrics or DigestMetrics()

    async def digest(self, group: str, episode_id: str) -> None:
        """Digest an episode if that is due and nobody else is at it. Never raises but when cancelled."""
        with structlog.contextvars.bound_contextvars(group=group, episode=episode_id):
            try:
                lease = await self._memory.lease(group, episode_id, self._settings.lease_seconds)
                if lease is not None:
                    await self._digest_leased(lease)
            except UnavailableError as error:
                log.warning("digest.unavailable", reason=str(error))

    async def _digest_leased(self, lease: Lease) -> None:
        if lease.stored.leases > MAX_LEASES:
            await self._failed(lease, f"Its digest was begun {MAX_LEASES} times and never ended.", attempts=1)
            return
        try:
            async with (
                asyncio.timeout(self._settings.digest_timeout),
                kept(log, "digest.lease_not_renewed", self._settings.lease_seconds, partial(self._renew, lease)),
            ):
                outcome = await self._memory.digest(lease)
        except LeaseLost:
            log.info("digest.lease_lost")
        except UnavailableError as error:
            log.warning("digest.unavailable", reason=str(error))
            self._metrics.observe("unavailable")
            await self._give_back(lease, self._settings.retry_seconds)
        except Exception as error:  # noqa: BLE001 - the worker's boundary: whatever happens, the episode says so
            await self._failed(lease, self._reason(error))
        else:
            log.info("digest.done", claims=outcome.claims, recorded=outcome.recorded, superseded=outcome.superseded)
            self._metrics.observe("digested", outcome)

    def _reason(self, error: Exception) -> str:
        """What the episode says of its failure: words for errors of ours, never content."""
        if isinstance(error, TimeoutError):
            return f"It took longer than {self._settings.digest_timeout:g} seconds."
        return reason_of(log, "digest.error", error)

    async def _renew(self, lease: Lease) -> None:
        group, id_ = lease.stored.episode.group_id, lease.stored.id
        await self._memory.store.renew_lease(group, id_, lease.token, self._settings.lease_seconds)

    async def _give_back(self, lease: Lease, seconds: float) -> None:
        group, id_ = lease.stored.episode.group_id, lease.stored.id
        await self._memory.store.return_lease(group, id_, lease.token, seconds)
        await self._again(Work(group, id_, lease.stored.leases - 1), seconds)

    async def _failed(self, lease: Lease, reason: str, *, attempts: int | None = None) -> None:
        group, id_ = lease.stored.episode.group_id, lease.stored.id
        seconds = self._settings.retry_seconds * 2**lease.stored.attempts
        row = await self._memory.store.fail_attempt(
            group,
            id_,
            lease.token,
            error=reason,
            max_attempts=attempts or self._settings.max_attempts,
            seconds=seconds,
        )
        log.warning("digest.failed", reason=reason, status=row.status if row else None)
        self._metrics.observe("failed")
        if row is not None and row.status is Status.PENDING:
            await self._again(Work(group, id_, row.leases), seconds)

    async def _again(self, work: Work, seconds: float) -> None:
        try:
            await self._queue.put(work, after_seconds=seconds)
        except QueueUnavailable:
            log.warning("digest.not_enqueued")  # the sweeper will find it
