"""A disk with too little free: writes are refused with what to do, everything else goes on."""

import re
from collections.abc import Iterator

import pytest

from graphmem.api.openapi import operations
from graphmem.api.preconditions import NEED_NO_ROOM, needs_room
from tests.api.conftest import OpenService, Service

MORE_THAN_ANY_DISK = 10**9
READS_WITH_A_BODY = ("search", "context", "extract")


@pytest.fixture(scope="module")
def short(open_service: OpenService) -> Iterator[Service]:
    with open_service(least_free_mb=MORE_THAN_ANY_DISK) as opened:
        yield opened


def test_every_call_that_writes_is_refused_and_no_other(short: Service) -> None:
    document = short.get("/openapi.json").json()
    refused, others = set[str](), set[str]()
    for method, path, operation in operations(document):
        address = re.sub(r"\{[^}]*\}", "0" * 32, path)
        answer = short.http.request(method, address, json={} if method in {"POST", "PUT"} else None)
        (refused if answer.status_code == 507 else others).add(f"{method} {path}")
        assert ("507" in operation["responses"]) == (answer.status_code == 507) == needs_room(method, path), address
    assert "POST /v1/groups/{group}/episodes" in refused
    assert "DELETE /v1/groups/{group}/facts/{belief_id}" in others
    assert {f"POST {path}" for path in NEED_NO_ROOM} <= others


def test_the_refusal_says_what_to_do(short: Service, group: str) -> None:
    answer = short.post(f"/v1/groups/{group}/episodes", {"content": "Maya lives in Rome.", "role": "user"})
    problem = answer.json()
    assert (answer.status_code, problem["type"]) == (507, "urn:graphmem:problem:disk-full")
    assert "(disk.least_free_mb). Free space there, or lower that setting" in problem["detail"]
    assert answer.headers["Retry-After"] == "30"


def test_reads_go_on_and_readiness_is_degraded(short: Service, service: Service, group: str) -> None:
    accepted = service.post(f"/v1/groups/{group}/episodes", {"content": "Maya lives in Rome.", "role": "user"}).json()
    episode = accepted["episodes"][0]["id"]
    assert short.get(f"/v1/groups/{group}/episodes/{episode}").status_code == 200
    for read in READS_WITH_A_BODY:
        body = {"content": "Maya lives in Rome."} if read == "extract" else {"query": "Rome"}
        assert short.post(f"/v1/groups/{group}/{read}", body).status_code == 200, read
    ready = short.get("/health/ready")
    assert (ready.status_code, ready.json()["status"]) == (200, "degraded")
    assert "MB free" in ready.json()["parts"]["disk"]["reason"]
