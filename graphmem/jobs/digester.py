"""Digests one episode under a lease, and says what became of it. May be killed at any instruction and run again."""

import asyncio
from collections.abc import Sequence
from functools import partial
from uuid import uuid4

import structlog

from graphmem.background import Background
from graphmem.errors import (
    GraphmemError,
    LeaseLost,
    QueueUnavailable,
    TransactionEnded,
    UnavailableError,
    reason_of,
)
from graphmem.jobs.leases import kept, logged_reason
from graphmem.jobs.queue import Queue, Work
from graphmem.memory import Memory
from graphmem.metrics import DigestMetrics
from graphmem.model.episode import UNDONE
from graphmem.model.fragment import Fragment
from graphmem.model.recall import Lease
from graphmem.settings import JobSettings
from graphmem.store.rows.episode import StatusRow

MAX_LEASES = 10
"""Beginnings of a digest without an end, after which the episode itself is taken to be what kills its worker."""
REFINED_AT_ONCE = 32
"""Digests of one worker that wait for a language model while what was read offline stands."""

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Digester:
    """What the worker does with an id from the queue."""

    def __init__(
        self,
        memory: Memory,
        queue: Queue,
        settings: JobSettings,
        metrics: DigestMetrics | None = None,
        background: Background | None = None,
    ) -> None:
        self._memory = memory
        self._queue = queue
        self._settings = settings
        self._metrics = metrics or DigestMetrics()
        self._background = background or Background()
        self._refining: set[asyncio.Task[None]] = set()

    async def digest(self, group: str, episode_id: str) -> None:
        """Digest an episode if that is due and nobody else is at it. Never raises but when cancelled.

        Returns once something stands of it; a reading that takes longer goes on beside other digests, as far as
        there is room.
        """
        with structlog.contextvars.bound_contextvars(group=group, episode=episode_id):
            stands = asyncio.Event()
            digesting = asyncio.create_task(self._digest(group, episode_id, stands))
            standing = asyncio.create_task(stands.wait())
            try:
                await asyncio.wait({digesting, standing}, return_when=asyncio.FIRST_COMPLETED)
                if not digesting.done():
                    await self._queue.episodes.give(episode_id)
                    if len(self._refining) >= REFINED_AT_ONCE:
                        await asyncio.wait({digesting})
            except asyncio.CancelledError:
                digesting.cancel()
                raise
            finally:
                standing.cancel()
            if not digesting.done():
                self._refining.add(digesting)
                digesting.add_done_callback(self._refining.discard)

    async def aclose(self) -> None:
        """End what still goes on beside; its leases run out, and another worker takes it over."""
        left = frozenset(self._refining)
        for refining in left:
            refining.cancel()
        if left:
            await asyncio.wait(left)

    async def _digest(self, group: str, episode_id: str, stands: asyncio.Event) -> None:
        try:
            leases = await self._lease(group, episode_id)
            if leases:
                await self._digest_leased(leases, stands)
        except UnavailableError as error:
            log.warning("digest.unavailable", reason=str(error))

    async def _lease(self, group: str, episode_id: str) -> list[Lease]:
        """Take an episode, with those read in the same call. An error of that counts as one of its digest would."""
        token, seconds = uuid4().hex, self._settings.retry_seconds
        try:
            return await self._memory.digestion.lease_turns(group, episode_id, self._settings.lease_seconds, token)
        except TransactionEnded as error:
            log.warning("digest.transaction_ended", reason=str(error))
            await self._memory.store.return_lease(group, episode_id, token, seconds, spent=True, error=reason_of(error))
        except UnavailableError:
            raise
        except Exception as error:  # noqa: BLE001 - a row that cannot be read, say
            reason = logged_reason(log, "digest.error", error)
            await self._fail(group, episode_id, token, reason, seconds)
        return []

    async def _digest_leased(self, leases: Sequence[Lease], stands: asyncio.Event) -> None:
        """Digest turns one after the other; several are read together before. One that fails, fails alone."""
        left = list(leases)
        renew = partial(self._renew, left)
        try:
            async with (
                asyncio.timeout(self._settings.digest_timeout),
                kept(self._background, log, "digest.lease_not_renewed", self._settings.lease_seconds, renew),
            ):
                alone = len(left) == 1 or leases[0].stored.leases > MAX_LEASES
                read = [None] * len(left) if alone else await self._memory.digestion.read_turns(leases)
                for lease, fragment in zip(leases, read, strict=True):
                    with structlog.contextvars.bound_contextvars(episode=lease.stored.id):
                        await self._digest_one(lease, fragment, stands)
                    left.remove(lease)
        except Exception as error:  # noqa: BLE001 - the worker's boundary: whatever happens, the episodes say so
            for lease in left:
                await self._ended(lease, error)

    async def _digest_one(self, lease: Lease, read: Fragment | GraphmemError | None, stands: asyncio.Event) -> None:
        if lease.stored.leases > MAX_LEASES:
            await self._failed(lease, begun_too_often("never ended", lease.stored.error), attempts=1)
        elif isinstance(read, GraphmemError):
            await self._ended(lease, read)
        else:
            try:
                outcome = await self._memory.digestion.digest(lease, read=read, stands=stands.set)
            except Exception as error:  # noqa: BLE001 - likewise
                await self._ended(lease, error)
            else:
                log.info("digest.done", claims=outcome.claims, recorded=outcome.recorded, superseded=outcome.superseded)
                self._metrics.observe("digested", outcome)
                await self._queue.episodes.give(lease.stored.id)

    async def _ended(self, lease: Lease, error: Exception) -> None:
        """What becomes of an episode whose digest did not come to its end."""
        if isinstance(error, LeaseLost):
            log.info("digest.lease_lost")
        elif isinstance(error, UnavailableError):
            log.warning("digest.unavailable", reason=str(error))
            self._metrics.observe("unavailable")
            await self._give_back(lease, error)
        else:
            await self._failed(lease, self._reason(error))

    def _reason(self, error: Exception) -> str:
        """What the episode says of its failure: words for errors of ours, never content."""
        if isinstance(error, TimeoutError):
            return f"It took longer than {self._settings.digest_timeout:g} seconds."
        return logged_reason(log, "digest.error", error)

    async def _renew(self, leases: Sequence[Lease]) -> None:
        for lease in leases:
            group, id_ = lease.stored.episode.group_id, lease.stored.id
            await self._memory.store.renew_lease(group, id_, lease.token, self._settings.lease_seconds)

    async def _give_back(self, lease: Lease, error: UnavailableError) -> None:
        """A server that is away spends nothing. A transaction that Neo4j ended spends the lease, and waits longer."""
        group, id_, leases = lease.stored.episode.group_id, lease.stored.id, lease.stored.leases
        spent = isinstance(error, TransactionEnded)
        seconds = self._settings.retry_seconds * (2 ** (leases - 1) if spent else 1)
        await self._memory.store.return_lease(
            group, id_, lease.token, seconds, spent=spent, error=reason_of(error) if spent else None
        )
        await self._again(Work(group, id_, leases - (not spent), lease.stored.revision), seconds)

    async def _failed(self, lease: Lease, reason: str, *, attempts: int | None = None) -> None:
        group, id_ = lease.stored.episode.group_id, lease.stored.id
        seconds = self._settings.retry_seconds * 2**lease.stored.attempts
        row = await self._fail(group, id_, lease.token, reason, seconds, attempts=attempts)
        if row is not None and row.status in UNDONE:
            await self._again(Work(group, id_, row.leases, lease.stored.revision), seconds)

    async def _fail(
        self, group: str, episode_id: str, token: str, reason: str, seconds: float, *, attempts: int | None = None
    ) -> StatusRow | None:
        row = await self._memory.store.fail_attempt(
            group,
            episode_id,
            token,
            error=reason,
            max_attempts=attempts or self._settings.max_attempts,
            seconds=seconds,
        )
        log.warning("digest.failed", reason=reason, status=row.status if row else None)
        self._metrics.observe("failed")
        await self._queue.episodes.give(episode_id)
        return row

    async def _again(self, work: Work, seconds: float) -> None:
        try:
            await self._queue.put(work, after_seconds=seconds)
        except QueueUnavailable:
            log.warning("digest.not_enqueued")  # the sweeper will find it


def begun_too_often(what: str, error: str | None) -> str:
    """Why something failed that was begun so often, with the last error that is known of it."""
    return f"It was begun {MAX_LEASES} times and {what}." + (f" Last: {error}" if error else "")
