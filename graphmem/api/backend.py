"""What the service stands on: graphmem's services, and the queue for those who digest."""

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from graphmem.jobs.queue import open_queue
from graphmem.model.predicate import Reprojection
from graphmem.services import Model, Services, open_services
from graphmem.settings import Settings


class Queue(Protocol):
    """Asks workers to digest episodes and to project predicates again. Losing what it holds loses nothing."""

    async def enqueue(self, group: str, episode_ids: Iterable[str]) -> None:
        """Raises ``QueueUnavailable``."""
        ...

    async def reproject(self, reprojection: Reprojection) -> None:
        """Raises ``QueueUnavailable``."""
        ...

    async def ping(self) -> None:
        """Raises ``QueueUnavailable``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    services: Services
    queue: Queue


OpenBackend = Callable[[Settings], AbstractAsyncContextManager[Backend]]


@asynccontextmanager
async def open_backend(settings: Settings) -> AsyncGenerator[Backend]:
    """Services and queue, closed in reverse.

    Raises:
        ConfigurationError, StoreUnavailable, MigrationError: as ``open_services`` and ``open_queue`` do.
    """
    preload: frozenset[Model] = frozenset({"embedder"})  # questions are embedded here; the worker reads texts
    async with open_services(settings, preload=preload) as services, open_queue(settings.redis) as queue:
        yield Backend(services=services, queue=queue)
