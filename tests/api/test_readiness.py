"""Readiness says why models are not loaded, and when they are after all."""

import asyncio
from pathlib import Path

from pydantic import SecretStr

from graphmem.api.backend import Backend
from graphmem.api.readiness import Readiness
from graphmem.services import open_services
from graphmem.settings import Neo4jSettings, Settings
from tests.fakes import HashEmbedder, InlineQueue
from tests.servers import Servers


class BrokenEmbedder(HashEmbedder):
    """Its library cannot be imported until it is mended."""

    mended = False

    def warm(self) -> None:
        if not self.mended:
            raise ImportError("libonnxruntime.so: cannot open shared object file")


async def test_unforeseen_error_of_loading_is_the_reason_until_loading_succeeds(
    servers: Servers, tmp_path: Path
) -> None:
    embedder = BrokenEmbedder()
    neo4j = Neo4jSettings(uri=servers.uri, user=servers.user, password=SecretStr(servers.password))
    settings = Settings(data_dir=tmp_path, neo4j=neo4j)
    async with open_services(settings, embedder=embedder, preload=frozenset({"embedder"})) as services:
        readiness = Readiness(Backend(services=services, queue=InlineQueue(services.memory)), load_again_seconds=0.01)
        async with readiness.warming(), asyncio.timeout(30):
            while "libonnxruntime.so" not in (await readiness.missing()).get("embedding", ""):  # noqa: ASYNC110 - as a probe
                await asyncio.sleep(0.01)
            embedder.mended = True
            while await readiness.missing():  # noqa: ASYNC110 - as a probe
                await asyncio.sleep(0.01)
