"""The real models, loaded once for all tests of a run, and a memory that works with them."""

from functools import cache

from graphmem.clock import utc_now
from graphmem.embed.local import LocalEmbedder
from graphmem.extract.offline import OfflineExtractor
from graphmem.memory import Memory
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


def memory_on(database: Database) -> Memory:
    queries = load_queries(cypher_root())
    return Memory(GraphStore(database, queries), EvidenceStore(database, queries), extractor(), embedder(), utc_now)
