"""Readiness part by part: what keeps a service from serving, and what it goes without."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar, cast
from uuid import uuid4

from pydantic import BaseModel, SecretStr

from bench.scale.recorded import RecordedDatabase
from graphmem.api.backend import Backend
from graphmem.api.readiness import PARTS, ReadinessChecks
from graphmem.clock import utc_now
from graphmem.errors import ConfigurationError
from graphmem.model.embedding import Embedder
from graphmem.model.episode import Episode
from graphmem.model.readiness import PartStatus, ServicePart, overall
from graphmem.process.background import Background, Healthy
from graphmem.process.tasks import together
from graphmem.settings import Settings
from graphmem.settings.servers import Neo4jSettings
from graphmem.store.driver import Connect, Database, Transaction, translate_errors
from graphmem.store.queries import cypher_root, load_queries, read_queries
from graphmem.wiring import PreloadedModel, Services, open_services
from tests.api.conftest import Service
from tests.fakes import HashEmbedder, InlineQueue, failure_of_neo4j
from tests.models import digest
from tests.servers import Servers

Result = TypeVar("Result")
QUERIES = {query.name: query for query in read_queries(Path(__file__).parent / "readiness.cypher")}


class Count(BaseModel):
    count: int


class BrokenEmbedder(HashEmbedder):
    """Its library cannot be imported until it is mended."""

    mended = False

    def warm(self) -> None:
        if not self.mended:
            raise ImportError("libonnxruntime.so: cannot open shared object file")


class Clock:
    """Stands still until it is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def opened(
    servers: Servers, folder: Path, embedder: Embedder | None = None, connect: Connect = Database
) -> AsyncGenerator[Services]:
    neo4j = Neo4jSettings(uri=servers.uri, user=servers.user, password=SecretStr(servers.password))
    settings = Settings(data_dir=folder, neo4j=neo4j)
    preload: frozenset[PreloadedModel] = frozenset({"embedder"})
    embeds = embedder or HashEmbedder()
    async with open_services(settings, embedder=embeds, preload=preload, connect=connect) as services:
        yield services


def backend_of(services: Services) -> Backend:
    return Backend(services=services, queue=InlineQueue(services.memory))


def statuses(parts: dict[str, ServicePart]) -> dict[str, str]:
    return {name: part.status.value for name, part in parts.items()}


def test_a_service_is_as_its_worst_part_and_loading_is_degraded() -> None:
    ready, loading, degraded, away = (ServicePart(status, "why") for status in PartStatus)
    expected = {
        (ready, ready): PartStatus.READY,
        (ready, loading): PartStatus.DEGRADED,
        (degraded, ready): PartStatus.DEGRADED,
        (degraded, away): PartStatus.UNAVAILABLE,
    }
    assert {parts: overall(parts) for parts in expected} == expected


def test_a_service_without_its_queue_is_degraded_and_says_what_to_do(service: Service) -> None:
    assert service.get("/health/ready").json()["parts"]["queue"]["status"] == "ready"
    service.queue.away = True
    try:
        answer = service.get("/health/ready")
    finally:
        service.queue.away = False
    shown = answer.json()
    assert (answer.status_code, shown["status"], list(shown["parts"])) == (200, "degraded", list(PARTS))
    assert (shown["parts"]["queue"]["status"], shown["parts"]["store"]["status"]) == ("degraded", "ready")
    assert shown["parts"]["queue"]["reason"]


async def test_unforeseen_error_of_loading_is_the_reason_until_loading_succeeds(
    servers: Servers, tmp_path: Path
) -> None:
    embedder = BrokenEmbedder()
    async with opened(servers, tmp_path, embedder) as services:
        readiness = ReadinessChecks(backend_of(services), load_again_seconds=0.01)
        assert (await readiness.parts())["embedding"].status is PartStatus.LOADING
        async with readiness.warming(), asyncio.timeout(30):
            while not await blames(readiness, "libonnxruntime.so"):  # noqa: ASYNC110 - as a probe
                await asyncio.sleep(0.01)
            assert overall((await readiness.parts()).values()) is PartStatus.DEGRADED
            embedder.mended = True
            while await blames(readiness, "libonnxruntime.so"):  # noqa: ASYNC110 - as a probe
                await asyncio.sleep(0.01)


async def test_it_is_ready_once_the_first_reads_are_rehearsed_which_are_no_uses(
    servers: Servers, tmp_path: Path
) -> None:
    group, queries = f"0-rehearsed-{uuid4().hex}", load_queries(cypher_root())  # the first of all groups
    async with opened(servers, tmp_path, connect=RecordedDatabase) as services:
        memory, database = services.memory, cast("RecordedDatabase", services.database)
        told = Episode(group_id=group, session="s", content="Maya lives_in Lisbon.", occurred_at=utc_now())
        await memory.intake.remember(group, [told])
        await digest(memory, group, told.id)
        readiness = ReadinessChecks(backend_of(services))
        database.take()
        async with readiness.warming(), asyncio.timeout(300):
            while "loading" in statuses(await readiness.parts()).values():  # noqa: ASYNC110 - as a probe
                await asyncio.sleep(0.01)
        asked = {(each.text, each.params.get("group")) for some in database.take() for each in some}
        large = ("turns_around", "profile_beliefs", "beliefs_around", "kept_claims")
        assert {(queries[name].text, group) for name in large} <= asked
        assert await memory.uses.flush() == 0


async def blames(readiness: ReadinessChecks, what: str) -> bool:
    return what in ((await readiness.parts())["embedding"].reason or "")


async def test_a_background_task_that_fails_degrades_and_is_named(servers: Servers, tmp_path: Path) -> None:
    failed = asyncio.Event()

    async def work(_healthy: Healthy) -> None:
        raise ConfigurationError("Check the password.")

    async with opened(servers, tmp_path) as services:
        queue = InlineQueue(services.memory)
        backend = Backend(services=services, queue=queue, background=Background(changed=failed.set))
        async with backend.background.running("subscription", work):
            await failed.wait()
            background = (await ReadinessChecks(backend).parts())["background"]

    assert background.status is PartStatus.DEGRADED
    assert "subscription: A setting, a file or a server version does not fit: Check the" in (background.reason or "")


class RefusesWrites(Database):
    """Shakes hands and reads; its transactions can no longer write, as after its disk was full. Counts the probes."""

    full = False
    asked = 0

    async def rehearse(self, work: Callable[[Transaction], Awaitable[Result]], /, *, seconds: float) -> Result:
        self.asked += 1
        with translate_errors():
            if self.full:
                raise failure_of_neo4j("Neo.DatabaseError.Transaction.TransactionLogError")
            return await super().rehearse(work, seconds=seconds)


async def test_a_database_that_shakes_hands_and_takes_no_writes_is_unavailable(
    servers: Servers, tmp_path: Path
) -> None:
    async with opened(servers, tmp_path, connect=RefusesWrites) as services:
        database = cast("RefusesWrites", services.database)
        clock = Clock()
        readiness = ReadinessChecks(backend_of(services), clock=clock)
        assert (await readiness.parts())["store"].status is PartStatus.READY
        database.full = True
        assert await database.ping()
        clock.now = 2.0
        flood = await together(readiness.parts() for _ in range(20))
        assert await probes_left(services) == 0

    assert {parts["store"].status for parts in flood} == {PartStatus.UNAVAILABLE}
    assert "TransactionLogError" in (flood[0]["store"].reason or "")
    assert database.asked == 2


async def probes_left(services: Services) -> int:
    return (await services.database.run(QUERIES["count_probes"], Count))[0].count
