"""Builds everything a process needs from the settings, and closes it in reverse order."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any, Literal

from graphmem.clock import Clock, utc_now
from graphmem.derived.entity_summaries import EntitySummaries
from graphmem.derived.reflections import Reflections
from graphmem.derived.summaries import Summaries
from graphmem.embed.providers import embedder_of
from graphmem.embed.tokens import FileTokenizer
from graphmem.errors import ConfigurationError, GraphmemError, StoreUnavailable, UnavailableError
from graphmem.extract.providers import Extractors
from graphmem.memory import Memory, Models, Policies, Stores
from graphmem.model.embedding import Embedder
from graphmem.model.fragment import Extractor
from graphmem.model.projection.predicate import BUILT_IN
from graphmem.private_files import ensure_secret
from graphmem.process import logs
from graphmem.process.background import Background
from graphmem.process.disk import Disk
from graphmem.process.preload import Preload
from graphmem.recall.context import Contexts
from graphmem.retrieve.weights import weights_of
from graphmem.settings import Settings, load_settings
from graphmem.settings.servers import Neo4jSettings
from graphmem.store.audit import AuditStore
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.driver import Connect, Database, check_server, open_driver
from graphmem.store.forget import ForgetStore
from graphmem.store.graph import GraphStore
from graphmem.store.key import KeyStore
from graphmem.store.migrations import migrate
from graphmem.store.predicates import PredicateStore
from graphmem.store.queries import Query, cypher_root, load_queries
from graphmem.store.tombstone import TombstoneStore
from graphmem.store.work import WorkStore
from graphmem.trust.audit import Audit
from graphmem.trust.export import Exports
from graphmem.trust.forgetting import Forgetting
from graphmem.trust.keeping import SharedFacts
from graphmem.trust.keys import Installation, Keys
from graphmem.trust.naming import GroupNames
from graphmem.trust.restoring import Restoring
from graphmem.trust.retention import Retention
from graphmem.trust.tombstones import Tombstones
from graphmem.trust.verifying import Verifier
from graphmem.visible import visible_lines

PreloadedModel = Literal["embedder", "extractor"]

_PAUSE = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What API, worker and tools stand on."""

    settings: Settings
    database: Database
    memory: Memory
    contexts: Contexts
    summaries: Summaries
    entity_summaries: EntitySummaries
    reflections: Reflections
    evidence: EvidenceStore
    predicates: PredicateStore
    works: WorkStore
    keys: Keys
    names: GroupNames
    audit: Audit
    tombstones: Tombstones
    forgetting: Forgetting
    verifier: Verifier
    retention: Retention
    exports: Exports
    restoring: Restoring
    extractors: Extractors
    embedder: Embedder
    clock: Clock
    background: Background
    disk: Disk
    preload: Preload

    async def warm(self) -> None:
        """Return once the models are loaded that were to be preloaded; if loading them failed, load them again.

        Raises:
            ModelUnavailable: a model is not where the settings say, or a library that it needs is broken.
            ConfigurationError: a language model cannot be used.
        """
        await self.preload.done()


