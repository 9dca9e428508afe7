"""The application: what it stands on, what surrounds every request, and the calls."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from graphmem import __version__
from graphmem.api import errors, openapi
from graphmem.api.auth import open_gate
from graphmem.api.backend import OpenBackend, open_backend
from graphmem.api.documentation import DocumentationPage
from graphmem.api.middleware import BrowserOrigin, RequestMiddleware
from graphmem.api.preconditions import PRECONDITIONS
from graphmem.api.readiness import ReadinessChecks
from graphmem.api.routes import ROUTERS
from graphmem.process.connections import BodyLimits
from graphmem.process.metrics import RequestMetrics
from graphmem.settings import Settings


def create_app(settings: Settings, open_backend: OpenBackend = open_backend) -> FastAPI:
    """The application; ``open_backend`` is entered when it starts and left when it stops.

    Raises:
        ConfigurationError: it would listen beyond loopback without a key, or the token file cannot be used.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        async with open_backend(settings) as backend:
            app.state.backend = backend
            app.state.readiness = ReadinessChecks(backend)
            app.state.metrics.show_failures(backend.background.failures)
            app.state.metrics.show_degraded(backend.services.memory.questions.degraded)
            app.state.metrics.show_unreadable(backend.services.database.unreadable)
            app.state.metrics.show_limits(backend.limits.refused, backend.limits.uncounted)
            async with app.state.readiness.warming():
                yield

    app = FastAPI(
        title="graphmem",
        version=__version__,
        openapi_url=None,  # a route of ours, which refuses parameters as the others do
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        dependencies=PRECONDITIONS,
    )
    app.state.settings = settings
    app.state.metrics = RequestMetrics()
    bodies = BodyLimits(settings.api.body_pause, settings.api.body_seconds, settings.api.body_rate)
    app.add_middleware(
        RequestMiddleware,
        gate=open_gate(settings),
        keys=lambda: app.state.backend.services.keys,
        names=lambda: app.state.backend.services.names,
        limits=lambda: app.state.backend.limits,
        metrics=app.state.metrics,
        bodies=bodies,
    )
    app.add_middleware(BrowserOrigin, origin=settings.api.browser_origin)  # around the gate: its refusals are read, too
    for router in ROUTERS:
        app.include_router(router)
    errors.install(app)
    openapi.install(app)
    app.state.documentation = DocumentationPage(app.openapi)
    return app
