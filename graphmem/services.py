"""Builds everything a process needs from the settings, and closes it in reverse order."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from graphmem.clock import Clock, utc_now
from graphmem.embed.local import LocalEmbedder
from graphmem.errors import ConfigurationError
from graphmem.extract.offline import OfflineExtractor
from graphmem.memory import Memory
from graphmem.model.embedding import Embedder
from graphmem.model.fragment import Extractor
from graphmem.model.predicate import BUILT_IN_PREDICATES
from graphmem.settings import Settings
from graphmem.store.driver import Database, check_server, open_driver
from graphmem.store.evidence import EvidenceStore
from graphmem.store.graph import GraphStore
from graphmem.store.migrations import migrate
from graphmem.store.queries import cypher_root, load_queries


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What API, worker and tools stand on."""

    settings: Settings
    database: Database
    memory: Memory
    extractor: Extractor
    embedder: Embedder
    clock: Clock

    async def warm(self) -> None:
        """Load the models now rather than at the first use.

        Raises:
            ModelUnavailable: a model is not where the settings say.
        """
        for model in (self.extractor, self.embedder):
            if isinstance(model, Warmable):
                await asyncio.to_thread(model.warm)


@runtime_checkable
class Warmable(Protocol):
    """A model that takes seconds to load."""

    def warm(self) -> None: ...


@asynccontextmanager
async def open_services(
    settings: Settings,
    *,
    extractor: Extractor | None = None,
    embedder: Embedder | None = None,
    clock: Clock = utc_now,
) -> AsyncGenerator[Services]:
    """Everything, connected and migrated. The doubles of tests go in by keyword.

    Raises:
        ConfigurationError: no Neo4j is configured, or it is too old or refuses the user.
        StoreUnavailable: Neo4j does not answer.
        MigrationError: its schema is not what this version makes.
    """
    uri, user, password = _neo4j(settings)
    await check_server(uri, user, password, settings.neo4j)
    queries = load_queries(cypher_root())
    database = Database(open_driver(uri, user, password, settings.neo4j), settings.neo4j)
    local = LocalEmbedder(settings.embedding)
    try:
        await migrate(database, cypher_root())
        extracts, embeds = extractor or OfflineExtractor(), embedder or local
        memory = Memory(
            GraphStore(database, queries),
            EvidenceStore(database, queries, BUILT_IN_PREDICATES),
            extracts,
            embeds,
            clock,
        )
        yield Services(
            settings=settings, database=database, memory=memory, extractor=extracts, embedder=embeds, clock=clock
        )
    finally:
        local.close()
        await database.aclose()


def _neo4j(settings: Settings) -> tuple[str, str, str | None]:
    neo4j = settings.neo4j
    if neo4j.uri is None:
        raise ConfigurationError("No Neo4j is configured. Run `graphmem up`, or set NEO4J_URI and NEO4J_PASSWORD.")
    return neo4j.uri, neo4j.user, neo4j.password.get_secret_value() if neo4j.password else None
