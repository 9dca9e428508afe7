"""The queue; services on servers of these tests' own, because they are killed; and worker processes."""

import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Protocol

import pytest
from pydantic import SecretStr

from graphmem.extract.providers import Extractors
from graphmem.local import ManagedServers
from graphmem.model.cited_writing import ReflectionWriter, SummaryWriter
from graphmem.queue.redis import Queue, open_queue
from graphmem.settings import Settings
from graphmem.settings.extraction import PipelineSettings, ProviderSettings
from graphmem.settings.servers import Neo4jSettings, RedisSettings
from graphmem.wiring import Services, open_services
from tests.fake_anthropic import KEY, FakeProvider, fake_anthropic
from tests.jobs.summarising import MODEL_STEP
from tests.models import embedder, extractor
from tests.servers import Servers

LEASE = {
    "GRAPHMEM_JOBS_LEASE_SECONDS": "3",
    "GRAPHMEM_JOBS_SWEEP_SECONDS": "0.5",
    "GRAPHMEM_JOBS_RETRY_SECONDS": "0.1",
    "GRAPHMEM_JOBS_DEDUP_SECONDS": "0",
}


class StartWorker(Protocol):
    """Starts a worker, with more environment."""

    def __call__(self, **more: str) -> "Worker": ...


class Worker:
    """A real worker process."""

    def __init__(self, environment: dict[str, str], log: Path) -> None:
        with log.open("ab") as stream:
            self.process = subprocess.Popen([sys.executable, "-m", "graphmem.jobs"], env=environment, stderr=stream)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        self.process.terminate()
        return self.process.wait(30)


@pytest.fixture(scope="module")
async def queue(servers: Servers) -> AsyncGenerator[Queue]:
    async with open_queue(RedisSettings(url=SecretStr(servers.redis_url))) as opened:
        yield opened


@pytest.fixture(scope="module")
def settings(own_servers: ManagedServers, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(
        data_dir=tmp_path_factory.mktemp("data"),
        neo4j=Neo4jSettings(uri=own_servers.uri, user=own_servers.user, password=SecretStr(own_servers.password)),
        redis=RedisSettings(url=SecretStr(own_servers.redis_url)),
    )


@pytest.fixture(scope="module")
async def services(settings: Settings) -> AsyncGenerator[Services]:
    async with open_services(settings, extractor=extractor(), embedder=embedder()) as opened:
        yield opened


@pytest.fixture(scope="module")
def model_server() -> Generator[FakeProvider]:
    with fake_anthropic() as server:
        yield server


@pytest.fixture
def provider(model_server: FakeProvider) -> FakeProvider:
    model_server.__dict__.update(FakeProvider(url=model_server.url).__dict__)
    return model_server


@pytest.fixture
async def extractors(provider: FakeProvider) -> AsyncGenerator[Extractors]:
    """As the settings ask for them, with a key."""
    settings = Settings(
        anthropic=ProviderSettings(api_key=SecretStr(KEY), base_url=provider.url),
        pipeline=PipelineSettings(entity_extraction=MODEL_STEP),
    )
    extractors = Extractors(settings)
    yield extractors
    await extractors.aclose()


@pytest.fixture
def writer(extractors: Extractors) -> SummaryWriter:
    assert extractors.summary_writer is not None
    return extractors.summary_writer


@pytest.fixture
def reflection_writer(extractors: Extractors) -> ReflectionWriter:
    assert extractors.reflection_writer is not None
    return extractors.reflection_writer


@pytest.fixture
def start_worker(own_servers: ManagedServers, settings: Settings, tmp_path: Path) -> Generator[StartWorker]:
    environment = {
        **os.environ,  # noqa: TID251
        **LEASE,
        "NEO4J_URI": own_servers.uri,
        "NEO4J_USER": own_servers.user,
        "NEO4J_PASSWORD": own_servers.password,
        "REDIS_URL": own_servers.redis_url,
        "GRAPHMEM_DATA_DIR": str(settings.data_dir),
    }
    workers: list[Worker] = []

    def start(**more: str) -> Worker:
        workers.append(Worker({**environment, **more}, tmp_path / "worker.log"))
        return workers[-1]

    yield start
    for worker in workers:
        if worker.process.poll() is None:
            worker.stop()
