"""Health, numbers and the documentation page."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from graphmem.answers.groups import Live, Ready
from graphmem.api import docs
from graphmem.api.errors import NotReady
from graphmem.api.openapi import documented
from graphmem.api.readiness import CHECKED, Readiness
from graphmem.metrics import EXPOSITION_TYPE

router = APIRouter(tags=["service"])


async def _readiness(request: Request) -> Readiness:
    return request.app.state.readiness


@router.get("/health/live", **documented("Whether the process answers", {"status": "live"}, 403, 422))
async def live() -> Live:
    return Live()


@router.get(
    "/health/ready",
    **documented(
        "Whether everything behind it answers; 503 names what does not",
        {"status": "ready", "checked": list(CHECKED)},
        *(403, 422, 503),
    ),
)
async def ready(readiness: Annotated[Readiness, Depends(_readiness)]) -> Ready:
    missing = await readiness.missing()
    if missing:
        raise NotReady(missing)
    return Ready(checked=list(CHECKED))


@router.get(
    "/metrics",
    response_class=Response,
    **documented(
        "Numbers for Prometheus",
        'graphmem_http_requests_total{method="GET",route="/health/live",status="200"} 1.0\n',
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
