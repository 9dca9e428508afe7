"""Nearness of names: each is embedded once, and looked up among the others of its group."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import structlog

from graphmem.errors import Conflict, ModelUnavailable
from graphmem.model.embedding import GroupVectors, Vector
from graphmem.model.matching import MatchingSettings, MatchProfile, Neighbour, Pair, Stage, StageSettings, pair_of
from graphmem.recall.vectors import LateVectors
from graphmem.resolve.matching.score import nearest
from graphmem.store.matching import MatchingStore

LOOKED_AT = 50
"""The nearest of which some may have words in common, or other types."""

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Nearness:
    """The vectors of entities' names."""

    def __init__(self, store: MatchingStore, late_vectors: LateVectors, settings: MatchingSettings) -> None:
        self._store = store
        self._late_vectors = late_vectors
        self._settings = settings

    async def embed_some(self, group: str, limit: int) -> int:
        """Embed up to so many names that have no vector yet, but of types that are not looked up by it; says how many.

        None where the model is away: they go on waiting, and everything else goes on. In a group of another model they
        wait until the group is embedded again, or a process starts, which may be one with that model.
        """
        waiting = await self._store.due_to_embed(group, limit)
        due = [row for row in waiting if self._chosen(row.type).enabled]
        if left := [row for row in waiting if row not in due]:
            await self._store.leave_names(group, left)
        if not due:
            return len(waiting)
        try:
            stored = await self._late_vectors.vectors_taken(group)
            vectors = await self._late_vectors.each_vector([row.name for row in due]) if stored else []
            _refuse_unusable(vectors, stored)
        except ModelUnavailable as error:
            log.warning("names.not_embedded", reason=str(error))
            return 0
        except Conflict as error:
            log.warning("names.not_embedded", reason=str(error))
            await self._store.forget_due_to_embed(group)
            return 0
        await self._store.embed_names(group, self._late_vectors.model[0], due, vectors)
        return len(waiting)

    async def near(self, group: str, known: Mapping[str, MatchProfile]) -> dict[Pair, float]:
        """Pairs of these entities and others whose names are near, each with the cosine of its vectors."""
        chosen = {id_: self._chosen(profile.type) for id_, profile in known.items()}
        least = {id_: stage.threshold for id_, stage in chosen.items() if stage.enabled}
        if not least:
            return {}
        limit = max(LOOKED_AT, *(5 * chosen[id_].limit // 2 for id_ in least))
        by_entity = defaultdict[str, list[Neighbour]](list)
        for row in await self._store.neighbours(group, least, limit):
            by_entity[row.id].append(row.neighbour)
        return {
            pair_of(id_, other): cosine
            for id_, neighbours in by_entity.items()
            for other, cosine in nearest(known[id_], neighbours, self._settings).items()
        }

    def _chosen(self, type_: str) -> StageSettings:
        return self._settings.of([type_]).stage(Stage.EMBEDDING)


def _refuse_unusable(vectors: Sequence[Vector | None], stored: GroupVectors | None) -> None:
    """Neo4j stores a vector of another length, or of none, silently and never finds it."""
    if stored is None:
        raise Conflict("The group's vectors are of another embedding model.")
    if any(vector is not None and (len(vector) != stored.dimensions or not any(vector)) for vector in vectors):
        raise Conflict(f"The embedding model gave a vector that the group's {stored.dimensions} dimensions do not fit.")
