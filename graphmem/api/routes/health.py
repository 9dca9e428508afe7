"""Health, numbers, and a page of documentation made from the OpenAPI document, without scripts or anything foreign."""

import json
from html import escape
from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from graphmem.answers.groups import Live, ReadinessOut
from graphmem.api.deps import OVERSEEN
from graphmem.api.errors import NotReady
from graphmem.api.openapi import CallRouter, operations
from graphmem.api.readiness import ReadinessChecks
from graphmem.model.readiness import PartStatus, overall
from graphmem.process.metrics import EXPOSITION_TYPE

router = CallRouter(tags=["service"])

_SECURITY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_STYLE = """
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:62rem;margin:2rem auto;padding:0 1rem}
details{border:1px solid #8884;border-radius:.4rem;margin:.5rem 0;padding:.3rem .8rem}
summary{cursor:pointer}
code,pre{font:.85rem/1.45 ui-monospace,monospace}
pre{background:#8882;border-radius:.4rem;padding:.8rem;overflow:auto}
.m{display:inline-block;min-width:4rem;font-weight:600}
td{padding:.1rem 1rem .1rem 0;vertical-align:top}
"""


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
    content = _page(request.app.openapi(), str(request.base_url).rstrip("/"))
    return HTMLResponse(content, headers={"Content-Security-Policy": _SECURITY})


def _page(document: dict[str, Any], base_url: str) -> str:
    info = document["info"]
    calls = "\n".join(_call(*call, base_url) for call in operations(document))
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(info["title"])}</title><style>{_STYLE}</style></head>
<body><h1>{escape(info["title"])} {escape(info["version"])}</h1><p>{escape(info["description"])}</p>
<p>Send the token as <code>Authorization: Bearer …</code>. For programs: <a href="/openapi.json">openapi.json</a>.
Errors are problem documents (RFC 9457).</p>
{calls}
</body></html>
"""


def _call(method: str, path: str, operation: dict[str, Any], base_url: str) -> str:
    parts = [
        f'<summary><span class="m">{method}</span> <code>{escape(path)}</code> ',
        f"{escape(operation['summary'])}</summary>",
        f"<p>{escape(operation.get('description', ''))}</p>",
        _parameters(operation.get("parameters", [])),
        f"<pre>{escape(_curl(method, path, operation, base_url))}</pre>",
        *(_answer(status, answer) for status, answer in operation["responses"].items()),
    ]
    return f"<details>{''.join(parts)}</details>"


def _parameters(parameters: list[dict[str, Any]]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(item['name'])}</code></td><td>{escape(item['in'])}</td>"
        f"<td>{escape(item.get('description') or item.get('schema', {}).get('description', ''))}</td></tr>"
        for item in parameters
    )
    return f"<table>{rows}</table>" if rows else ""


def _curl(method: str, path: str, operation: dict[str, Any], base_url: str) -> str:
    from_story = path.replace("{group}", "maya")
    lines = [f"curl -X {method} '{base_url}{from_story}'"]
    if "security" in operation:
        lines.append('-H "Authorization: Bearer $TOKEN"')
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if body:
        lines += ["-H 'Content-Type: application/json'", f"-d '{json.dumps(body['example'], ensure_ascii=False)}'"]
    return " \\\n  ".join(lines)


def _answer(status: str, answer: dict[str, Any]) -> str:
    blocks = "".join(
        f"<pre>{escape(_pretty(content['example']))}</pre>"
        for content in answer.get("content", {}).values()
        if "example" in content and int(status) < 400  # noqa: PLR2004 - success
    )
    return f"<p><strong>{escape(status)}</strong> {escape(answer.get('description', ''))}</p>{blocks}"


def _pretty(example: Any) -> str:
    return example if isinstance(example, str) else json.dumps(example, indent=2, ensure_ascii=False)
