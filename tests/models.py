"""The real models, loaded once for all tests of a run, and a memory that works with them."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from pydantic import BaseModel

from graphmem.clock import utc_now
from graphmem.embed.local import LocalEmbedder
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.memory import Memory, Models, Policies, Stores
from graphmem.model.embedding import Embedder
from graphmem.model.episode import CloserReader, Reprocessing
from graphmem.model.evidence import ChangeOutcome
from graphmem.model.fragment import Extractor
from graphmem.model.matching import MatchingSettings, PairReviewer
from graphmem.model.session import SESSIONS, SessionPolicy
from graphmem.settings.recall import EmbeddingSettings
from graphmem.settings.strategies import Composition
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.driver import Database
from graphmem.store.graph import GraphStore
from graphmem.store.queries import Query, cypher_root, load_queries, read_queries
from graphmem.store.work import WorkStore
from graphmem.trust.keys import Installation
from tests.fakes import HashEmbedder, ScriptedExtractor

(LABELS,) = read_queries(Path(__file__).parent / "store" / "labels.cypher")
HASHED_UNDER = "the secret of a service under test"
INSTALLATION = Installation(HASHED_UNDER)


class LabelsRow(BaseModel):
    type: str
    labels: set[str]


@cache
def embedder() -> LocalEmbedder:
    loaded = LocalEmbedder(EmbeddingSettings.model_validate({}))
    loaded.warm()
    return loaded


@cache
def extractor() -> OfflineExtractor:
    loaded = OfflineExtractor()
    loaded.warm()
    return loaded


@cache
def closed() -> OfflineExtractor:
    """The same without open claims, for tests of what the trained reader claims."""
    loaded = OfflineExtractor("closed", Composition(providers=("regex", "names", "reader")))
    loaded.warm()
    return loaded


@cache
def opened() -> OfflineExtractor:
    """Open claims alone, for tests of what these say."""
    loaded = OfflineExtractor("opened", Composition(providers=("regex", "names", "open")))
    loaded.warm()
    return loaded


@cache
def shipped_queries() -> Mapping[str, Query]:
    return load_queries(cypher_root())


def memory_on(
    database: Database,
    *,
    extracts: Extractor | None = None,
    embeds: Embedder | None = None,
    evidence: EvidenceStore | None = None,
    extractor_of: Callable[[Reprocessing], Extractor] | None = None,
    matching: MatchingSettings | None = None,
    reviewer: PairReviewer | None = None,
    sessions: SessionPolicy = SESSIONS,
    closer: CloserReader | None = None,
) -> Memory:
    """Without the real models, unless they are given."""
    queries = shipped_queries()
    evidence = evidence or EvidenceStore(database, queries)
    works = WorkStore(database, queries)
    return Memory(
        Stores(GraphStore(database, queries), works, evidence),
        Models(
            extractor=extracts or ScriptedExtractor(),
            embedder=embeds or HashEmbedder(),
            extractor_of=extractor_of,
            closer=closer,
            reviewer=reviewer,
        ),
        Policies(
            matching=matching or MatchingSettings(),
            sessions=sessions,
            question_timeout=30.0,  # machines that run tests are busy
        ),
        INSTALLATION,
        utc_now,
    )


async def digest(memory: Memory, group: str, episode_id: str) -> ChangeOutcome:
    """What came of an episode that is leased and digested here and now."""
    lease = await memory.digestion.lease(group, episode_id, 60)
    assert lease is not None
    return await memory.digestion.digest(lease)


async def labels_of_entities(database: Database, group: str) -> list[LabelsRow]:
    """Every entity node that there is, whether anybody may see it or not."""
    return await database.read(lambda transaction: transaction.run(LABELS, LabelsRow, group=group))
