"""The worker process: digests and re-projects what the queue names, and sweeps up what the queue lost."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager
from datetime import UTC
from pathlib import Path
from typing import Any, Self

import arq
import structlog
from arq import cron, func
from arq.cron import CronJob
from redis.exceptions import RedisError

from graphmem.background import Background, Healthy
from graphmem.errors import UnavailableError
from graphmem.jobs.digester import Digester
from graphmem.jobs.hints import LOOK_SECONDS, Hint
from graphmem.jobs.queue import ANY_WORK, QUEUE_NAME, AnyWork, Queue, Reprojecting, Work, open_queue, to_json
from graphmem.jobs.reprojector import Reprojector
from graphmem.metrics import DigestMetrics
from graphmem.services import Services
from graphmem.settings import JobSettings

SWEEP_LIMIT = 1_000
RECONNECT_SECONDS = 1.0
GRACE_SECONDS = 5.0

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


async def run_worker(services: Services) -> None:
    """Work until SIGINT or SIGTERM; then finish what is in hand. A queue that goes away is waited for.

    Raises:
        ModelUnavailable: a model is not where the settings say.
    """
    settings, metrics = services.settings, DigestMetrics()
    stop, ready = _stop_event(), ReadyFile(settings.data_dir)
    background = Background(changed=lambda: ready.write(background.failing()))
    metrics.show_failures(background.failures)
    async with open_queue(settings.redis) as queue:
        digester = Digester(services.memory, queue, settings.jobs, metrics, background)
        jobs = {
            "services": services,
            "digester": digester,
            "reprojector": Reprojector(
                services.predicates, services.evidence, queue, settings.jobs, background=background
            ),
        }
        with metrics.served(settings.jobs.metrics_host, settings.jobs.metrics_port), ready:
            async with queue.work.heard(background), sweeping(services, queue, background), aclosing(digester):
                await _warm(services, stop)
                log.info("worker.ready", concurrency=settings.jobs.concurrency)
                while not stop.is_set():
                    await take_jobs(queue, jobs, settings.jobs, stop)
        log.info("worker.stopped")


def _stop_event() -> asyncio.Event:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


async def _warm(services: Services, stop: asyncio.Event) -> None:
    """Wait for the models, which import for seconds; the queue keeps what comes meanwhile."""
    warming, stopping = asyncio.create_task(services.warm()), asyncio.create_task(stop.wait())
    await asyncio.wait({warming, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if warming.done():
        await warming


class _Worker(arq.Worker):
    """arq's, which looks at the queue when there is something in it, or room for it, instead of all the time."""

    def __init__(self, work: Hint, **options: Any) -> None:
        super().__init__(poll_delay=0, **options)
        self._work = work

    async def _poll_iteration(self) -> None:
        await super()._poll_iteration()
        await self._work.wait(LOOK_SECONDS)

    def _release_sem_dec_counter_on_complete(self) -> None:
        super()._release_sem_dec_counter_on_complete()
        self._work.give()


async def take_jobs(queue: Queue, jobs: dict[str, Any], settings: JobSettings, stop: asyncio.Event) -> None:
    """Take jobs until told to stop, or until the queue goes away."""
    with queue.work.expect(ANY_WORK) as work:
        await _run(_worker(queue, jobs, settings, work), stop)


def _worker(queue: Queue, jobs: dict[str, Any], settings: JobSettings, work: Hint) -> arq.Worker:
    timeout = settings.digest_timeout + 30
    return _Worker(
        work,
        functions=[
            func(_digest, name="digest", keep_result=0, timeout=timeout, max_tries=1_000),
            func(_reproject, name="reproject", keep_result=0, timeout=timeout, max_tries=1_000),
        ],
        cron_jobs=list(nightly(settings)),
        timezone=UTC,
        queue_name=QUEUE_NAME,
        redis_pool=queue.redis,
        ctx=jobs,
        handle_signals=False,
        max_jobs=settings.concurrency,
        keep_result=0,
        log_results=False,
        job_serializer=to_json,
        job_deserializer=json.loads,
    )


