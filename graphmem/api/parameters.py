"""What a call takes, and no more: another parameter, or a body where there is none, is refused and never ignored.

Who writes ``?usr=ann`` would read what everybody said, and who sends ``user`` where none is taken would change it. Who
sends a key would take it that what comes twice is stored once.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args, get_origin

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from graphmem.api.bodies import read
from graphmem.api.errors import FieldError, InvalidRequest, invalid

_KEY = "idempotency-key"


async def only_what_is_taken(request: Request) -> None:
    """Look at the parameters and the body of a request before anything else of it.

    Raises:
        InvalidRequest: it has a query parameter that the call does not take, or several where it takes one; or a body
            or an ``Idempotency-Key``, where it takes none.
    """
    route = request.scope["route"]
    if not isinstance(route, APIRoute):
        return
    _check_parameters(request, dict(_query_parameters(route.dependant)))
    if request.method != "GET" and _KEY in request.headers and not _takes_header(route.dependant, _KEY):
        raise invalid(
            "header", f"/{_KEY}", "is not taken by this call: episodes take it, claims and facts an `external_id`"
        )
    if not _takes_body(route) and _brings_body(request) and (await read(request)).strip() not in (b"", b"{}"):
        raise invalid("body", "", "is not taken by this call, whose parameters stand in its address")


def _check_parameters(request: Request, taken: dict[str, bool]) -> None:
    given = Counter(name for name, _ in request.query_params.multi_items())
    names = ", ".join(f"`{name}`" for name in sorted(taken)) or "none"
    wrong = [
        FieldError("query", _pointer(name), f"is not taken by this call. It takes: {names}.")
        for name in given
        if name not in taken
    ]
    wrong += [
        FieldError("query", _pointer(name), "is given more than once")
        for name, times in given.items()
        if times > 1 and taken.get(name) is False
    ]
    if wrong:
        raise InvalidRequest(wrong)


def _query_parameters(dependant: Dependant) -> Iterator[tuple[str, bool]]:
    """The parameters of a call and of all that it depends on, each with whether it takes several values."""
    for field in dependant.query_params:
        yield field.alias, _is_list(field.field_info.annotation)
    for other in dependant.dependencies:
        yield from _query_parameters(other)


def _takes_header(dependant: Dependant, name: str) -> bool:
    return any(field.alias == name for field in dependant.header_params) or any(
        _takes_header(other, name) for other in dependant.dependencies
    )


def _is_list(annotation: Any) -> bool:
    return get_origin(annotation) is list or any(_is_list(part) for part in get_args(annotation))


def _takes_body(route: APIRoute) -> bool:
    return "requestBody" in (route.openapi_extra or {})


def _brings_body(request: Request) -> bool:
    return request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers


def _pointer(name: str) -> str:
    return f"/{name[:100].replace('~', '~0').replace('/', '~1')}"
