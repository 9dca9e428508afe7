"""Real workers, of which one is killed, embed what came while the embedding server was away."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from datetime import UTC, datetime

import pytest
from pydantic import SecretStr

from graphmem.model.episode import Episode
from graphmem.model.scope import Scope
from graphmem.model.search import EPISODE
from graphmem.settings import Settings
from graphmem.settings.recall import EmbeddingSettings
from graphmem.wiring import Services, open_services
from tests.fake_embeddings import KEY, FakeEmbeddings, fake_embeddings
from tests.jobs.conftest import StartWorker

MODEL, DIMENSIONS = "text-embedding-3-small", 64
NOW = datetime(2025, 5, 20, tzinfo=UTC)
SAID = [f"My name is Maya Number{number}." for number in range(12)]


@pytest.fixture
def server() -> Generator[FakeEmbeddings]:
    with fake_embeddings() as opened:
        yield opened


@pytest.fixture
async def remote(settings: Settings, server: FakeEmbeddings) -> AsyncGenerator[Services]:
    embedding = EmbeddingSettings(
        provider="openai", model=MODEL, dimensions=DIMENSIONS, base_url=server.url, api_key=SecretStr(KEY)
    )
    async with open_services(settings.model_copy(update={"embedding": embedding})) as opened:
        yield opened


def environment(server: FakeEmbeddings) -> dict[str, str]:
    return {
        "GRAPHMEM_EMBEDDING_PROVIDER": "openai",
        "GRAPHMEM_EMBEDDING_MODEL": MODEL,
        "GRAPHMEM_EMBEDDING_DIMENSIONS": str(DIMENSIONS),
        "GRAPHMEM_EMBEDDING_BASE_URL": server.url,
        "GRAPHMEM_EMBEDDING_API_KEY": KEY,
        "GRAPHMEM_EMBEDDING_ATTEMPTS": "1",
        "GRAPHMEM_EMBEDDING_REQUEST_TEXTS": "4",
        "GRAPHMEM_JOBS_EMBED_SECONDS": "1",
        "GRAPHMEM_PIPELINE_ENTITY_EXTRACTION": '{"strategy": "fast"}',
    }


async def until(reached: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(90):
        while not await reached():  # noqa: ASYNC110 - another process gets it done
            await asyncio.sleep(0.1)


@pytest.mark.full
async def test_what_came_meanwhile_is_embedded_though_a_worker_is_killed(
    remote: Services, server: FakeEmbeddings, start_worker: StartWorker, group: str
) -> None:
    server.status = 503
    store, intake = remote.memory.store, remote.memory.intake
    episodes = [Episode(group_id=group, session="s", content=content, occurred_at=NOW) for content in SAID]
    first, _ = start_worker(**environment(server)), start_worker(**environment(server))
    await intake.remember(group, episodes)

    async def all_pending() -> bool:
        return await store.count_vectors_pending(group) == len(SAID)

    async def none_pending() -> bool:
        return await store.count_vectors_pending(group) == 0

    async def asked() -> bool:
        return server.status == 200 and len(server.requests) > before

    await until(all_pending)
    before, server.seconds, server.status = len(server.requests), 0.3, 200
    await until(asked)
    first.kill()
    await until(none_pending)

    for content in SAID:
        vector = server.embedding(content, DIMENSIONS)
        (best, *_) = (await store.by_vector(Scope(group, NOW), vector, [EPISODE], 1))[EPISODE].hits
        assert best.score == pytest.approx(1, abs=1e-4)
