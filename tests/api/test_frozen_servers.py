"""Servers that are stopped (SIGSTOP) accept connections and answer nothing: requests end in time, and say so."""

import os
import signal
import socket
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager

import httpx
import pytest
from pydantic import SecretStr

from graphmem.api.app import create_app
from graphmem.api.backend import Backend
from graphmem.local import ManagedServers
from graphmem.queue.redis import open_queue
from graphmem.settings import Settings
from graphmem.settings.extraction import ProviderSettings
from graphmem.settings.servers import Neo4jSettings, RedisSettings
from graphmem.wiring import open_services
from tests.api.conftest import listening
from tests.fakes import HashEmbedder, ScriptedExtractor
from tests.servers import SMALL

SAID = {"content": "Maya lives_in Porto", "occurred_at": "2025-05-03T00:00:00Z"}
LATER = {"content": "Maya lives_in Rome", "occurred_at": "2025-06-03T00:00:00Z"}
GENEROUS = 60.0
"""Seconds that a client waits: a frozen server would let it wait for minutes."""


@pytest.fixture(scope="module")
def silent() -> Iterator[str]:
    """Where a server accepts connections and never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture(scope="module")
def http(own_servers: ManagedServers, silent: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    short = {**SMALL, "transaction_timeout": 10.0, "connection_timeout": 2.0}
    where = {"uri": own_servers.uri, "user": own_servers.user, "password": SecretStr(own_servers.password)}
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("api"),
        neo4j=Neo4jSettings.model_validate({**short, **where}),
        redis=RedisSettings(url=SecretStr(own_servers.redis_url)),
        anthropic=ProviderSettings(api_key=SecretStr("key"), base_url=silent),
    )

    @asynccontextmanager
    async def open_backend(settings: Settings) -> AsyncGenerator[Backend]:
        async with (
            open_services(settings, extractor=ScriptedExtractor(), embedder=HashEmbedder()) as services,
            open_queue(settings.redis) as queue,
        ):
            yield Backend(services=services, queue=queue)

    with listening(create_app(settings, open_backend), settings) as port:
        token = (settings.data_dir / "secrets" / "api-token").read_text("utf-8").strip()
        headers = {"Authorization": f"Bearer {token}"}
        url = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=url, headers=headers, timeout=GENEROUS, trust_env=False) as client:
            yield client


@contextmanager
def frozen(servers: ManagedServers, name: str) -> Generator[None]:
    os.kill(servers.pid(name), signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(servers.pid(name), signal.SIGCONT)


def ready(http: httpx.Client) -> dict[str, str]:
    """The status of the service, and of each part."""
    shown = http.get("/health/ready").json()
    return {"": shown["status"]} | {name: part["status"] for name, part in shown["parts"].items()}


@pytest.mark.full
def test_a_frozen_queue_degrades_and_loses_nothing(own_servers: ManagedServers, http: httpx.Client, group: str) -> None:
    with frozen(own_servers, "valkey"):
        posted = http.post(f"/v1/groups/{group}/episodes", json=SAID, params={"wait": 1})
        shown = ready(http)

    assert (posted.status_code, posted.json()["queued"]) == (202, False)
    assert (shown[""], shown["queue"], shown["store"]) == ("degraded", "degraded", "ready")
    assert ready(http)["queue"] == "ready"


def test_requests_end_while_neo4j_is_frozen_and_succeed_afterwards(
    own_servers: ManagedServers, http: httpx.Client, group: str
) -> None:
    path = f"/v1/groups/{group}"
    assert http.post(f"{path}/episodes", json=SAID).status_code == 202
    calls: list[Callable[[], httpx.Response]] = [
        lambda: http.post(f"{path}/episodes", json=LATER, params={"wait": 5}),
        lambda: http.post(f"{path}/search", json={"query": "Porto"}),
        lambda: http.get(f"{path}/graph"),
    ]
    with frozen(own_servers, "neo4j"), ThreadPoolExecutor(len(calls)) as threads:
        answers = [future.result() for future in [threads.submit(call) for call in calls]]
        answers.append(http.get("/health/ready"))
    assert [answer.status_code for answer in answers] == [503] * len(answers)
    assert all(int(answer.headers["retry-after"]) > 0 for answer in answers)
    assert answers[0].json()["type"] == "urn:graphmem:problem:store-unavailable"
    assert answers[-1].json()["parts"]["store"]["status"] == "unavailable"

    while ready(http)["store"] != "ready":
        pass
    assert http.post(f"{path}/episodes", json=LATER).status_code == 202
    assert len(http.get(f"{path}/episodes").json()["episodes"]) == 2


@pytest.mark.full
def test_a_language_model_that_never_answers_is_not_waited_for(http: httpx.Client, group: str) -> None:
    answer = http.post(f"/v1/groups/{group}/extract", json={**SAID, "strategy": "llm"})

    assert (answer.status_code, answer.json()["type"]) == (503, "urn:graphmem:problem:model-unavailable")
