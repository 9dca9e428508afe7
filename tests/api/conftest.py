"""The service over real HTTP on a free port, in a thread, on a real Neo4j; models and queue are fakes."""

import socket
import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog
import uvicorn
from fastapi import FastAPI
from pydantic import SecretStr

from graphmem.api.app import create_app
from graphmem.api.backend import Backend, limits_of
from graphmem.model.embedding import Embedder
from graphmem.model.fragment import Extractor
from graphmem.process.connections import server_config
from graphmem.process.logs import traceback_without_words
from graphmem.queue.redis import open_queue
from graphmem.settings import Settings
from graphmem.settings.jobs import AgentSettings, FadingSettings
from graphmem.settings.limits import UNLIMITED, LimitSettings
from graphmem.settings.recall import EmbeddingSettings, SearchSettings
from graphmem.settings.servers import ApiSettings, DiskSettings, KeySettings, Neo4jSettings, RedisSettings
from graphmem.wiring import open_services
from tests.fakes import HashEmbedder, InlineQueue, ScriptedExtractor
from tests.models import HASHED_UNDER
from tests.servers import Servers

MAX_BODY = 300_000
MAX_CONTENT = 100_000
PATIENCE = 30_000


@dataclass(frozen=True, slots=True)
class Service:
    """A running service, and a client that has its token."""

    url: str
    token: str
    queue: InlineQueue
    http: httpx.Client

    def post(self, path: str, body: Any, **params: Any) -> httpx.Response:
        return self.http.post(path, json=body, params=params)

    def get(self, path: str, **params: Any) -> httpx.Response:
        return self.http.get(path, params=params)

    def delete(self, path: str, **params: Any) -> httpx.Response:
        return self.http.delete(path, params=params)


@pytest.fixture(scope="session", autouse=True)
def logs_without_content() -> None:
    """As in a service: what failing tests show holds no words of callers."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            traceback_without_words,
            structlog.processors.JSONRenderer(),
        ]
    )


OpenService = Callable[..., AbstractContextManager[Service]]


@pytest.fixture(scope="session")
def open_service(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> OpenService:
    """Starts services, with models, weights or agents of one's own if need be; ``host`` and ``key`` as in the settings.

    ``least_free_mb`` stay free on the disk. Without ``fading`` all comes up, also what had faded. A search waits
    ``patience`` milliseconds for its vector: machines that run tests are busy. By ``embedding`` the settings say which
    model there is, in place of a stand-in. ``limits`` are counted in Valkey, or at ``redis_url``.
    """

    @contextmanager
    def opened(
        *,
        embedder: Embedder | None = None,
        embedding: EmbeddingSettings | None = None,
        extractor: Extractor | None = None,
        patience: int = 500,
        weights: Path | None = None,
        fading: bool = True,
        agents: Mapping[str, AgentSettings] | None = None,
        least_free_mb: int = 0,
        limits: LimitSettings = UNLIMITED,
        redis_url: str | None = None,
        **api: Any,
    ) -> Generator[Service]:
        data_dir = tmp_path_factory.mktemp("api")
        model = (embedding or EmbeddingSettings()).model_copy(update={"query_timeout_ms": patience})
        settings = _settings(servers, data_dir, api).model_copy(
            update={
                "embedding": model,
                "search": SearchSettings(weights=weights),
                "fading": FadingSettings(enabled=fading),
                "agents": dict(agents or {}),
                "disk": DiskSettings(path=data_dir, least_free_mb=least_free_mb),
                "limits": limits,
                "redis": RedisSettings(url=SecretStr(redis_url or servers.redis_url)),
            }
        )
        stand_in = None if embedding else embedder or HashEmbedder()
        with _served(settings, stand_in, extractor or ScriptedExtractor()) as (port, queue):
            token = api.get("key") or (data_dir / "secrets" / "api-token").read_text(encoding="utf-8").strip()
            url = f"http://127.0.0.1:{port}"
            headers = {"Authorization": f"Bearer {token}"}
            with httpx.Client(base_url=url, headers=headers, timeout=60, trust_env=False) as http:
                yield Service(url, token, queue, http)

    return opened


@pytest.fixture(scope="session")
def service(open_service: OpenService) -> Iterator[Service]:
    with open_service(patience=PATIENCE) as opened:
        yield opened


def _settings(servers: Servers, data_dir: Path, api: dict[str, Any]) -> Settings:
    return Settings(
        data_dir=data_dir,
        keys=KeySettings(secret=SecretStr(HASHED_UNDER)),
        neo4j=Neo4jSettings(uri=servers.uri, user=servers.user, password=SecretStr(servers.password)),
        api=ApiSettings.model_validate(
            {"max_body_bytes": MAX_BODY, "max_content_chars": MAX_CONTENT, "plan_at_start": False, **api}
        ),
    )


@contextmanager
def _served(settings: Settings, embedder: Embedder | None, extractor: Extractor) -> Generator[tuple[int, InlineQueue]]:
    queues: list[InlineQueue] = []

    @asynccontextmanager
    async def open_backend(settings: Settings) -> AsyncGenerator[Backend]:
        async with (
            open_services(settings, extractor=extractor, embedder=embedder) as services,
            open_queue(settings.redis) as counted,
        ):
            queue = InlineQueue(services.memory)
            queues.append(queue)
            yield Backend(services=services, queue=queue, limits=limits_of(services, counted))

    with listening(create_app(settings, open_backend), settings) as port:
        yield port, queues[0]


@contextmanager
def listening(app: FastAPI, settings: Settings) -> Generator[int]:
    """Serve an application in a thread, on the free port that this gives."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = server_config(
            app,
            header_seconds=settings.api.header_seconds,
            unread_seconds=settings.api.unread_seconds,
            trusted_proxies=settings.api.trusted_proxies,
            lifespan="on",
            log_config=None,
            timeout_graceful_shutdown=5,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            _await(lambda: server.started or not thread.is_alive())
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(30)


def _await(done: Callable[[], bool]) -> None:
    while not done():
        time.sleep(0.02)
