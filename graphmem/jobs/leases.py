"""What every job under a lease needs: the lease renewed while it works, and words for how it failed."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import structlog

from graphmem.errors import GraphmemError, StoreUnavailable

Log = structlog.stdlib.BoundLogger


@asynccontextmanager
async def kept(log: Log, missed: str, seconds: float, renew: Callable[[], Awaitable[None]]) -> AsyncGenerator[None]:
    """Renew a lease of so many seconds while the body runs; ``missed`` is logged when the store does not answer."""
    renewing = asyncio.create_task(_renew(log, missed, seconds, renew))
    try:
        yield
    finally:
        renewing.cancel()


async def _renew(log: Log, missed: str, seconds: float, renew: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(seconds / 3)
        try:
            await renew()
        except StoreUnavailable:
            log.warning(missed)


def reason_of(log: Log, unforeseen: str, error: Exception) -> str:
    """What is said of a failure: words for errors of ours, never content; others are ``unforeseen``, and logged."""
    if isinstance(error, GraphmemError):
        return f"{error.title()}: {error}"
    log.error(unforeseen, exc_info=error)
    return f"{type(error).__name__} (the worker's log has the details)."
