"""Health, numbers and the documentation page."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from graphmem.answers.groups import Live, ReadinessOut, ServicePartOut
from graphmem.api import docs
from graphmem.api.errors import NotReady
from graphmem.api.openapi import documented
from graphmem.api.readiness import ReadinessChecks
from graphmem.model.readiness import PartStatus, overall
from graphmem.process.metrics import EXPOSITION_TYPE

router = APIRouter(tags=["service"])


_READY = {"status": "ready", "reason": None}
_AWAY = {"status": "degraded", "reason": "The queue does not answer (ConnectionError). Start Redis or Valkey again."}


async def _readiness(request: Request) -> ReadinessChecks:
    return request.app.state.readiness


@router.get("/health/live", **documented("Whether the process answers", 403, 422))
async def live() -> Live:
    return Live()


@router.get(
    "/health/ready",
    **documented(
        "Whether the service serves, part by part; 503 when it cannot: Neo4j or its schema is not usable",
        *(403, 422, 503),
    ),
)
async def ready(readiness: Annotated[ReadinessChecks, Depends(_readiness)]) -> ReadinessOut:
    parts = await readiness.parts()
    status = overall(parts.values())
    if status is PartStatus.UNAVAILABLE:
        raise NotReady(parts)
    shown = {name: ServicePartOut(status=part.status.value, reason=part.reason) for name, part in parts.items()}
    return ReadinessOut(status="ready" if status is PartStatus.READY else "degraded", parts=shown)


@router.get(
    "/metrics",
    response_class=Response,
    **documented(
        "Numbers for Prometheus",
        *(401, 403, 422),
        media_type="text/plain",
    ),
)
async def metrics(request: Request) -> Response:
    return Response(request.app.state.metrics.exposition(), media_type=EXPOSITION_TYPE)


@router.get("/openapi.json", include_in_schema=False)
async def description(request: Request) -> JSONResponse:
    return JSONResponse(request.app.openapi())


@router.get("/docs", include_in_schema=False)
async def documentation(request: Request) -> HTMLResponse:
    content = docs.page(request.app.openapi(), str(request.base_url).rstrip("/"))
    return HTMLResponse(content, headers={"Content-Security-Policy": docs.SECURITY})
