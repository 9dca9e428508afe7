"""Which calls are sent again after which failures, how often, and when."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, cast

import httpx
import pytest
from graphmem.client.synchronous import GraphmemClient

from graphmem.client import AsyncGraphmemClient, Retries, ServiceUnavailable
from graphmem.client.problems import pause_asked
from graphmem.errors import GraphmemError, StoreUnavailable

AT_ONCE = Retries(pause=0)
DATED = {"content": "I live in Porto.", "occurred_at": "2025-05-03T10:00:00Z"}
UNDATED = {"content": "I live in Porto."}
NAMED = {**UNDATED, "external_id": "1"}
CLAIM = {"subject": {"name": "Maya", "type": "person"}, "predicate": "age", "value": 30}
Failure = int | type[httpx.TransportError]


class Failing:
    """Fails first, then answers; ``seen`` are the requests."""

    def __init__(self, *failures: Failure, retry_after: str | None = None) -> None:
        self.seen: list[httpx.Request] = []
        self._failures = list(failures)
        self._headers = {} if retry_after is None else {"Retry-After": retry_after}

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        if not self._failures:
            return httpx.Response(200, json={})
        failure = self._failures.pop(0)
        if isinstance(failure, int):
            problem = {"type": "urn:graphmem:problem:store-unavailable", "detail": "Neo4j is away."}
            headers = {"content-type": "application/problem+json", **self._headers}
            return httpx.Response(failure, json=problem, headers=headers)
        raise failure("It broke.", request=request)


def sent(service: Failing, call: Callable[[GraphmemClient], object], retries: Retries = AT_ONCE) -> int:
    """How often a call was sent."""
    with GraphmemClient("http://graphmem.test", transport=httpx.MockTransport(service), retries=retries) as client:
        try:
            found = call(client)
            if isinstance(found, Iterable):
                list(cast("Iterable[object]", found))
        except GraphmemError:
            pass
    return len(service.seen)


READS: dict[str, Callable[[GraphmemClient], object]] = {
    "get": lambda client: client.episode("g", "1"),
    "page": lambda client: client.episodes("g"),
    "search": lambda client: client.search("g", "Where?"),
    "context": lambda client: client.context("g", "Where?"),
}
WRITES: dict[str, Callable[[GraphmemClient], object]] = {
    "put": lambda client: client.put_source("g", "crm", unique=True),
    "dated": lambda client: client.post_episodes("g", [DATED, NAMED]),
    "undated": lambda client: client.post_episodes("g", [UNDATED, UNDATED]),
    "keyed": lambda client: client.post_episodes("g", [UNDATED, DATED], idempotency_key="k"),
    "claims": lambda client: client.claims("g", [{**CLAIM, "external_id": "1"}]),
    "retract": lambda client: client.retract("g", "1"),
}
ONCE: dict[str, Callable[[GraphmemClient], object]] = {
    "some dated": lambda client: client.post_episodes("g", [UNDATED, DATED]),
    "claims": lambda client: client.claims("g", [CLAIM]),
    "facts": lambda client: client.confirm_fact("g", "1"),
    "delete": lambda client: client.delete_fact("g", "1"),
    "merge": lambda client: client.merge("g", "1", "2", "One."),
    "job": lambda client: client.job("g", "dedup"),
}


@pytest.mark.parametrize(
    "failure", [429, 502, 503, 504, httpx.ConnectError, httpx.ReadError, httpx.RemoteProtocolError]
)
def test_what_passes_is_waited_for(failure: Failure) -> None:
    assert sent(Failing(failure, failure), READS["get"]) == 3


def test_what_has_one_effect_is_sent_again() -> None:
    for name, call in {**READS, **WRITES}.items():
        assert sent(Failing(503, httpx.ReadError), call) == 3, name


@pytest.mark.parametrize(("failure", "times"), [(429, 3), (httpx.ConnectError, 3), (503, 1), (httpx.ReadError, 1)])
def test_any_other_write_is_sent_again_only_if_nothing_came_of_it(failure: Failure, times: int) -> None:
    for name, call in ONCE.items():
        assert sent(Failing(failure, failure), call) == times, name


@pytest.mark.parametrize("failure", [400, 401, 404, 409, 422, 500, httpx.ReadTimeout, httpx.UnsupportedProtocol])
def test_what_does_not_pass_is_told_at_once(failure: Failure) -> None:
    assert sent(Failing(failure), READS["get"]) == 1


@pytest.mark.parametrize(("most", "times"), [(0, 1), (3, 4)])
def test_it_ends_with_the_last_failure(most: int, times: int) -> None:
    service = Failing(*[503] * 9)
    with (
        GraphmemClient(
            "http://graphmem.test", transport=httpx.MockTransport(service), retries=Retries(most=most, pause=0)
        ) as client,
        pytest.raises(StoreUnavailable, match="Neo4j is away"),
    ):
        client.episode("g", "1")
    assert len(service.seen) == times


async def test_the_asynchronous_client_sends_again_too() -> None:
    service = Failing(httpx.ReadError, 503, httpx.ConnectError, httpx.ConnectError)
    async with AsyncGraphmemClient(
        "http://graphmem.test", transport=httpx.MockTransport(service), retries=AT_ONCE
    ) as client:
        with pytest.raises(ServiceUnavailable, match="ConnectError") as raised:
            await client.episode("g", "1")
    assert isinstance(raised.value.__cause__, httpx.ConnectError)
    assert len(service.seen) == 4


def test_a_key_is_made_once_a_call() -> None:
    service = Failing(503)
    sent(service, WRITES["undated"])
    sent(service, WRITES["undated"])
    first, again, other = (request.headers["idempotency-key"] for request in service.seen)
    assert first == again != other


@pytest.mark.parametrize("call", [WRITES["dated"], ONCE["some dated"]])
def test_no_key_makes_another_episode_of_one_that_is_named(call: Callable[[GraphmemClient], object]) -> None:
    service = Failing()
    sent(service, call)
    assert "idempotency-key" not in service.seen[0].headers


def test_pauses_double_up_to_the_longest_with_a_random_part() -> None:
    retries, failure = Retries(most=9, pause=1, longest=5), httpx.ConnectError("It broke.")
    for failures, bound in ((1, 1), (2, 2), (3, 4), (4, 5), (9, 5)):
        pauses = [retries.pause_after(failure, failures, repeatable=False) or 0 for _ in range(50)]
        assert bound / 2 <= min(pauses) < max(pauses) <= bound
    assert retries.pause_after(failure, 10, repeatable=True) is None


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ("3", 3),
        (" 120 ", 120),
        ("Sat, 03 May 2025 10:00:08 GMT", 8),
        ("Sat, 03 May 2025 09:00:00 GMT", 0),
        ("Sat, 03 May 2025", 0),
        ("-3", 0),
        ("soon", 0),
        ("", 0),
    ],
)
def test_the_service_says_how_long_to_wait(told: str, seconds: float) -> None:
    answer = httpx.Response(429, headers={"Retry-After": told})
    assert pause_asked(answer, datetime(2025, 5, 3, 10, tzinfo=UTC)) == seconds


@pytest.mark.parametrize(("told", "pause"), [("3", 3), ("11", None)])
def test_it_is_waited_for_so_long_or_not_at_all(told: str, pause: float | None) -> None:
    answer = httpx.Response(429, headers={"Retry-After": told})
    assert Retries().pause_after(answer, 1, repeatable=False) == pause


def test_it_is_slept(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[Any] = []
    monkeypatch.setattr("graphmem.client.synchronous.connection.time.sleep", slept.append)
    assert sent(Failing(503, retry_after="7"), READS["get"], Retries()) == 2
    assert slept == [7]
