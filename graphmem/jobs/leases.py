"""What every job under a lease needs: the lease renewed while it works, and words for how it failed."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import structlog

from graphmem.background import Background, Healthy
from graphmem.errors import GraphmemError, StoreUnavailable, reason_of

Log = structlog.stdlib.BoundLogger


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


def logged_reason(log: Log, unforeseen: str, error: Exception) -> str:
    """What is said of a failure; errors that are not ours are ``unforeseen``, and logged."""
    if not isinstance(error, GraphmemError):
        log.error(unforeseen, exc_info=error)
    return reason_of(error)
