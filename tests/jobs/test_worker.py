"""A worker whose background tasks fail goes on, and says so in its ready file."""

import asyncio
import os
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from pydantic import SecretStr

from graphmem.background import Background
from graphmem.errors import ConfigurationError, GraphmemError, QueryDefinitionError
from graphmem.jobs import worker
from graphmem.jobs.queue import AnyWork, Queue
from graphmem.jobs.worker import ReadyFile, sweeping
from graphmem.local.programs import worker_missing
from graphmem.services import Services, open_services
from graphmem.settings import JobSettings, Neo4jSettings, Settings
from tests.fakes import HashEmbedder, ScriptedExtractor
from tests.servers import Servers


@pytest.fixture
async def services(servers: Servers, tmp_path: Path) -> AsyncGenerator[Services]:
    settings = Settings(
        data_dir=tmp_path,
        neo4j=Neo4jSettings(uri=servers.uri, user=servers.user, password=SecretStr(servers.password)),
        jobs=JobSettings(sweep_seconds=0.1),
    )
    async with open_services(settings, extractor=ScriptedExtractor(), embedder=HashEmbedder()) as opened:
        yield opened


@pytest.mark.parametrize("error", [QueryDefinitionError("A torn row."), ConfigurationError("Check the password.")])
async def test_the_sweeper_goes_on_after_any_error_and_the_worker_is_not_ready_meanwhile(
    services: Services, queue: Queue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: GraphmemError
) -> None:
    changed, errors = asyncio.Event(), [error]
    ready = ReadyFile(tmp_path)

    def write() -> None:
        ready.write(background.failing())
        changed.set()

    async def due(_services: Services) -> list[AnyWork]:
        if errors:
            raise errors.pop()
        return []

    monkeypatch.setattr(worker, "_due", due)
    background, missing = Background(write), list[str | None]()
    with ready:
        missing.append(worker_missing(tmp_path / "run", os.getpid()))
        async with sweeping(services, queue, background), asyncio.timeout(30):
            for _ in range(2):
                await changed.wait()
                changed.clear()
                missing.append(worker_missing(tmp_path / "run", os.getpid()))
    missing.append(worker_missing(tmp_path / "run", os.getpid()))

    assert missing == [None, f"sweeper: {error.title()}: {error}", None, "it has not connected to its servers"]
