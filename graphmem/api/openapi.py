"""The description of every call: a summary, worked examples and the problems it may answer with."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from inspect import cleandoc
from typing import Any, NamedTuple, TypeVar

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from graphmem import __version__
from graphmem.api import errors
from graphmem.api.auth import OPEN_PATHS
from graphmem.api.headings import put_under_headings
from graphmem.api.preconditions import needs_room

DESCRIPTION = """A memory that is right about time. Every belief says when it was true (`valid_from`, `valid_to`) and
when it was believed (`recorded_at`, `superseded_at`), and leads back to the sentence that says so. Every read takes
`valid_at` and `known_at`: what was true then, as believed then. Both default to now.

`user` says as whom a call is made: what that user may not see is answered as if it did not exist, and does not change.
It stands in the body of a call whose body has a `user`, else in the query. Without it a call is about everybody's
memory, or is refused where the service says so (`api.require_user`). Calls about a whole group (its ontology,
predicates and sources, asking for a job, the end of an import) take no `user`; jobs may be looked at without.
What a call does not take, it refuses.

A key may read, write, erase or administer some groups, perhaps for some users and as some agents only. One that acts
for one user need not name it; one that acts for several reads without `user` what everybody may see, and names one to
write."""

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])

_REF = "#/components/schemas/{model}"
_BODIES = dict[str, TypeAdapter[Any]]()
"""What calls say that they take, by name."""
IN_GROUP = (401, 403, 404, 422, 429, 503)
"""The problems of a call about a group that is there already."""
ANYWHERE = (401, 403, 422, 429, 503)
"""Those of a call that makes its group, or is about none."""
_OF_BODY = (408, 413, 415)
_PROBLEMS = {
    401: ("unauthenticated", "No valid key or token came with the request"),
    403: ("forbidden", "The request is refused"),
    404: ("not-found", "What the request names does not exist"),
    408: ("body-timed-out", "The body of the request did not come in time"),
    409: ("conflict", "The request contradicts what is stored"),
    412: ("precondition-failed", "It is not as it was when the caller read it"),
    413: ("too-large", "The request is over a limit"),
    415: ("unsupported-media-type", "The body is of a type this call does not take"),
    422: ("invalid-input", "A value in the request cannot be used"),
    429: ("rate-limited", "More came in a minute, or in a day, than is taken"),
    503: ("store-unavailable", "A server that graphmem needs does not answer"),
    507: ("disk-full", "Too little is free on the disk of the database to write"),
}
"""By status, how it is called and what it is."""
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
        "tombstones": {"type": "array", "items": {"type": "string"}},
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


@dataclass(frozen=True, slots=True)
class TakenBody:
    """The body of a call that reads it itself; ``name`` is of one that is no class."""

    model: Any
    media_types: tuple[str, ...] = ()
    name: str = ""
    required: bool = True
    only: bool = False
    """Whether it takes no JSON, but only ``media_types``."""

    def described(self) -> dict[str, Any]:
        name = self.name or self.model.__name__
        _BODIES[name] = TypeAdapter(self.model)
        schema = {"schema": {"$ref": _REF.format(model=name)}}
        content = dict.fromkeys((*(() if self.only else ("application/json",)), *self.media_types), schema)
        return {"requestBody": {"required": self.required, "content": content}}


class CallRouter(APIRouter):
    """Calls that their docstrings describe: the first paragraph is a call's summary, the rest says more of it."""

    def call(
        self,
        method: str,
        path: str,
        *more: int,
        problems: tuple[int, ...] = IN_GROUP,
        takes: Any = None,
        status: int = 200,
        media_types: tuple[str, ...] = ("application/json",),
        also: Mapping[int, Mapping[str, Any]] | None = None,
        notes: str = "",
        **options: Any,
    ) -> Callable[[Endpoint], Endpoint]:
        """A decorator that adds a call.

        It answers with ``status``, or one of those that are described in ``also``, or with one of ``problems`` and
        ``more`` of these; about a group also as about one that has another name, or is archived. ``takes`` is the model
        of its body, or the whole of what it takes. ``notes`` stand below what its docstring says.
        """
        taken = takes if takes is None or isinstance(takes, TakenBody) else TakenBody(takes)
        about_group = "{group}" in f"{self.prefix}{path}"
        named = (404, *(() if method == "GET" else (409,))) if about_group else ()  # another name; archived
        codes = sorted({*problems, *more, *named, *(_OF_BODY if taken else ())})

        def add(endpoint: Endpoint) -> Endpoint:
            text = cleandoc(endpoint.__doc__ or "")
            summary = _summary(text)
            self.add_api_route(
                path,
                endpoint,
                methods=[method],
                status_code=status,
                summary=summary,
                description=f"{text}\n\n{notes}",
                responses={
                    status: {"description": summary, "content": {name: {} for name in media_types}},
                    **{code: dict(answer) for code, answer in (also or {}).items()},
                    **{code: _problem_response(code) for code in codes},
                },
                openapi_extra=taken.described() if taken else None,
                **options,
            )
            return endpoint

        return add


def _summary(text: str) -> str:
    """The first paragraph, on one line and without its full stop."""
    return " ".join(text.partition("\n\n")[0].split()).removesuffix(".")


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
        if notes := operation.pop("description").partition("\n\n")[2]:
            operation["description"] = notes
        _show_example(operation, EXAMPLES[f"{method} {path}"])
        if needs_room(method, path):
            operation["responses"]["507"] = _problem_response(507)
        if path not in OPEN_PATHS:
            operation["security"] = [{"token": []}, {"key": []}]
    put_under_headings(document)
    return document


def _show_example(operation: dict[str, Any], example: CallExample) -> None:
    """Put examples in as they are: FastAPI leaves their nulls out."""
    for content in operation.get("requestBody", {}).get("content", {}).values():
        content["example"] = example.body
    for status, shown in example.answers.items():
        for media_type, answer in shown.items():
            operation["responses"][status]["content"][media_type]["example"] = answer


def _problem_response(status: int) -> dict[str, Any]:
    slug, title = _PROBLEMS[status]
    document = errors.problem(status, title, slug, "What is wrong, and what to do about it.")
    example = document | {"instance": "/v1/groups/maya/…", "request_id": "0d9f1c2e4b6a48d7a1c3e5f708192a3b"}
    content = {errors.MEDIA_TYPE: {"schema": {"$ref": _REF.format(model="Problem")}, "example": example}}
    return {"description": title, "content": content}


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
