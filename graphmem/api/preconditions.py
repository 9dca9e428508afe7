"""What is looked at before a call: what it brings, whether there is room for what it writes, and who makes it.

Another parameter, or a body where there is none, is refused and never ignored. Who writes ``?usr=ann`` would read what
everybody said, and who sends ``user`` where none is taken would change it. Who sends a key would take it that what
comes twice is stored once, and who sends ``If-Match``, that nobody's change is undone.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

from fastapi import Depends, Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from graphmem.api.auth import has_body
from graphmem.api.bodies import read
from graphmem.api.deps import BackendDep
from graphmem.api.errors import FieldError, InvalidRequest, invalid, pointer_to
from graphmem.model.audit import Asker, ask_as
from graphmem.model.principal import Principal

_KEY, _IF_MATCH = "idempotency-key", "if-match"
_HEADERS = {
    _KEY: "episodes take it, claims and facts an `external_id`",
    _IF_MATCH: "facts take it where they are confirmed, corrected, shared, deleted or chosen",
}
_WRITING = frozenset({"POST", "PUT", "PATCH"})
"""What takes away is DELETE."""
NEED_NO_ROOM = frozenset(
    {
        "/v1/groups/{group}/search",
        "/v1/groups/{group}/context",
        "/v1/groups/{group}/extract",
        "/v1/groups/{group}/claims/{claim_id}/retract",
        "/v1/groups/{group}/facts/{belief_id}/unshare",
        "/v1/groups/{group}/tombstones/lift",
        "/v1/groups/{group}/forget/{receipt_id}/verify",
    }
)
"""Reads with a body, and what takes away by another verb."""


async def _only_what_is_taken(request: Request) -> None:
    """Look at the parameters and the body of a request before anything else of it.

    Raises:
        InvalidRequest: it has a query parameter that the call does not take, or several where it takes one; or a body,
            an ``Idempotency-Key`` or an ``If-Match``, where it takes none.
    """
    route = request.scope["route"]
    if not isinstance(route, APIRoute):
        return
    dependants = list(_with_dependencies(route.dependant))
    fields = [field for dependant in dependants for field in dependant.query_params]
    _check_parameters(request, {field.alias: _is_list(field.field_info.annotation) for field in fields})
    headers = {field.alias for dependant in dependants for field in dependant.header_params}
    for name, who_takes_it in _HEADERS.items():
        if request.method != "GET" and name in request.headers and name not in headers:
            raise invalid("header", f"/{name}", f"is not taken by this call: {who_takes_it}")
    takes_body = "requestBody" in (route.openapi_extra or {})
    if not takes_body and has_body(request.headers) and (await read(request)).strip() not in (b"", b"{}"):
        raise invalid("body", "", "is not taken by this call, whose parameters stand in its address")


def _check_parameters(request: Request, several: Mapping[str, bool]) -> None:
    """``several``: whether a parameter takes more than one value, by the names of those that the call takes."""
    given = Counter(name for name, _ in request.query_params.multi_items())
    names = ", ".join(f"`{name}`" for name in sorted(several)) or "none"
    why = f"is not taken by this call. It takes: {names}."
    unknown = [(name, why) for name in given if name not in several]
    repeated = [
        (name, "is given more than once") for name, times in given.items() if times > 1 and several.get(name) is False
    ]
    if wrong := [FieldError("query", pointer_to(name[:100]), detail) for name, detail in (*unknown, *repeated)]:
        raise InvalidRequest(wrong)


def _with_dependencies(dependant: Dependant) -> Iterator[Dependant]:
    yield dependant
    for other in dependant.dependencies:
        yield from _with_dependencies(other)


def _is_list(annotation: Any) -> bool:
    return get_origin(annotation) is list or any(_is_list(part) for part in get_args(annotation))


def needs_room(method: str, path: str) -> bool:
    """Whether a call, by its method and the template of its path, writes more than it takes away."""
    return method in _WRITING and path not in NEED_NO_ROOM


async def _require_room(request: Request, backend: BackendDep) -> None:
    if needs_room(request.method, request.scope["route"].path):
        backend.services.disk.require_room()


async def _say_who_asks(request: Request) -> None:
    """Have the audit know who calls: with which key, what, and from where."""
    principal: Principal = request.scope["graphmem.principal"]
    operation = f"{request.method} {request.scope['route'].path_format}"
    ask_as(Asker(key=principal.key, operation=operation, address=request.client.host if request.client else ""))


PRECONDITIONS = (Depends(_only_what_is_taken), Depends(_require_room), Depends(_say_who_asks))
