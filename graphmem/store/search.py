"""Look-ups in the full-text and vector indexes."""

from graphmem.model.belief import BeliefRow
from graphmem.model.embedding import Vector
from graphmem.model.episode import StoredEpisode
from graphmem.model.recall import PointInTime
from graphmem.store.named import QueryStore
from graphmem.store.parameters import as_vector, at
from graphmem.store.rows.search import BeliefHit, BeliefHits, EpisodeHit, EpisodeHits

BeliefScore = tuple[BeliefRow, float]
EpisodeScore = tuple[StoredEpisode, float]


class SearchStore(QueryStore):
    """The queries of ``search.cypher``."""

    async def relationships_by_vector(
        self, group: str, when: PointInTime, vector: Vector, limit: int
    ) -> list[BeliefScore]:
        rows = await self._run.many(
            "relationships_by_vector", BeliefHit, group=group, vector=as_vector(vector), limit=limit, **at(when)
        )
        return [(row.to_domain(when.known_at), row.score) for row in rows]

    async def facts_by_vector(self, group: str, when: PointInTime, vector: Vector, limit: int) -> list[BeliefScore]:
        rows = await self._run.many(
            "facts_by_vector", BeliefHit, group=group, vector=as_vector(vector), limit=limit, **at(when)
        )
        return [(row.to_domain(when.known_at), row.score) for row in rows]

    async def episodes_by_vector(self, group: str, when: PointInTime, vector: Vector, limit: int) -> list[EpisodeScore]:
        rows = await self._run.many(
            "episodes_by_vector", EpisodeHit, group=group, vector=as_vector(vector), limit=limit, **at(when)
        )
        return [(row.to_domain(), row.score) for row in rows]

    async def relationships_by_text(
        self, group: str, when: PointInTime, lucene: str, limit: int
    ) -> tuple[int, list[BeliefScore]]:
        """The number of hits looked at, and those of them that held then."""
        row = await self._run.one(
            "relationships_by_text", BeliefHits, group=group, lucene=lucene, limit=limit, **at(when)
        )
        return row.raw, [(hit.to_domain(when.known_at), hit.score) for hit in row.hits]

    async def facts_by_text(
        self, group: str, when: PointInTime, lucene: str, limit: int
    ) -> tuple[int, list[BeliefScore]]:
        """The number of hits looked at, and those of them that held then."""
        row = await self._run.one("facts_by_text", BeliefHits, group=group, lucene=lucene, limit=limit, **at(when))
        return row.raw, [(hit.to_domain(when.known_at), hit.score) for hit in row.hits]

    async def episodes_by_text(
        self, group: str, when: PointInTime, lucene: str, limit: int
    ) -> tuple[int, list[EpisodeScore]]:
        """The number of hits looked at, and those of them that had happened then."""
        row = await self._run.one("episodes_by_text", EpisodeHits, group=group, lucene=lucene, limit=limit, **at(when))
        return row.raw, [(hit.to_domain(), hit.score) for hit in row.hits]
