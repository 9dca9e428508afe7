"""What is ready and what is not: store, queue, schema, models."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import structlog

from graphmem.api.backend import Backend
from graphmem.errors import GraphmemError

CHECKED = ("store", "schema", "queue", "embedding")
_SECONDS = 3.0
_LOAD_AGAIN_SECONDS = 10.0

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Readiness:
    """Asks the servers when it is asked; models are loaded once, in the background.

    The schema is ready when the services are open: they open with it migrated and its indexes online.
    """

    def __init__(self, backend: Backend, load_again_seconds: float = _LOAD_AGAIN_SECONDS) -> None:
        self._backend = backend
        self._pause = load_again_seconds
        self._models: str | None = "the models are being loaded"

    @asynccontextmanager
    async def warming(self) -> AsyncGenerator[None]:
        """Load the models while the service already answers."""
        task = asyncio.create_task(self._warm())
        try:
            yield
        finally:
            task.cancel()

    async def missing(self) -> dict[str, str]:
        """What is not ready, and why."""
        async with asyncio.TaskGroup() as tasks:
            store = tasks.create_task(_reason(self._backend.services.database.ping))
            queue = tasks.create_task(_reason(self._backend.queue.ping))
        found = {"store": store.result(), "queue": queue.result(), "embedding": self._models}
        found |= self._backend.background.failing()
        return {name: reason for name, reason in found.items() if reason is not None}

    async def _warm(self) -> None:
        """Load the models, again and again until they are loaded."""
        while self._models is not None:
            self._models = await _reason(self._backend.services.warm, seconds=None)
            log.info("models.warm", problem=self._models)
            await asyncio.sleep(self._pause if self._models else 0)


async def _reason(check: Callable[[], Awaitable[object]], seconds: float | None = _SECONDS) -> str | None:
    try:
        async with asyncio.timeout(seconds):
            await check()
    except GraphmemError as error:
        return str(error)
    except TimeoutError:
        return f"no answer within {seconds:g} s"
    return None
