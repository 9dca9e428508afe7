"""What is ready and what is not, part by part: store, schema, slots, queue, disk, embedding, background tasks."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from functools import partial
from math import inf
from time import monotonic
from typing import Any

import structlog

from graphmem.api.backend import Backend
from graphmem.errors import GraphmemError
from graphmem.model.readiness import PartStatus, ServicePart, failed, working
from graphmem.process.background import Background
from graphmem.process.disk import Disk
from graphmem.recall.rehearsal import Rehearsal
from graphmem.store.migrations import read_migrations
from graphmem.store.queries import cypher_root, load_queries
from graphmem.store.readiness import check_groups, check_schema, check_slots, check_store
from graphmem.wiring import Services

STORE, EMBEDDING = "store", "embedding"
PARTS = (STORE, "schema", "slots", "queue", "disk", EMBEDDING, "background")
_SECONDS = 3.0
_FRESH_SECONDS = 1.0
_LOAD_AGAIN_SECONDS = 10.0
_LONGEST_REHEARSAL = 120.0

Check = Callable[[], Awaitable[str | None]]
"""Gives what a part goes without, and what to do; None where it is ready. Raises a ``GraphmemError`` where it fails."""
Ask = Callable[[], Coroutine[Any, Any, ServicePart]]
"""Gives a part as it is now, within some seconds."""

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class ReadinessChecks:
    """Asks the servers when it is asked; models are loaded and first reads rehearsed once, in the background."""

    def __init__(
        self,
        backend: Backend,
        load_again_seconds: float = _LOAD_AGAIN_SECONDS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._backend = backend
        self._pause = load_again_seconds
        self._models = ServicePart(PartStatus.LOADING, "The embedding model is being loaded.")
        self._plans = ServicePart()
        self._asks = asks_of(backend, clock)

    @asynccontextmanager
    async def warming(self) -> AsyncGenerator[None]:
        """Load the models and rehearse the first reads while the service already answers."""
        task = asyncio.create_task(self._warm())
        try:
            yield
        finally:
            task.cancel()

    async def parts(self) -> dict[str, ServicePart]:
        """Every part as it is now."""
        async with asyncio.TaskGroup() as tasks:
            asked = {name: tasks.create_task(ask()) for name, ask in self._asks.items()}
        parts = {name: task.result() for name, task in asked.items()}
        if self._models.reason is not None:
            parts[EMBEDDING] = self._models
        if self._plans.reason is not None and parts[STORE].reason is None:
            parts[STORE] = self._plans
        return {name: parts[name] for name in PARTS}

    async def _warm(self) -> None:
        """Rehearse the first reads once, and load the models, again and again until they are loaded."""
        if self._backend.services.settings.api.plan_at_start:
            self._plans = ServicePart(PartStatus.LOADING, "Neo4j plans the statements of searches and contexts.")
        while self._models.reason is not None:
            self._models = await _asked(EMBEDDING, self._backend.services.warm, seconds=None)
            log.info("models.warm", problem=self._models.reason)
            if self._plans.reason is not None:
                await self._rehearse()
            await asyncio.sleep(self._pause if self._models.reason else 0)

    async def _rehearse(self) -> None:
        """Have the first reads planned; if that fails or takes too long, whoever reads first waits instead."""
        try:
            async with asyncio.timeout(_LONGEST_REHEARSAL):
                await _rehearsal_of(self._backend.services).run()
        except Exception:
            log.exception("rehearsal.failed")
        finally:
            self._plans = ServicePart()


def _rehearsal_of(services: Services) -> Rehearsal:
    memory, embeds_here = services.memory, services.settings.embedding.provider == "local"
    return Rehearsal(
        memory.store, memory.reader, memory.searcher, services.contexts, services.clock, embeds_here=embeds_here
    )


class CachedCheck:
    """A check that is not made again for a second, nor twice at a time, however many ask."""

    def __init__(self, name: str, check: Check, clock: Callable[[], float]) -> None:
        self._name = name
        self._check = check
        self._clock = clock
        self._lock = asyncio.Lock()
        self._until = -inf
        self._part = ServicePart()

    async def __call__(self) -> ServicePart:
        async with self._lock:
            if self._clock() >= self._until:
                self._part = await _asked(self._name, self._check)
                self._until = self._clock() + _FRESH_SECONDS
            return self._part


def asks_of(backend: Backend, clock: Callable[[], float]) -> Mapping[str, Ask]:
    """How to ask each part how it is, but whether the model is loaded. Neo4j is spared a flood of requests."""
    root, database = cypher_root(), backend.services.database
    queries, migrations = load_queries(root), read_migrations(root)
    asked_of_neo4j: Mapping[str, Check] = {
        "store": partial(check_store, database, queries, _SECONDS),
        "schema": partial(check_schema, database, queries, migrations),
        "slots": partial(check_slots, database, queries),
        EMBEDDING: partial(check_groups, database, queries, backend.services.embedder),
    }
    asked: Mapping[str, Check] = {
        "queue": backend.queue.ping,
        "disk": partial(_shortage, backend.services.disk),
        "background": partial(_failing, backend.background),
    }
    return {
        **{name: CachedCheck(name, check, clock) for name, check in asked_of_neo4j.items()},
        **{name: partial(_asked, name, check) for name, check in asked.items()},
    }


async def _shortage(disk: Disk) -> str | None:
    return disk.shortage


async def _failing(background: Background) -> str | None:
    return "; ".join(f"{task}: {reason}" for task, reason in background.failing().items()) or None


async def _asked(name: str, check: Check, seconds: float | None = _SECONDS) -> ServicePart:
    try:
        async with asyncio.timeout(seconds):
            return working(await check())
    except GraphmemError as error:
        return failed(name, str(error))
    except TimeoutError:
        return failed(name, f"It has not answered for {seconds:g} s. See its log, and how busy its machine is.")
