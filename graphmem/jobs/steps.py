"""Does work step by step under a lease: one loop for every kind of work that takes longer than a transaction.

May be killed at any instruction and run again: a step that was done changes nothing when it is done again.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import partial

import structlog
from pydantic import TypeAdapter

from graphmem.errors import (
    DiskFull,
    GraphmemError,
    LeaseLost,
    ModelUnavailable,
    StoreUnavailable,
    TransactionEnded,
    UnavailableError,
    reason_of,
)
from graphmem.model.damage import noted
from graphmem.model.work import Taken, Work, WorkProgress, WorkStep
from graphmem.process.background import Background, Healthy
from graphmem.process.disk import UNWATCHED, Disk
from graphmem.process.metrics import DigestMetrics
from graphmem.settings.jobs import JobSettings
from graphmem.store.work import WorkStore

MAX_LEASES = 10
"""Beginnings without an end, or without a step, after which the work itself is taken to be what kills its worker."""
MOST_SHOWN = 200
"""Rows that the result of work tells."""
_PAUSE, _LONGEST_WAIT = 0.05, 1.0
"""Seconds between looks of a step that must wait, and after how many its work is given back: others wait behind it."""
_NOTHING: Mapping[str, object] = {}
NO_COUNTS: Mapping[str, int] = {}
_ROWS: TypeAdapter[list[dict[str, object]]] = TypeAdapter(list[dict[str, object]])
_TEXTS: TypeAdapter[list[str]] = TypeAdapter(list[str])

Log = structlog.stdlib.BoundLogger
log: Log = structlog.get_logger(__name__)


# what all work under a lease needs -----------------------------------------------------------------------------------


@asynccontextmanager
async def kept(
    background: Background, log: Log, missed: str, seconds: float, renew: Callable[[], Awaitable[None]]
) -> AsyncGenerator[None]:
    """Renew a lease of so many seconds while the body runs; ``missed`` is logged when the store does not answer."""

    async def renewing(healthy: Healthy) -> None:
        while True:
            await asyncio.sleep(seconds / 3)
            try:
                await renew()
                healthy()
            except StoreUnavailable:
                log.warning(missed)

    async with background.running("renewal of leases", renewing):
        yield


async def give_back(
    works: WorkStore, group: str, id_: str, lease: str, error: UnavailableError, seconds: float
) -> None:
    """Return work that ``error`` kept from being done; it is due again after so many seconds.

    A server that is away spends nothing. A transaction that Neo4j ended spends the lease, and the work says why.
    """
    spent = isinstance(error, TransactionEnded)
    await works.return_work(group, id_, lease, seconds, spent=spent, error=reason_of(error) if spent else None)


def logged_reason(log: Log, unforeseen: str, error: Exception) -> str:
    """What is said of a failure; errors that are not ours are ``unforeseen``, and logged."""
    if not isinstance(error, GraphmemError):
        log.error(unforeseen, exc_info=error)
    return reason_of(error)


def begun_too_often(what: str, error: str | None) -> str:
    """Why something failed that was begun so often, with the last error that is known of it."""
    return f"It was begun {MAX_LEASES} times and {what}." + (f" Last: {error}" if error else "")


# steps ---------------------------------------------------------------------------------------------------------------


def number(value: object) -> int:
    """A count of progress or result.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, int):
        raise TypeError("Progress is counted in whole numbers.")
    return value


def added(progress: Mapping[str, object], more: Mapping[str, int]) -> dict[str, object]:
    """Progress with these counts on top."""
    return {**progress, **{name: number(progress.get(name, 0)) + count for name, count in more.items()}}


def texts(value: object) -> list[str]:
    """Texts of a cursor.

    Raises:
        ValidationError: it is no list of texts.
    """
    return _TEXTS.validate_python(value)


def rows(value: object) -> list[dict[str, object]]:
    """What a result tells, row by row.

    Raises:
        ValidationError: it is no list of such.
    """
    return _ROWS.validate_python(value)


def with_rows(result: Mapping[str, object], name: str, more_rows: Iterable[Mapping[str, object]]) -> dict[str, object]:
    """A result that tells more under a name, up to ``MOST_SHOWN`` rows; those beyond are counted."""
    every = [*rows(result.get(name, [])), *more_rows]
    beyond = number(result.get("beyond", 0)) + max(0, len(every) - MOST_SHOWN)
    return {**result, name: every[:MOST_SHOWN], "beyond": beyond}


def stepped(
    work: Work,
    cursor: Mapping[str, object] = _NOTHING,
    counts: Mapping[str, int] = NO_COUNTS,
    *,
    result: Mapping[str, object] | None = None,
    finished: bool = False,
    pause: float = 0.0,
) -> WorkStep:
    """A step to a cursor: ``counts`` are added to the progress, and a ``result`` takes the place of the one before."""
    return WorkStep(
        cursor=cursor,
        progress=added(work.progress, counts),
        result=work.result if result is None else result,
        finished=finished,
        pause=pause,
    )


