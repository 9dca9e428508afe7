"""The description of every call: a summary, worked examples, the problems it may answer with; and ``/docs``."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, NamedTuple

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from graphmem import __version__
from graphmem.api import errors
from graphmem.api.auth import OPEN_PATHS
from graphmem.api.room import needs_room

DESCRIPTION = """A memory that is right about time. Every belief says when it was true (`valid_from`, `valid_to`) and
when it was believed (`recorded_at`, `superseded_at`), and leads back to the sentence that says so. Every read takes
`valid_at` and `known_at`: what was true then, as believed then. Both default to now.

`user` says as whom a call is made: what that user may not see is answered as if it did not exist, and does not change.
It stands in the body of a call whose body has a `user`, else in the query. Without it a call is about everybody's
memory, or is refused where the service says so (`api.require_user`). Calls about a whole group (its ontology,
predicates and sources, asking for a job, the end of an import) take no `user`; jobs may be looked at without.
What a call does not take, it refuses."""

_REF = "#/components/schemas/{model}"
_BODIES = dict[str, TypeAdapter[Any]]()
"""What routes say that they take (``takes``), by name."""
_PROBLEMS = {
    400: "The request cannot be understood",
    401: "No valid key or token came with the request",
    403: "The request is refused",
    404: "What the request names does not exist",
    408: "The body of the request did not come in time",
    409: "The request contradicts what is stored",
    413: "The request is over a limit",
    415: "The body is of a type this call does not take",
    422: "A value in the request cannot be used",
    503: "A server that graphmem needs does not answer",
    507: "Too little is free on the disk of the database to write",
}
_SLUGS = {401: "unauthenticated", 403: "forbidden", 404: "not-found", 409: "conflict", 413: "too-large"} | {
    400: "bad-request",
    408: "body-timed-out",
    415: "unsupported-media-type",
    422: "invalid-input",
    503: "store-unavailable",
    507: "disk-full",
}
_PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "title": "Problem",
    "description": "A problem document as of RFC 9457.",
    "required": ["type", "title", "status", "detail", "instance", "request_id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "request_id": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["in", "pointer", "detail"],
                "properties": {name: {"type": "string"} for name in ("in", "pointer", "detail")},
            },
        },
        "candidates": {"type": "array", "items": {"type": "object"}},
        "parts": {"type": "object"},
        "warnings": {"type": "array", "items": {"type": "string"}},
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CallExample:
    """``answers`` are by status and media type."""

    answers: Mapping[str, Mapping[str, Any]]
    body: Any = None


EXAMPLES: Mapping[str, CallExample] = TypeAdapter(dict[str, CallExample]).validate_json(
    files("graphmem.api").joinpath("examples.json").read_bytes()
)
"""One story, of Maya, who lived in Porto and moved to Lisbon in May 2025, by method and path: “GET /v1/groups”."""


def documented(
    summary: str,
    *problems: int,
    status: int = 200,
    media_type: str = "application/json",
    also: dict[int | str, dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Arguments of a route: its summary, and the problems it may answer with.

    Whose body may be too large, that one's may also be too late.
    """
    late = (408,) if 413 in problems else ()  # noqa: PLR2004 - statuses of HTTP
    responses: dict[int | str, dict[str, Any]] = {
        status: {"description": summary, "content": {media_type: {}}},
        **(also or {}),
        **{code: _problem_response(code) for code in sorted({*problems, *late})},
    }
    return {"summary": summary, "status_code": status, "responses": responses}


def takes(body: Any, *media_types: str, name: str = "", required: bool = True) -> dict[str, Any]:
    """The body of a route that reads it itself; ``name`` is of one that is no class."""
    name = name or body.__name__
    _BODIES[name] = TypeAdapter(body)
    schema = {"schema": {"$ref": _REF.format(model=name)}}
    content = dict.fromkeys(("application/json", *media_types), schema)
    return {"openapi_extra": {"requestBody": {"required": required, "content": content}}}


def install(app: FastAPI) -> None:
    """Describe the bodies that routes read themselves, the problems and the tokens."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _described(app)
        return app.openapi_schema

    app.openapi = openapi


def _described(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(title="graphmem", version=__version__, description=DESCRIPTION, routes=app.routes)
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    schemas["Problem"] = _PROBLEM_SCHEMA
    for name, adapter in _BODIES.items():
        schema = adapter.json_schema(ref_template=_REF)
        schemas |= schema.pop("$defs", {})
        schemas[name] = schema
    components["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer"},
        "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
    }
    for method, path, operation in operations(document):
        _show_example(operation, EXAMPLES[f"{method} {path}"])
        if needs_room(method, path):
            operation["responses"]["507"] = _problem_response(507)
        if path not in OPEN_PATHS:
            operation["security"] = [{"token": []}, {"key": []}]
    return document


def _show_example(operation: dict[str, Any], example: CallExample) -> None:
    """Put examples in as they are: FastAPI leaves their nulls out."""
    for content in operation.get("requestBody", {}).get("content", {}).values():
        content["example"] = example.body
    for status, shown in example.answers.items():
        for media_type, answer in shown.items():
            operation["responses"][status]["content"][media_type]["example"] = answer


def _problem_response(status: int) -> dict[str, Any]:
    document = errors.problem(status, _PROBLEMS[status], _SLUGS[status], "What is wrong, and what to do about it.")
    example = document | {"instance": "/v1/groups/maya/…", "request_id": "0d9f1c2e4b6a48d7a1c3e5f708192a3b"}
    content = {errors.MEDIA_TYPE: {"schema": {"$ref": _REF.format(model="Problem")}, "example": example}}
    return {"description": _PROBLEMS[status], "content": content}


class Operation(NamedTuple):
    """A call, and what the document says of it."""

    method: str
    path: str
    description: dict[str, Any]


def operations(document: dict[str, Any]) -> Iterable[Operation]:
    """Every call."""
    for path, methods in document["paths"].items():
        for method, description in methods.items():
            yield Operation(method.upper(), path, description)
