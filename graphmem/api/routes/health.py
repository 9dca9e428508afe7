"""Health, numbers, and the documentation of the calls."""

from typing import Annotated

from fastapi import Depends, Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from graphmem.answers.groups import Live, ReadinessOut
from graphmem.api.deps import OVERSEEN
from graphmem.api.documentation import SECURITY
from graphmem.api.errors import NotReady
from graphmem.api.openapi import CallRouter
from graphmem.api.readiness import ReadinessChecks
from graphmem.model.readiness import PartStatus, overall
from graphmem.process.metrics import EXPOSITION_TYPE

router = CallRouter(tags=["service"])


async def _readiness(request: Request) -> ReadinessChecks:
    return request.app.state.readiness


@router.call("GET", "/health/live", problems=(403, 422))
async def live() -> Live:
    """Whether the process answers."""
    return Live()


@router.call("GET", "/health/ready", problems=(403, 422, 503))
async def ready(readiness: Annotated[ReadinessChecks, Depends(_readiness)]) -> ReadinessOut:
    """Whether the service serves, part by part; 503 when it cannot: Neo4j or its schema is not usable."""
    parts = await readiness.parts()
    status = overall(parts.values())
    if status is PartStatus.UNAVAILABLE:
        raise NotReady(parts)
    return ReadinessOut.of(status="ready" if status is PartStatus.READY else "degraded", parts=parts)


@router.call(
    "GET",
    "/metrics",
    problems=(401, 403, 422, 429),
    media_types=("text/plain",),
    response_class=Response,
    dependencies=[OVERSEEN],
)
async def metrics(request: Request) -> Response:
    """Numbers for Prometheus."""
    return Response(request.app.state.metrics.exposition(), media_type=EXPOSITION_TYPE)


@router.get("/openapi.json", include_in_schema=False)
async def description(request: Request) -> JSONResponse:
    return JSONResponse(request.app.openapi())


@router.get("/docs", include_in_schema=False)
async def documentation(request: Request) -> HTMLResponse:
    content = request.app.state.documentation.at(str(request.base_url).rstrip("/"))
    return HTMLResponse(content, headers={"Content-Security-Policy": SECURITY})
