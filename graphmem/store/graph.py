"""The graph in Neo4j: a class per file of ``cypher/queries``, a method per query, of the same name."""

from graphmem.store.belief import BeliefStore
from graphmem.store.consolidation import ConsolidationStore
from graphmem.store.context import ContextStore
from graphmem.store.entity import EntityStore
from graphmem.store.entity_summary import EntitySummaryStore
from graphmem.store.episode import EpisodeStore
from graphmem.store.fact import FactStore
from graphmem.store.group import GroupStore
from graphmem.store.matching import MatchingStore
from graphmem.store.merge import MergeStore
from graphmem.store.reflection import ReflectionStore
from graphmem.store.search import SearchStore
from graphmem.store.session import SessionStore
from graphmem.store.sieve import SieveStore
from graphmem.store.stats import OverviewStore, StatsStore
from graphmem.store.summary import SummaryStore
from graphmem.store.vector import VectorStore


class GraphStore(
    GroupStore,
    EpisodeStore,
    EntityStore,
    BeliefStore,
    MatchingStore,
    MergeStore,
    SearchStore,
    SieveStore,
    ContextStore,
    FactStore,
    SessionStore,
    SummaryStore,
    ReflectionStore,
    EntitySummaryStore,
    VectorStore,
    StatsStore,
    OverviewStore,
    ConsolidationStore,
):
    """Reads, and the writes that are one query. Changes of evidence are in ``graphmem.store.change.evidence``."""
