"""The real models, loaded once for all tests of a run, and a memory that works with them."""

from functools import cache

from graphmem.clock import utc_now
from graphmem.embed.local import LocalEmbedder
from graphmem.extract.offline import OfflineExtractor
from graphmem.memory import Memory
from graphmem.model.embedding import Embedder
from graphmem.model.fragment import Extractor
from graphmem.settings import EmbeddingSettings
from graphmem.store.driver import Database
from graphmem.store.evidence import EvidenceStore
from graphmem.store.graph import GraphStore
from graphmem.store.queries import cypher_root, load_queries


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


def memory_on(
    database: Database,
    *,
    extracts: Extractor | None = None,
    embeds: Embedder | None = None,
    evidence: EvidenceStore | None = None,
) -> Memory:
    """With the real models, unless others are given."""
    queries = load_queries(cypher_root())
    evidence = evidence or EvidenceStore(database, queries)
    return Memory(GraphStore(database, queries), evidence, extracts or extractor(), embeds or embedder(), utc_now)
