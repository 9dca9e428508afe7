"""Digests episodes under a lease, and says what became of them. May be killed at any instruction and run again."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import structlog

from graphmem.errors import GraphmemError, LeaseLost, TransactionEnded, UnavailableError
from graphmem.jobs.steps import MAX_LEASES, begun_too_often, give_back, kept, logged_reason
from graphmem.memory import Memory
from graphmem.model.damage import noted
from graphmem.model.evidence import ChangeOutcome
from graphmem.model.work import Lease, Taken
from graphmem.process.background import Background
from graphmem.process.metrics import DigestMetrics
from graphmem.queue.redis import Queue
from graphmem.settings.jobs import JobSettings
from graphmem.store.work import WorkStore
from graphmem.write.digestion import TurnRead

Progressed = Callable[[], object]
"""Called when a piece of a long text is written."""
REFINED_AT_ONCE = 32
"""Digests of one worker that wait for a language model while what was read offline stands."""

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(slots=True)
class _InHand:
    """Leased episodes that have not ended; those that were begun last answer for what goes wrong, the others wait."""

    left: list[Lease]
    begun: Sequence[Lease] = ()


class Digester:
    """Does work of the kind ``digest``."""

    def __init__(
        self,
        memory: Memory,
        works: WorkStore,
        queue: Queue,
        settings: JobSettings,
        metrics: DigestMetrics | None = None,
        background: Background | None = None,
    ) -> None:
        self._memory = memory
        self._works = works
        self._queue = queue
        self._settings = settings
        self._metrics = metrics or DigestMetrics()
        self._background = background or Background()
        self._refining: set[asyncio.Task[None]] = set()

    async def digest(self, taken: Taken) -> None:
        """Digest episodes that were taken. What goes wrong, the episodes say; raises what keeps them from saying it.

        Returns once something stands of them; a reading that takes longer goes on beside other digests, as far as
        there is room.
        """
        with structlog.contextvars.bound_contextvars(group=taken.group, episode=taken.ids[0]):
            stands = asyncio.Event()
            digesting = asyncio.create_task(self._digest(taken, stands))
            standing = asyncio.create_task(stands.wait())
            try:
                await asyncio.wait({digesting, standing}, return_when=asyncio.FIRST_COMPLETED)
                if not digesting.done():
                    await self._queue.episodes.try_send(taken.ids[0])
                    if len(self._refining) >= REFINED_AT_ONCE:
                        await asyncio.wait({digesting})
            except asyncio.CancelledError:
                digesting.cancel()
                raise
            finally:
                standing.cancel()
            if digesting.done():
                await digesting
            else:
                self._refining.add(digesting)
                digesting.add_done_callback(self._refined)

    def _refined(self, digesting: "asyncio.Task[None]") -> None:
        self._refining.discard(digesting)
        if not digesting.cancelled() and (error := digesting.exception()):
            log.error("digest.not_told", exc_info=error)

    async def aclose(self) -> None:
        """End what still goes on beside; its leases run out, and another worker takes it over."""
        left = frozenset(self._refining)
        for refining in left:
            refining.cancel()
        if left:
            await asyncio.wait(left)

    async def _digest(self, taken: Taken, stands: asyncio.Event) -> None:
        try:
            leases = await self._leases(taken)
            if leases:
                await self._digest_leased(leases, stands)
        except UnavailableError as error:
            log.warning("digest.unavailable", reason=str(error))

    async def _leases(self, taken: Taken) -> list[Lease]:
        """What was taken, and its context. An error of reading counts as one of digesting."""
        try:
            with noted() as damage:
                leases = await self._memory.digestion.leased(taken)
        except UnavailableError as error:
            for id_ in taken.ids:
                await give_back(self._works, taken.group, id_, taken.lease, error, self._settings.retry_seconds)
            raise
        except Exception as error:  # noqa: BLE001 - a row that cannot be read, say
            reason = logged_reason(log, "digest.error", error)
            for id_ in taken.ids:
                await self._fail(taken.group, id_, taken.lease, reason, self._settings.retry_seconds)
            return []
        readable = {lease.stored.id for lease in leases}
        for id_, why in {thing.id: str(thing) for thing in damage if thing.id in taken.ids}.items():
            if id_ not in readable:
                await self._fail(taken.group, id_, taken.lease, why, self._settings.retry_seconds)
        return leases

    async def _digest_leased(self, leases: Sequence[Lease], stands: asyncio.Event) -> None:
        """Digest episodes of one group. One that fails, fails alone."""
        hand, seconds = _InHand(list(leases)), self._settings.lease_seconds
        group, token = leases[0].stored.episode.group_id, leases[0].token

        async def renew() -> None:
            await self._works.renew_work(group, [lease.stored.id for lease in hand.left], token, seconds)

        try:
            async with (
                asyncio.timeout(self._settings.digest_timeout) as limit,
                kept(self._background, log, "digest.lease_not_renewed", seconds, renew),
            ):
                progressed = partial(self._extend, limit)
                if len(leases) == 1:
                    await self._digest_in_order(hand, stands, progressed)
                elif self._memory.digestion.reads_turns_together:
                    await self._digest_turns(hand, stands, progressed)
                else:
                    await self._digest_together(hand, progressed)
        except Exception as error:  # noqa: BLE001 - the worker's boundary: whatever happens, the episodes say so
            for lease in sorted(hand.left, key=lambda lease: lease not in hand.begun):
                if lease in hand.begun:
                    await self._ended(lease, error)
                else:
                    await self._works.return_work(group, lease.stored.id, lease.token, 0)

    def _extend(self, limit: asyncio.Timeout) -> None:
        """Give what is begun next all the time of a digest: a piece of a long text, a portion, a turn by itself."""
        limit.reschedule(asyncio.get_running_loop().time() + self._settings.digest_timeout)

    async def _digest_together(self, hand: _InHand, progressed: Progressed) -> None:
        """Digest episodes in few transactions."""
        for portion in self._memory.bulk.portions(tuple(hand.left)):
            hand.begun = portion
            await self._all_ended(hand, portion, await self._memory.bulk.digest(portion, progressed))
            progressed()

    async def _digest_turns(self, hand: _InHand, stands: asyncio.Event, progressed: Progressed) -> None:
        """Read turns in one call, and write them in few transactions; those without room in the call by themselves."""
        leases = tuple(hand.left)
        if leases[0].stored.leases <= MAX_LEASES:
            hand.begun = leases
            read = list(zip(leases, await self._memory.digestion.read_turns(leases), strict=True))
            turns = [(lease, turn) for lease, turn in read if isinstance(turn, TurnRead)]
            failed = [(lease, error) for lease, error in read if isinstance(error, GraphmemError)]
            if turns:
                results = await self._memory.bulk.digest_read(turns)
                await self._all_ended(hand, [lease for lease, _ in turns], results)
            await self._all_ended(hand, [lease for lease, _ in failed], [error for _, error in failed])
            progressed()
        await self._digest_in_order(hand, stands, progressed)

    async def _all_ended(
        self, hand: _InHand, leases: Sequence[Lease], results: Sequence[ChangeOutcome | Exception]
    ) -> None:
        """Say what became of episodes; none of them is left. One message tells who waits for those that are done."""
        done = list[str]()
        for lease, result in zip(leases, results, strict=True):
            with structlog.contextvars.bound_contextvars(episode=lease.stored.id):
                if isinstance(result, Exception):
                    await self._ended(lease, result)
                else:
                    log.info(
                        "digest.done", claims=result.claims, recorded=result.recorded, superseded=result.superseded
                    )
                    self._metrics.observe("digested", result)
                    done.append(lease.stored.id)
            hand.left.remove(lease)
        if done:
            await self._queue.episodes.try_send(*done)

    async def _digest_in_order(self, hand: _InHand, stands: asyncio.Event, progressed: Progressed) -> None:
        """Digest episodes one after the other; none is left that has ended, well or not."""
        for lease in tuple(hand.left):
            hand.begun = [lease]
            with structlog.contextvars.bound_contextvars(episode=lease.stored.id):
                if lease.stored.leases > MAX_LEASES:
                    await self._failed(lease, begun_too_often("never ended", lease.stored.error), attempts=1)
                    hand.left.remove(lease)
                else:
                    await self._all_ended(hand, [lease], [await self._digest_one(lease, stands, progressed)])
            progressed()

    async def _digest_one(
        self, lease: Lease, stands: asyncio.Event, progressed: Progressed
    ) -> ChangeOutcome | Exception:
        try:
            return await self._memory.digestion.digest(lease, stands=stands.set, progressed=progressed)
        except Exception as error:  # noqa: BLE001 - whatever happens, the episode says so
            return error

    async def _ended(self, lease: Lease, error: Exception) -> None:
        """What becomes of an episode whose digest did not come to its end."""
        if isinstance(error, LeaseLost):
            log.info("digest.lease_lost")
        elif isinstance(error, UnavailableError):
            log.warning("digest.unavailable", reason=str(error))
            self._metrics.observe("unavailable")
            longer = 2 ** (lease.stored.leases - 1) if isinstance(error, TransactionEnded) else 1
            seconds = self._settings.retry_seconds * longer  # twice as long each time that Neo4j ended a transaction
            await give_back(self._works, lease.stored.episode.group_id, lease.stored.id, lease.token, error, seconds)
        elif isinstance(error, TimeoutError):
            await self._failed(lease, f"It took longer than {self._settings.digest_timeout:g} seconds.")
        else:
            await self._failed(lease, logged_reason(log, "digest.error", error))

    async def _failed(self, lease: Lease, reason: str, *, attempts: int | None = None) -> None:
        stored, seconds = lease.stored, self._settings.retry_seconds * 2**lease.stored.attempts
        await self._fail(stored.episode.group_id, stored.id, lease.token, reason, seconds, attempts=attempts)

    async def _fail(
        self, group: str, episode_id: str, token: str, reason: str, seconds: float, *, attempts: int | None = None
    ) -> None:
        row = await self._works.fail_work(
            group,
            episode_id,
            token,
            error=reason,
            max_attempts=attempts or self._settings.max_attempts,
            seconds=seconds,
        )
        log.warning("digest.failed", reason=reason, status=row.status if row else None)
        self._metrics.observe("failed")
        await self._queue.episodes.try_send(episode_id)