async def _run(worker: arq.Worker, stop: asyncio.Event) -> None:
    working, stopping = asyncio.create_task(worker.async_run()), asyncio.create_task(stop.wait())
    await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    try:
        if working.done():
            await working
        else:
            await _finish(worker)
    except (RedisError, OSError) as error:
        log.warning("worker.queue_unavailable", reason=type(error).__name__)
        await asyncio.sleep(RECONNECT_SECONDS)


async def _finish(worker: arq.Worker) -> None:
    """Take no more jobs, and end. A digest that outlives its grace is cancelled; its lease runs out."""
    worker.allow_pick_jobs = False
    if worker.tasks:
        await asyncio.wait(worker.tasks.values(), timeout=GRACE_SECONDS)
    await worker.close()


async def _digest(ctx: dict[str, Any], group: str, episode_id: str) -> None:
    digester: Digester = ctx["digester"]
    await digester.digest(group, episode_id)


def nightly(settings: JobSettings) -> Iterator[CronJob]:
    """What one of the workers does once a day."""
    if settings.reread_hour >= 0:
        yield cron(reread, name="reread", hour=settings.reread_hour, minute=0, max_tries=1, keep_result=0)


async def reread(ctx: dict[str, Any]) -> None:
    """Have episodes digested anew of which little was read: they are due then, and the sweeper finds them."""
    services: Services = ctx["services"]
    version, limit = services.extractors.accurate.version, services.settings.jobs.reread_limit
    log.info("reread.asked", episodes=await services.memory.intake.reread(version, limit))


async def _reproject(ctx: dict[str, Any], group: str, reprojection_id: str) -> None:
    reprojector: Reprojector = ctx["reprojector"]
    await reprojector.reproject(group, reprojection_id)


@asynccontextmanager
async def sweeping(services: Services, queue: Queue, background: Background) -> AsyncGenerator[None]:
    """Look from time to time for work that is due and that the queue does not know."""

    async def sweep(healthy: Healthy) -> None:
        while True:
            try:
                found = await queue.put_due(await _due(services))
                healthy()
                if found:
                    log.info("sweep.enqueued", jobs=found)
            except UnavailableError as error:
                log.warning("sweep.unavailable", reason=str(error))
            await asyncio.sleep(services.settings.jobs.sweep_seconds)

    async with background.running("sweeper", sweep):
        yield


async def _due(services: Services) -> list[AnyWork]:
    """Everything that somebody should be at, and nobody is."""
    episodes = await services.memory.store.due_episodes(SWEEP_LIMIT)
    reprojections = await services.predicates.due_reprojections(SWEEP_LIMIT)
    return [
        *(Work(row.group_id, row.id, row.leases, row.revision) for row in episodes),
        *(Reprojecting(row.group_id, row.id, row.generation, row.leases) for row in reprojections),
    ]


class ReadyFile:
    """``run/worker-<pid>.ready`` in the data directory: this worker has what it needs, except perhaps its models.

    While a background task fails there is ``run/worker-<pid>.failing`` instead, which says why.
    """

    def __init__(self, data_dir: Path) -> None:
        self._ready = data_dir / "run" / f"worker-{os.getpid()}.ready"
        self._failing = self._ready.with_suffix(".failing")

    def __enter__(self) -> Self:
        self._ready.parent.mkdir(parents=True, exist_ok=True)
        self.write({})
        return self

    def __exit__(self, *_: object) -> None:
        self._ready.unlink(missing_ok=True)
        self._failing.unlink(missing_ok=True)

    def write(self, failing: Mapping[str, str]) -> None:
        """Say that the worker is ready, or which of its tasks fail, and why."""
        if failing:
            self._failing.write_text("\n".join(f"{task}: {reason}" for task, reason in failing.items()), "utf-8")
            self._ready.unlink(missing_ok=True)
        else:
            self._failing.unlink(missing_ok=True)
            self._ready.touch()
