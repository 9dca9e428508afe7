"""Recall: what is believed and said about a text, at a point in time."""

from collections.abc import Awaitable, Callable, Sequence

from graphmem.model.belief import BeliefRow
from graphmem.model.embedding import Embedder, Vector
from graphmem.model.episode import StoredEpisode
from graphmem.model.ids import group_token
from graphmem.model.recall import PointInTime, Recall
from graphmem.reading import Reader
from graphmem.retrieve.fuse import fuse
from graphmem.retrieve.lucene import lucene_query
from graphmem.store.graph import GraphStore

KINDS = frozenset({"relationship", "fact", "episode"})
MAX_HITS = 25_600
"""Full-text hits looked through for those that held at a time."""

Thing = BeliefRow | StoredEpisode
Scored = Sequence[tuple[Thing, float]]


class Searcher:
    """Finds what answers a question."""

    def __init__(self, store: GraphStore, reader: Reader, embedder: Embedder) -> None:
        self._store = store
        self._reader = reader
        self._embedder = embedder

    async def search(
        self, group: str, when: PointInTime, text: str, *, kinds: frozenset[str] = KINDS, limit: int = 10
    ) -> Recall:
        """What is believed and said about ``text`` at a point in time.

        Full text and vectors over relationships, facts and episodes, fused by reciprocal rank. Tenant and time are
        part of the vector look-up; full text fetches on until enough hits held then.
        """
        await self._reader.known_group(group)
        vector = await self._embedder.embed_query(text)
        depth = max(50, 5 * limit // 2)
        things: dict[tuple[str, str], Thing] = {}
        channels: dict[str, list[tuple[str, str, float]]] = {}
        for kind in sorted(kinds):
            for channel, hits in (await self._search(kind, group, when, text, vector, depth)).items():
                things.update(((kind, thing.id), thing) for thing, _ in hits)
                channels[f"{channel}:{kind}"] = [(kind, thing.id, score) for thing, score in hits]
        ranked = fuse(channels)[:limit]
        return await self._reader.with_evidence(group, when, [(item, things[item.kind, item.id]) for item in ranked])

    async def _search(
        self, kind: str, group: str, when: PointInTime, text: str, vector: Vector, depth: int
    ) -> dict[str, Scored]:
        by_vector, by_text, field = {
            "relationship": (self._store.relationships_by_vector, self._store.relationships_by_text, "statement"),
            "fact": (self._store.facts_by_vector, self._store.facts_by_text, "statement"),
            "episode": (self._store.episodes_by_vector, self._store.episodes_by_text, "content"),
        }[kind]
        hits: dict[str, Scored] = {"vector": await by_vector(group, when, vector, depth)}
        if (lucene := lucene_query(text, group_token(group), field)) is not None:
            hits["text"] = await _enough(by_text, group, when, lucene, depth)
        return hits


async def _enough(
    by_text: Callable[[str, PointInTime, str, int], Awaitable[tuple[int, Scored]]],
    group: str,
    when: PointInTime,
    lucene: str,
    wanted: int,
) -> Scored:
    """The best full-text hits that held then: four times as many are fetched until there are enough, or no more."""
    fetched = wanted
    while True:
        raw, held = await by_text(group, when, lucene, fetched)
        if len(held) >= wanted or raw < fetched or fetched >= MAX_HITS:
            return held[:wanted]
        fetched *= 4