@asynccontextmanager
async def open_services(
    settings: Settings,
    *,
    extractor: Extractor | None = None,
    embedder: Embedder | None = None,
    clock: Clock = utc_now,
    preload: frozenset[PreloadedModel] = frozenset(),
    at_once: bool = True,
    background: Background | None = None,
    connect: Connect = Database,
    queries: Mapping[str, Query] | None = None,
) -> AsyncGenerator[Services]:
    """Everything, connected and migrated, with the configured policies in force. The doubles of tests go in by keyword.

    What goes on beside is one of the ``background`` tasks of the process.

    Models named by ``preload`` are loaded in the background: ``at_once``, because importing them takes longer than
    waiting for Neo4j; or when Neo4j answers, so that it starts sooner where it starts beside us.

    Raises:
        ConfigurationError: no Neo4j is configured, or it is too old or refuses the user; or settings of the embedding
            model contradict each other; or the file of weights does not fit.
        StoreUnavailable: Neo4j does not answer within ``neo4j.startup_timeout``.
        MigrationError: its schema is not what this version makes.
    """
    weights = weights_of(settings.search.weights)
    configured = embedder_of(settings.embedding, settings.openai)
    extractors = Extractors(settings)
    extracts, embeds = extractor or extractors.of(), embedder or configured
    models = {"extractor": extracts, "embedder": embeds}
    begin, background, disk = asyncio.Event(), background or Background(), Disk(settings.disk)
    if at_once:
        begin.set()
    loading = Preload([models[name] for name in sorted(preload, reverse=True)], begin)
    try:
        async with (
            background.running("disk", disk.watching),
            _open_database(settings, connect) as database,
        ):
            begin.set()
            queries = queries or load_queries(cypher_root())
            installation = installation_of(settings)
            types = settings.ontology.to_domain().entity_types
            store, evidence = GraphStore(database, queries), EvidenceStore(database, queries, types, settings.fading)
            audit = Audit(AuditStore(database, queries), installation, settings.audit.reads)
            tombstones = Tombstones(TombstoneStore(database, queries), installation, clock)
            forgotten = ForgetStore(database, queries)
            keeper = SharedFacts(forgotten, evidence, installation, clock, embeds.model)
            forgetting = Forgetting(forgotten, evidence, installation, clock, tombstones, keeper)
            predicates, works = PredicateStore(database, queries), WorkStore(database, queries)
            await predicates.keep(
                {**BUILT_IN, **{name: predicate.policy() for name, predicate in settings.predicates.items()}}
            )
            memory = Memory(
                Stores(store, works, evidence),
                Models(
                    extractor=extracts,
                    embedder=embeds,
                    extractor_of=extractors.of,
                    closer=extractors.closer,
                    reviewer=extractors.reviewer,
                ),
                Policies(
                    matching=settings.matching.settings(),
                    question_timeout=settings.embedding.query_timeout_ms / 1000,
                    weights=weights,
                    admission=settings.facts,
                    fading=settings.fading,
                    sessions=settings.session_policy(),
                    likeness=settings.consolidation.likeness,
                ),
                installation,
                clock,
            )
            keys = Keys(KeyStore(database, queries), installation, clock)
            tokens = FileTokenizer(settings.context.tokenizer, settings.embedding)
            yield Services(
                settings=settings,
                database=database,
                memory=memory,
                summaries=Summaries(
                    store,
                    memory.reader,
                    embeds,
                    memory.late_vectors,
                    tokens,
                    memory.window_facts,
                    settings.summary_policy(),
                    extractors.summary_writer,
                ),
                entity_summaries=EntitySummaries(store, memory.late_vectors, tokens, settings.summaries.of_entities),
                reflections=Reflections(
                    store,
                    memory.reader,
                    memory.late_vectors,
                    tokens,
                    settings.reflection,
                    extractors.reflection_writer,
                ),
                contexts=Contexts(store, memory.reader, memory.searcher, memory.uses, tokens),
                evidence=evidence,
                predicates=predicates,
                works=works,
                keys=keys,
                names=GroupNames(store, keys, clock),
                audit=audit,
                tombstones=tombstones,
                forgetting=forgetting,
                verifier=Verifier(forgotten, forgetting, installation, embeds),
                retention=Retention(store, audit, installation, clock),
                exports=Exports(store),
                restoring=Restoring(store, evidence, memory.late_vectors, clock, types, tombstones, forgetting),
                extractors=extractors,
                embedder=embeds,
                clock=clock,
                background=background,
                disk=disk,
                preload=loading,
            )
    finally:
        loading.cancel()
        await extractors.aclose()
        await configured.aclose()


@asynccontextmanager
async def _open_database(settings: Settings, connect: Connect) -> AsyncGenerator[Database]:
    uri, user, password = _neo4j(settings)
    await _answers(uri, user, password, settings.neo4j)
    database = connect(open_driver(uri, user, password, settings.neo4j), settings.neo4j)
    try:
        await migrate(database, cypher_root())
        yield database
    finally:
        await database.aclose()


async def _answers(uri: str, user: str, password: str | None, settings: Neo4jSettings) -> None:
    """Return once the server answers and is new enough; it may be starting, as we are."""
    deadline = monotonic() + settings.startup_timeout
    while True:
        try:
            await check_server(uri, user, password, settings)
        except StoreUnavailable as error:
            if monotonic() > deadline:
                raise StoreUnavailable(
                    f"Neo4j at {uri} does not answer. Start it, or set NEO4J_URI to where it is. {error}"
                ) from error
            await asyncio.sleep(_PAUSE)
        else:
            return


def run_process(serve: Callable[[Settings], Coroutine[Any, Any, None]]) -> int:
    """Run API or worker until it ends; returns the exit code, 75 (EX_TEMPFAIL) where the same start may succeed later.

    What is wrong on purpose is told in one line.
    """
    try:
        settings = load_settings()
        logs.configure(settings.log)
        asyncio.run(serve(settings))
    except GraphmemError as error:
        sys.stderr.write(f"Error: {visible_lines(str(error))}\n")
        return os.EX_TEMPFAIL if isinstance(error, UnavailableError) else 1
    return 0


def _neo4j(settings: Settings) -> tuple[str, str, str | None]:
    neo4j = settings.neo4j
    if neo4j.uri is None:
        raise ConfigurationError("No Neo4j is configured. Run `graphmem up`, or set NEO4J_URI and NEO4J_PASSWORD.")
    return neo4j.uri, neo4j.user, neo4j.password.get_secret_value() if neo4j.password else None


def installation_of(settings: Settings) -> Installation:
    """The secret of a service: that of the settings, or in a file in the data directory that is made on first use.

    Raises:
        ConfigurationError: it is too short, or the file cannot be used.
    """
    if settings.keys.secret is not None:
        return Installation(settings.keys.secret.get_secret_value())
    path = settings.data_dir / "secrets" / "installation"
    try:
        return Installation(ensure_secret(path))
    except OSError as error:
        raise ConfigurationError(f"The file {path} cannot be used: {error.strerror}.") from error
