"""The worker process: does the work that is due in Neo4j, and asks for what the schedule says."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Self

import structlog

from graphmem.errors import UnavailableError
from graphmem.jobs.consolidator import Consolidator
from graphmem.jobs.deduplicator import Deduplicator, Merger
from graphmem.jobs.digester import Digester
from graphmem.jobs.embedder import LateEmbedder, Reembedder
from graphmem.jobs.forgetter import Forgetter
from graphmem.jobs.nights import Enricher, Reprocessor
from graphmem.jobs.redactor import Redactor
from graphmem.jobs.reprojector import Repairer, Reprojector
from graphmem.jobs.runner import BATCHES, Do, Runner
from graphmem.jobs.schedule import scheduled
from graphmem.jobs.steps import Stepper, Steps
from graphmem.jobs.summariser import Reflector, Summariser
from graphmem.model.audit import WORKER, Asker, ask_as
from graphmem.model.cited_writing import Spent
from graphmem.model.work import WorkKind
from graphmem.process.background import Background, Healthy
from graphmem.process.metrics import DigestMetrics
from graphmem.queue.redis import open_queue
from graphmem.wiring import Services
from graphmem.write.bulk import MOST

PLACES_LEFT = 2
"""Places of a worker that calls of a language model about several turns leave to what somebody waits for."""
FIRST_COUNT = 10.0
"""Seconds after its start in which a worker has better to do than to count."""

_BEAT_SECONDS = 2.0

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


async def run_worker(services: Services) -> None:
    """Work until SIGINT or SIGTERM; then finish what is in hand. A queue that goes away is not waited for.

    Raises:
        ModelUnavailable: a model is not where the settings say.
    """
    ask_as(Asker(key=WORKER))
    settings, metrics = services.settings, DigestMetrics()
    stop, ready = _stop_event(), ReadyFile(settings.data_dir)
    background = services.background
    metrics.show_failures(background.failures)
    metrics.show_unreadable(services.database.unreadable)
    async with open_queue(settings.redis) as queue:
        digester = Digester(services.memory, services.works, queue, settings.jobs, metrics, background)
        kinds: dict[WorkKind, Do] = {WorkKind.DIGEST: digester.digest}
        for kind, steps in steps_of(services, metrics.observe_model).items():
            kinds[kind] = Stepper(steps, services.works, settings.jobs, background, metrics, services.disk).do
        with (
            metrics.served(settings.jobs.metrics_host, settings.jobs.metrics_port),
            ready,
            background.watched(lambda: ready.write(background.failing())),
        ):
            async with (
                background.running("signs of life", ready.beating),
                sweeping(services, background),
                chaining(services, background),
                counting(services, background, metrics),
                aclosing(digester),
            ):
                await _warm(services, stop)
                with queue.work.expect_any() as wake_up:
                    together = services.memory.digestion.reads_turns_together
                    runner = Runner(
                        services.works,
                        kinds,
                        wake_up,
                        settings.jobs,
                        disk=services.disk,
                        most=1 if together else MOST,
                        turns=services.memory.digestion.turns_joined,
                        batches=settings.jobs.concurrency - PLACES_LEFT if together else BATCHES,
                    )
                    async with (
                        queue.work.heard(background),
                        scheduled(services, background),
                        runner.running(background),
                    ):
                        log.info("worker.ready", concurrency=settings.jobs.concurrency)
                        await stop.wait()
        log.info("worker.stopped")


def steps_of(services: Services, spent: Spent = lambda _: None) -> dict[WorkKind, Steps]:
    """The steps of what is done step by step, by kind. ``spent`` is told what was asked of a language model."""
    return {
        WorkKind.REPROJECT: Reprojector(services.predicates, services.evidence),
        WorkKind.REPAIR: Repairer(services.evidence, services.settings.jobs.sweep_seconds),
        WorkKind.DEDUP: Deduplicator(services.memory.matching),
        WorkKind.EMBED: LateEmbedder(services.memory.late_vectors),
        WorkKind.REEMBED: Reembedder(services.memory.store, services.predicates, services.memory.late_vectors),
        WorkKind.SUMMARISE: Summariser(
            partial(services.summaries.summarise_one, spent=spent), services.entity_summaries.summarise_one
        ),
        WorkKind.REFLECT: Reflector(services.reflections, spent),
        WorkKind.ENRICH: Enricher(services.memory, services.settings.enrichment),
        WorkKind.CONSOLIDATE: Consolidator(services.memory, services.settings.consolidation),
        WorkKind.FORGET: Forgetter(services.forgetting),
        WorkKind.REDACT: Redactor(services.memory, services.retention),
        WorkKind.MERGE: Merger(services.memory.decisions),
        WorkKind.REPROCESS: Reprocessor(services.memory, *services.extractors.upgrade, services.settings.jobs),
    }


def _stop_event() -> asyncio.Event:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


async def _warm(services: Services, stop: asyncio.Event) -> None:
    """Wait for the models, which import for seconds; work waits in Neo4j meanwhile."""
    warming, stopping = asyncio.create_task(services.warm()), asyncio.create_task(stop.wait())
    await asyncio.wait({warming, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if warming.done():
        await warming


def sweeping(services: Services, background: Background) -> AbstractAsyncContextManager[None]:
    """Close silent sessions from time to time."""

    async def sweep() -> None:
        await services.disk.room()
        await services.memory.sessions.close_silent()

    repeat = partial(_repeat, sweep, services.settings.jobs.sweep_seconds, "sweep.unavailable")
    return background.running("sweeper", repeat)


def chaining(services: Services, background: Background) -> AbstractAsyncContextManager[None]:
    """Put rows of the audit into their chains, some seconds after they were written."""

    async def chain() -> None:
        await services.disk.room()
        await services.audit.chain()

    repeat = partial(_repeat, chain, services.settings.audit.chain_seconds, "audit.not_chained")
    return background.running("audit", repeat)


def counting(services: Services, background: Background, metrics: DigestMetrics) -> AbstractAsyncContextManager[None]:
    """Count from time to time what of all groups is stale, faded and contested."""
    seconds = services.settings.jobs.count_seconds
    if not seconds:
        return nullcontext()

    async def count() -> None:
        counted = await services.memory.store.condition_of_all()
        condition = counted if services.settings.fading.enabled else replace(counted, faded=0)
        metrics.show_condition(condition)
        log.info("memory.counted", **asdict(condition))

    async def counts(healthy: Healthy) -> None:
        await asyncio.sleep(min(seconds, FIRST_COUNT))
        await _repeat(count, seconds, "memory.not_counted", healthy)

    return background.running("counts", counts)


async def _repeat(do: Callable[[], Awaitable[None]], seconds: float, missed: str, healthy: Healthy) -> None:
    """Do something, and again after so many seconds; ``missed`` is logged where a server is away."""
    while True:
        try:
            await do()
            healthy()
        except UnavailableError as error:
            log.warning(missed, reason=str(error))
        await asyncio.sleep(seconds)


class ReadyFile:
    """``run/worker-<pid>.ready`` in the data directory: this worker has what it needs, except perhaps its models.

    While a background task fails there is ``run/worker-<pid>.failing`` instead, which says why.
    """

    def __init__(self, data_dir: Path) -> None:
        self._ready = data_dir / "run" / f"worker-{os.getpid()}.ready"
        self._failing = self._ready.with_suffix(".failing")
        self._alive = self._ready.with_suffix(".alive")

    def __enter__(self) -> Self:
        self._ready.parent.mkdir(parents=True, exist_ok=True)
        self.write({})
        return self

    def __exit__(self, *_: object) -> None:
        for path in (self._ready, self._failing, self._alive):
            path.unlink(missing_ok=True)

    async def beating(self, healthy: Healthy) -> None:
        """Renew the time of ``run/worker-<pid>.alive``: while it is new, this process is not frozen."""
        while True:
            self._alive.touch()
            healthy()
            await asyncio.sleep(_BEAT_SECONDS)

    def write(self, failing: Mapping[str, str]) -> None:
        """Say that the worker is ready, or which of its tasks fail, and why; as far as there is room to say it."""
        try:
            if failing:
                self._ready.unlink(missing_ok=True)
                self._failing.write_text("\n".join(f"{task}: {reason}" for task, reason in failing.items()), "utf-8")
            else:
                self._failing.unlink(missing_ok=True)
                self._ready.touch()
        except OSError as error:
            log.warning("worker.state_not_written", reason=error.strerror)
