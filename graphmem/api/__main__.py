"""``python -m graphmem.api``: the HTTP service."""

import asyncio
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager, nullcontext

import structlog
import uvicorn

from graphmem.api.app import create_app
from graphmem.api.auth import open_gate
from graphmem.api.backend import open_backend
from graphmem.process.connections import server_config
from graphmem.settings import Settings
from graphmem.wiring import run_process

_GRACE_SECONDS = 10

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class _Server(uvicorn.Server):
    """Stops at SIGINT and SIGTERM without passing them on, so that what was opened around it is closed."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, self.handle_exit, number, None)
        yield


async def serve(settings: Settings) -> None:
    """Serve until told to stop.

    Raises:
        ConfigurationError, StoreUnavailable, MigrationError: it cannot start; says what to do.
    """
    open_gate(settings)  # says what is wrong with it before anything is opened
    async with open_backend(settings) as backend:
        app = create_app(settings, lambda _: nullcontext(backend))
        config = server_config(
            app,
            header_seconds=settings.api.header_seconds,
            unread_seconds=settings.api.unread_seconds,
            trusted_proxies=settings.api.trusted_proxies,
            host=settings.api.host,
            port=settings.api.port,
            log_config=None,
            lifespan="on",
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
        log.info("api.starting", host=settings.api.host, port=settings.api.port)
        await _Server(config).serve()


if __name__ == "__main__":
    sys.exit(run_process(serve))
