"""What all work under a lease needs: the lease renewed while it is done, and words for how it failed."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import structlog

from graphmem.errors import GraphmemError, StoreUnavailable, TransactionEnded, UnavailableError, reason_of
from graphmem.process.background import Background, Healthy
from graphmem.store.work import WorkStore

MAX_LEASES = 10
"""Beginnings without an end, or without a step, after which the work itself is taken to be what kills its worker."""

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


async def give_back(
    works: WorkStore, group: str, id_: str, lease: str, error: UnavailableError, seconds: float
) -> None:
    """Return work that ``error`` kept from being done; it is due again after so many seconds.

    A server that is away spends nothing. A transaction that Neo4j ended spends the lease, and the work says why.
    """
    spent = isinstance(error, TransactionEnded)
    reason = reason_of(error) if spent else None
    await works.return_work(group, id_, lease, seconds, spent=spent, error=reason)


def logged_reason(log: Log, unforeseen: str, error: Exception) -> str:
    """What is said of a failure; errors that are not ours are ``unforeseen``, and logged."""
    if not isinstance(error, GraphmemError):
        log.error(unforeseen, exc_info=error)
    return reason_of(error)


def begun_too_often(what: str, error: str | None) -> str:
    """Why something failed that was begun so often, with the last error that is known of it."""
    return f"It was begun {MAX_LEASES} times and {what}." + (f" Last: {error}" if error else "")
