"""What the service stands on: graphmem's services, and the queue for those who digest."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

import structlog

from graphmem.errors import QueueUnavailable
from graphmem.model.episode import EpisodeStatus
from graphmem.process.background import Background
from graphmem.queue.counters import Counters
from graphmem.queue.redis import Queue, open_queue
from graphmem.queue.wakeups import WakeUp
from graphmem.settings import Settings
from graphmem.trust.limits import CallerLimits
from graphmem.wiring import PreloadedModel, Services, open_services

FILES_AT_ONCE = 2
"""Files that a process reads at once: some formats are held as a whole."""
FILES_IN_HAND = 8
"""Files that a process receives, or has on its disk, at once."""

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class WorkQueue(Protocol):
    """Wakes up workers, and those who wait for an episode. Losing every message loses nothing."""

    def expect(self, episode_id: str) -> AbstractContextManager[WakeUp]:
        """A signal that is given when something becomes of an episode; one may be lost."""
        ...

    async def wake_workers(self, group: str) -> None:
        """Tell workers that a group has work to do. Raises ``QueueUnavailable``."""
        ...

    async def ping(self) -> None:
        """Raises ``QueueUnavailable``."""
        ...


async def wake(queue: WorkQueue, group: str) -> bool:
    """Tell workers that a group has work to do; returns whether that worked. If not, they look for what is due."""
    try:
        await queue.wake_workers(group)
    except QueueUnavailable as error:
        log.warning("workers.not_told", group=group, reason=str(error))
        return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    services: Services
    queue: WorkQueue
    background: Background = field(default_factory=Background)
    limits: CallerLimits = field(default_factory=CallerLimits)
    reading: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(FILES_AT_ONCE))
    """Held while a file that was handed in is looked through, or some of it is read."""
    files: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(FILES_IN_HAND))
    """Held while a file is in hand."""


def limits_of(services: Services, queue: Queue) -> CallerLimits:
    """The limits of callers as the settings say, counted where the queue is."""

    async def stored(group: str) -> int:
        return sum((await services.memory.store.work_of_group(group, sorted(EpisodeStatus))).values())

    return CallerLimits(services.settings.limits, Counters(queue.redis), stored)


OpenBackend = Callable[[Settings], AbstractAsyncContextManager[Backend]]


@asynccontextmanager
async def open_backend(settings: Settings) -> AsyncGenerator[Backend]:
    """Services and queue, closed in reverse.

    Raises:
        ConfigurationError, StoreUnavailable, MigrationError: as ``open_services`` and ``open_queue`` do.
    """
    preload: frozenset[PreloadedModel] = frozenset({"embedder"})  # questions are embedded here; the worker reads texts
    background = Background()
    async with (
        open_services(settings, preload=preload, background=background) as services,
        open_queue(settings.redis) as queue,
        queue.episodes.heard(background),
        background.running(
            "uses", partial(services.disk.writing, services.memory.uses.flush, settings.fading.flush_seconds)
        ),
        background.running("keys", partial(services.disk.writing, services.keys.flush, settings.keys.flush_seconds)),
    ):
        yield Backend(services=services, queue=queue, background=background, limits=limits_of(services, queue))
        if services.disk.shortage is None:
            await services.memory.uses.flush()
            await services.keys.flush()
