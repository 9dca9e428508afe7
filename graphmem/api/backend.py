"""What the service stands on: graphmem's services, and the queue for those who digest."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from graphmem.background import Background
from graphmem.errors import QueueUnavailable
from graphmem.jobs.hints import Hint
from graphmem.jobs.queue import open_queue
from graphmem.model.predicate import Reprojection
from graphmem.services import Model, Services, open_services
from graphmem.settings import Settings

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Queue(Protocol):
    """Asks workers to digest episodes and to project predicates again. Losing what it holds loses nothing."""

    def expect(self, episode_id: str) -> AbstractContextManager[Hint]:
        """A hint that is given when something becomes of an episode; one may be lost."""
        ...

    async def enqueue(self, group: str, episode_ids: Iterable[str], revision: int = 0) -> None:
        """Raises ``QueueUnavailable``."""
        ...

    async def reproject(self, reprojection: Reprojection) -> None:
        """Raises ``QueueUnavailable``."""
        ...

    async def ping(self) -> None:
        """Raises ``QueueUnavailable``."""
        ...


async def took(work: Awaitable[None], **named: object) -> bool:
    """Whether the queue took some work. If it is away nothing is lost: the workers look for what is due."""
    try:
        await work
    except QueueUnavailable as error:
        log.warning("enqueue.unavailable", **named, reason=str(error))
        return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    services: Services
    queue: Queue
    background: Background = field(default_factory=Background)


OpenBackend = Callable[[Settings], AbstractAsyncContextManager[Backend]]


@asynccontextmanager
async def open_backend(settings: Settings) -> AsyncGenerator[Backend]:
    """Services and queue, closed in reverse.

    Raises:
        ConfigurationError, StoreUnavailable, MigrationError: as ``open_services`` and ``open_queue`` do.
    """
    preload: frozenset[Model] = frozenset({"embedder"})  # questions are embedded here; the worker reads texts
    background = Background()
    async with (
        open_services(settings, preload=preload) as services,
        open_queue(settings.redis) as queue,
        queue.episodes.heard(background),
    ):
        yield Backend(services=services, queue=queue, background=background)
