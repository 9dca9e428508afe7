"""Requests made up from the description: none crashes the service, and every answer is as described."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# (schemathesis's own types are partly unknown)

import json
from typing import Any

import pytest
import schemathesis
from fastapi.routing import APIRoute
from hypothesis import given
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from graphmem.api.bodies import NDJSON
from graphmem.api.routes import ROUTERS
from tests.api.conftest import Service
from tests.generated import generated

SECONDS = 60
"""For an answer: where a busy machine asks Neo4j something for the first time, planning takes most of them."""
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
GROUP, APART = "schemathesis", "schemathesis-apart"
CLOSING = frozenset({"/v1/groups/{group}/name", "/v1/groups/{group}/archived"})
"""After these, the other calls would no longer reach the group."""
CALLS = [
    (method, route.path_format)
    for router in ROUTERS
    for route in router.routes
    if isinstance(route, APIRoute) and route.include_in_schema
    for method in route.methods or ()
]
CASES = [
    *((method, path, GenerationMode.POSITIVE, 8) for method, path in CALLS),
    *((method, path, GenerationMode.NEGATIVE, 4) for method, path in CALLS if path.startswith("/v1")),
]


@schemathesis.serializer(NDJSON)
def in_lines(_: Any, value: Any) -> bytes:
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()


@pytest.fixture(scope="module")
def described(service: Service) -> Any:
    for group in (GROUP, APART):
        service.post("/v1/groups", {"id": group})
    return schemathesis.openapi.from_url(f"{service.url}/openapi.json")


@pytest.mark.parametrize(("method", "path", "mode", "examples"), CASES)
def test_no_request_crashes_it_and_every_answer_is_as_described(
    described: Any,
    service: Service,
    pytestconfig: pytest.Config,
    method: str,
    path: str,
    mode: GenerationMode,
    examples: int,
) -> None:
    every = pytestconfig.option.all

    @generated(examples, examples * 10, every=every)
    @given(case=described[path][method].as_strategy(generation_mode=mode))
    def call(case: Any) -> None:
        if mode is GenerationMode.POSITIVE and "group" in case.path_parameters:
            case.path_parameters["group"] = APART if path in CLOSING else GROUP
        if "wait" in (case.query or {}):
            case.query["wait"] = 0
        headers = {"Authorization": f"Bearer {service.token}"}
        case.call_and_validate(headers=headers, checks=CHECKS, timeout=SECONDS)

    call()
