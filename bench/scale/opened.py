"""Everything that the measurements stand on: a service of its own, its database in this process, and a bare driver."""

from collections.abc import AsyncGenerator, Generator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from neo4j import Driver, GraphDatabase, NotificationMinimumSeverity
from psutil import Process

from bench.common import running
from bench.scale.made import MadeEmbedder
from bench.scale.reads import Ground
from bench.scale.recorded import RecordedDatabase, session_of
from bench.scale.writing import ScriptedExtractor
from graphmem.clock import utc_now
from graphmem.embed.local import LocalEmbedder
from graphmem.local import DataDir, LocalConnection, LocalState, connection
from graphmem.memory import Memory
from graphmem.settings import load_settings
from graphmem.store.driver import open_driver
from graphmem.wiring import open_services
from tests.models import memory_on

_TRANSACTION_SECONDS = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """``loader`` loads in bulk; ``reader`` and ``writer`` keep the statements that they send."""

    server: int
    loader: Memory
    reader: Memory
    writer: Memory
    database: RecordedDatabase
    driver: Driver
    client: httpx.Client

    def ground(self, blocks: int) -> Ground:
        """What is measured when so many blocks are loaded, as known from now on."""
        return Ground(
            blocks=blocks,
            known_at=utc_now(),
            client=self.client,
            memory=self.reader,
            writer=self.writer,
            database=self.database,
            driver=self.driver,
        )


def environment(heap: str, page_cache: str) -> dict[str, str]:
    """Memory of the server, and time for large transactions on a busy machine."""
    return {
        "GRAPHMEM_NEO4J_TRANSACTION_TIMEOUT": str(_TRANSACTION_SECONDS),
        "GRAPHMEM_NEO4J_HEAP": heap,
        "GRAPHMEM_NEO4J_PAGE_CACHE": page_cache,
    }


@asynccontextmanager
async def opened(data_dir: Path) -> AsyncGenerator[Bench]:
    """Connected to what runs for a data directory, while its worker rests: this process digests its own episodes."""
    found, server, worker = _found(data_dir)
    address = {"uri": found.neo4j_uri, "user": found.neo4j_user, "password": found.neo4j_password}
    settings = load_settings(data_dir=data_dir, neo4j={**address, "transaction_timeout": _TRANSACTION_SECONDS})
    made, model, script = MadeEmbedder(settings.embedding.model), LocalEmbedder(settings.embedding), ScriptedExtractor()
    bare = _bare(found)
    driver = open_driver(found.neo4j_uri, found.neo4j_user, found.neo4j_password, settings.neo4j)
    database = RecordedDatabase(driver, settings.neo4j)
    try:
        async with open_services(settings, extractor=script, embedder=made) as services:
            with _resting(worker), bare, running(data_dir).client() as client:
                yield Bench(
                    server=server,
                    loader=services.memory,
                    reader=memory_on(database, extracts=script, embeds=model),
                    writer=memory_on(database, extracts=script, embeds=made),
                    database=database,
                    driver=bare,
                    client=client,
                )
    finally:
        model.close()
        await database.aclose()


def _bare(found: LocalConnection) -> Driver:
    return GraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType] -- its **config
        found.neo4j_uri,
        auth=(found.neo4j_user, found.neo4j_password),
        notifications_min_severity=NotificationMinimumSeverity.OFF,
    )


def resting(data_dir: Path) -> AbstractContextManager[None]:
    """The worker of a data directory rests."""
    return _resting(_found(data_dir)[2])


@contextmanager
def _resting(worker: int) -> Generator[None]:
    """A worker rests, and so does who watches it, and would end it because it does not answer."""
    process = Process(worker)
    resting = [watching, process] if (watching := process.parent()) else [process]
    for one in resting:
        one.suspend()
    try:
        yield
    finally:
        for one in reversed(resting):
            one.resume()


def _found(data_dir: Path) -> tuple[LocalConnection, int, int]:
    """How to reach the database, its process, and that of the worker."""
    found, state = connection(data_dir, load_settings(data_dir=data_dir)), LocalState.read(data_dir)
    server, worker = (state.service("neo4j"), state.service("worker")) if state else (None, None)
    if found is None or server is None or worker is None:
        raise SystemExit("This benchmark needs a Neo4j of its own; unset NEO4J_URI.")
    return found, server.process.pid, worker.process.pid


def described(driver: Driver, data_dir: Path) -> dict[str, object]:
    """The server's version, memory and start-up options, and the options of its vector indexes."""
    with session_of(driver) as session:
        version = session.run("CALL dbms.components() YIELD versions RETURN versions[0] AS version").data()
        indexes = session.run("SHOW VECTOR INDEXES YIELD name, options RETURN name, options.indexConfig AS options")
        return {
            "neo4j": version[0]["version"],
            "java": _java_options(data_dir),
            "memory": _memory(data_dir),
            "vector_indexes": {row["name"]: row["options"] for row in indexes.data()},
        }


def _java_options(data_dir: Path) -> list[str]:
    lines = (DataDir(data_dir).neo4j / "conf" / "java.args").read_text("utf-8").splitlines()
    options = [line.strip('"') for line in lines]
    return options[: options.index("-cp")]


def _memory(data_dir: Path) -> dict[str, str]:
    lines = (DataDir(data_dir).neo4j / "conf" / "neo4j.conf").read_text("utf-8").splitlines()
    pairs = [line.split("=", 1) for line in lines if line.startswith("server.memory.")]
    return {key.removeprefix("server.memory."): value for key, value in pairs}