class Steps(ABC):
    """What one kind of work consists of. A step does ``size`` things, and ``most`` at most."""

    most = size = 1

    @abstractmethod
    async def step(self, work: Work) -> WorkStep | None:
        """Do the next step, which may have been done before; None where it must wait a moment."""

    def shrink(self) -> None:
        """Make steps smaller: the last one was too much, or the store was away."""
        self.size = max(1, self.size // 2)

    def grow(self) -> None:
        """Make steps larger again, after one that was done."""
        self.size = min(self.most, 2 * self.size)


class Stepper:
    """Does work of one kind."""

    def __init__(
        self,
        steps: Steps,
        works: WorkStore,
        settings: JobSettings,
        background: Background | None = None,
        metrics: DigestMetrics | None = None,
        disk: Disk = UNWATCHED,
    ) -> None:
        self._steps = steps
        self._works = works
        self._settings = settings
        self._disk = disk
        self._background = background or Background()
        self._metrics = metrics or DigestMetrics()

    async def do(self, taken: Taken) -> None:
        """Work at it until it is done, or for the time of one digest. Never raises but when cancelled."""
        for id_ in taken.ids:
            with structlog.contextvars.bound_contextvars(group=taken.group, work=id_, kind=taken.kind):
                try:
                    await self._do(taken, id_)
                except UnavailableError as error:
                    log.warning("work.unavailable", reason=str(error))

    async def _do(self, taken: Taken, id_: str) -> None:
        renew = partial(self._works.renew_work, taken.group, [id_], taken.lease, self._settings.lease_seconds)
        try:
            async with kept(self._background, log, "work.lease_not_renewed", self._settings.lease_seconds, renew):
                await self._walk(await self._read(taken, id_), taken)
        except LeaseLost:
            log.info("work.lease_lost")
        except UnavailableError as error:
            if not isinstance(error, DiskFull):
                self._steps.shrink()
            self._metrics.observe_job(taken.kind, "unavailable")
            log.warning("work.unavailable", reason=str(error))
            pause = self._settings.retry_seconds
            if isinstance(error, ModelUnavailable):  # it is away for longer, and each try may take as long as it waits
                pause = max(pause, self._settings.embed_seconds)
            await give_back(self._works, taken.group, id_, taken.lease, error, pause)
        except Exception as error:  # noqa: BLE001 - the worker's boundary: whatever happens, the work says so
            await self._failed(taken, id_, logged_reason(log, "work.error", error))

    async def _read(self, taken: Taken, id_: str) -> Work:
        """The work.

        Raises:
            LeaseLost: it is gone.
            Unreadable: its record cannot be read.
        """
        with noted() as damage:
            works = await self._works.works_by_id(taken.group, [id_])
        for work in works:
            if work.group_id == taken.group:
                return work
        if damage:
            raise damage.error()
        raise LeaseLost("The work is gone.")

    async def _walk(self, work: Work, taken: Taken) -> None:
        """Step by step until all is done or the time is up.

        Raises:
            LeaseLost: somebody else took it over, or it was asked for anew.
            DiskFull: there is no room to write any more.
        """
        if work.leases > MAX_LEASES:
            return await self._failed(taken, work.id, begun_too_often("came no step further", work.error), attempts=1)
        began = asyncio.get_running_loop().time()
        until, patient_until = began + self._settings.digest_timeout, began + _LONGEST_WAIT
        while work.status is not WorkProgress.DONE:
            if asyncio.get_running_loop().time() >= until:
                return await self._works.return_work(work.group_id, work.id, taken.lease, 0)
            self._disk.require_room()
            step = await self._steps.step(work)
            if step is None:
                if asyncio.get_running_loop().time() >= patient_until:
                    pause = self._settings.retry_seconds
                    return await self._works.return_work(work.group_id, work.id, taken.lease, pause)
                await asyncio.sleep(_PAUSE)
                continue
            advanced = await self._works.advance_work(work, taken.lease, step, self._settings.lease_seconds)
            if advanced is None:
                raise LeaseLost("Another worker has taken the work over, or it was asked for anew.")
            work = advanced
            if step.pause:
                return await self._works.return_work(work.group_id, work.id, taken.lease, step.pause)
        counts = {name: count for name, count in {**work.progress, **work.result}.items() if isinstance(count, int)}
        self._metrics.observe_job(work.kind, "done", counts, seconds=_seconds(work))
        return log.info("work.done", **counts)

    async def _failed(self, taken: Taken, id_: str, reason: str, *, attempts: int | None = None) -> None:
        row = await self._works.fail_work(
            taken.group,
            id_,
            taken.lease,
            error=reason,
            max_attempts=attempts or self._settings.max_attempts,
            seconds=self._settings.retry_seconds,
        )
        self._metrics.observe_job(taken.kind, "failed")
        log.warning("work.failed", reason=reason, status=row.status if row else None)


def _seconds(work: Work) -> float:
    """How long it took, from its beginning to its end."""
    return (work.finished_at - work.began_at).total_seconds() if work.began_at and work.finished_at else 0.0
