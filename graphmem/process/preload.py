"""Models loaded in the background while the process connects and already answers."""

import asyncio
import ctypes
import gc
from collections.abc import Sequence
from contextlib import suppress

import structlog

from graphmem.errors import GraphmemError, ModelUnavailable
from graphmem.model.embedding import Warmable

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Preload:
    """Loads ``models`` in their order, once ``begin`` is set."""

    def __init__(self, models: Sequence[object], begin: asyncio.Event) -> None:
        self._models = [model for model in models if isinstance(model, Warmable)]
        self._begin = begin
        self._task = self._start()

    async def done(self) -> None:
        """Return when every model is loaded. After a load that failed, a new call loads again.

        Raises:
            ModelUnavailable: a model is not where the settings say, or a library that it needs is broken.
            ConfigurationError: a language model cannot be used.
        """
        if self._task.done() and self._task.exception():
            self._task = self._start()
        await asyncio.shield(self._task)

    def cancel(self) -> None:
        self._task.cancel()

    def _start(self) -> "asyncio.Task[None]":
        task = asyncio.create_task(self._load())
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # read, so that asyncio is silent
        return task

    async def _load(self) -> None:
        """Load without the garbage collector, which finds nothing in the millions of objects of models' libraries."""
        if not self._models:
            return
        await self._begin.wait()
        gc.disable()
        try:
            for model in self._models:
                await _warm(model)
        finally:
            gc.freeze()
            gc.enable()
            _return_freed_memory()


async def _warm(model: Warmable) -> None:
    try:
        await asyncio.to_thread(model.warm)
    except GraphmemError:
        raise
    except Exception as error:
        log.exception("model.not_loaded", model=type(model).__name__)
        raise ModelUnavailable(f"A model cannot be loaded: {type(error).__name__}: {error}") from error


def _return_freed_memory() -> None:
    """Give what loading needed for a moment back to the system: with glibc, some 60 MB that it keeps otherwise."""
    with suppress(AttributeError, OSError):  # other C libraries have no such function
        ctypes.CDLL(None).malloc_trim(0)
