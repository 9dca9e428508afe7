"""Every error that leaves over HTTP is a problem document (RFC 9457, ``application/problem+json``)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import Scope

from graphmem.errors import (
    CallerError,
    Conflict,
    Forgotten,
    GraphmemError,
    InvalidInput,
    ReadingTimedOut,
    Unauthenticated,
    UnavailableError,
    Unreadable,
)
from graphmem.model.damage import damage_warnings
from graphmem.model.group import NamedGroup
from graphmem.model.readiness import ServicePart

MEDIA_TYPE = "application/problem+json"
MAX_ERRORS = 20
_LONGEST_DETAIL = 600
_GROUP = re.compile(r"/v1/groups/[^/]+")
_FORGET_IT = (
    'A group is deleted by forgetting it: POST …/forget with {"everything": true} previews that; confirmed, a job '
    "erases all of it (graphmem forget --everything)."
)

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class FieldError:
    """One thing wrong with a request: a JSON pointer into a part of it (body, query, path or header), and why."""

    part: str
    pointer: str
    detail: str


class InvalidRequest(InvalidInput):
    """A value in the request cannot be used."""

    def __init__(self, errors: Sequence[FieldError]) -> None:
        first = errors[0]
        why = f"{first.detail.rstrip('.')}. And {len(errors) - 1} more." if len(errors) > 1 else first.detail
        super().__init__(f"{first.part} {first.pointer or 'as a whole'}: {why}")
        self.errors = tuple(errors[:MAX_ERRORS])

    def members(self) -> dict[str, object]:
        return {
            "errors": [{"in": error.part, "pointer": error.pointer, "detail": error.detail} for error in self.errors]
        }


class AmbiguousName(Conflict):
    """The name belongs to several entities."""

    slug = "ambiguous-name"

    def __init__(self, message: str, candidates: Sequence[Mapping[str, str]]) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)

    def members(self) -> dict[str, object]:
        return {"candidates": list(self.candidates)}


class NotReady(UnavailableError):
    """The service is not ready."""

    slug = "not-ready"

    def __init__(self, parts: Mapping[str, ServicePart]) -> None:
        super().__init__("; ".join(f"{name}: {part.reason}" for name, part in parts.items() if part.reason))
        self.parts = dict(parts)

    def members(self) -> dict[str, object]:
        return {"parts": {name: asdict(part) for name, part in self.parts.items()}}


def invalid(part: str, pointer: str, detail: str) -> InvalidRequest:
    return InvalidRequest([FieldError(part, pointer, detail)])


def pointer_to(*path: str) -> str:
    """A JSON pointer (RFC 6901)."""
    return "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in path)


def field_errors(errors: Sequence[Mapping[str, Any]]) -> list[FieldError]:
    """Pydantic's errors, whose ``loc`` begins with the part of the request, without what was put in."""
    return [_field_error(error) for error in errors]


def _field_error(error: Mapping[str, Any]) -> FieldError:
    part, *path = [str(step) for step in error["loc"]] or ["body"]
    return FieldError(part, pointer_to(*path)[:200], str(error["msg"]).removeprefix("Value error, ")[:_LONGEST_DETAIL])


def problem(status: int, title: str, slug: str, detail: str, **members: object) -> dict[str, object]:
    return {
        "type": f"urn:graphmem:problem:{slug}",
        "title": title,
        "status": status,
        "detail": detail[:_LONGEST_DETAIL],
        **members,
    }


def problem_of(error: GraphmemError) -> dict[str, object]:
    """What a caller is told. What broke in graphmem itself is told to the log, not to the caller."""
    if error.category == "ours" and not isinstance(error, ReadingTimedOut | Unreadable):
        detail = "Graphmem could not do this. Its log says more, under this request id."
        return problem(error.status, error.title(), error.slug, detail)
    members = error.members() if isinstance(error, InvalidRequest | AmbiguousName | NotReady | Forgotten) else {}
    return problem(error.status, error.title(), error.slug, str(error), **members)


def respond(document: Mapping[str, object], request_id: str, path: str, headers: Mapping[str, str]) -> JSONResponse:
    content = {**document, "instance": path[:_LONGEST_DETAIL], "request_id": request_id}
    if warnings := damage_warnings():
        content["warnings"] = warnings
    status = document["status"]
    return JSONResponse(
        content, status if isinstance(status, int) else 500, media_type=MEDIA_TYPE, headers=dict(headers)
    )


def group_of(scope: Scope) -> NamedGroup | None:
    """The group that a request is about, as it is called; None where that was not looked up."""
    return scope.get("graphmem.group")


def error_response(error: GraphmemError, request_id: str, path: str, group: NamedGroup | None = None) -> JSONResponse:
    """The document of an error. What names the group by the id that it has inside names it as it is called."""
    headers = {"WWW-Authenticate": "Bearer"} if isinstance(error, Unauthenticated) else {}
    if error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    if not isinstance(error, CallerError):
        log.warning("request.failed", problem=error.slug, exc_info=error)
    document = problem_of(error)
    if group is not None and group.id != group.name:
        detail = str(document["detail"]).replace(repr(group.id), repr(group.name))
        document["detail"] = detail.replace(f"/v1/groups/{group.id}/", f"/v1/groups/{group.name}/")
    return respond(document, request_id, path, headers)


def unexpected_response(error: Exception, request_id: str, path: str) -> JSONResponse:
    log.error("request.crashed", exc_info=error)
    document = problem(500, "Something went wrong in graphmem", "internal", "The log says more, under this request id.")
    return respond(document, request_id, path, {})


def install(app: FastAPI) -> None:
    """Make every error that a route raises a problem document."""
    app.exception_handler(GraphmemError)(_graphmem_error)
    app.exception_handler(RequestValidationError)(_validation_error)
    app.exception_handler(HTTPException)(_router_error)


async def _graphmem_error(request: Request, error: GraphmemError) -> JSONResponse:
    path = request.scope.get("graphmem.path", request.url.path)
    return error_response(error, request_id_of(request), path, group_of(request.scope))


async def _validation_error(request: Request, error: RequestValidationError) -> JSONResponse:
    return await _graphmem_error(request, InvalidRequest(field_errors(error.errors())))


async def _router_error(request: Request, error: HTTPException) -> JSONResponse:
    """404 and 405 of the router."""
    status = HTTPStatus(error.status_code)
    slug = status.phrase.lower().replace(" ", "-")
    detail = {
        HTTPStatus.NOT_FOUND: "There is no such path. /docs lists those that there are.",
        HTTPStatus.METHOD_NOT_ALLOWED: f"{request.method} is not for this path.",
    }.get(status, status.description)
    if status is HTTPStatus.METHOD_NOT_ALLOWED and request.method == "DELETE" and _GROUP.fullmatch(request.url.path):
        detail = _FORGET_IT
    document = problem(status.value, status.phrase, slug, detail)
    path = request.scope.get("graphmem.path", request.url.path)
    return respond(document, request_id_of(request), path, error.headers or {})


def request_id_of(request: Request) -> str:
    return str(request.scope.get("graphmem.request_id", ""))
