"""Vectors that are still to come, and writing them when they do."""

from collections.abc import Mapping
from datetime import datetime

from graphmem.model.embedding import Vector
from graphmem.model.interval import LATEST
from graphmem.model.scope import Scope
from graphmem.model.vectors import GroupVectors, Portion, UnembeddedEpisode
from graphmem.store.instants import as_text
from graphmem.store.named import QueryStore
from graphmem.store.parameters import as_vector
from graphmem.store.rows.episode import CountRow
from graphmem.store.rows.predicate import GroupIdRow
from graphmem.store.rows.vector import GroupVectorsRow, UnembeddedEpisodeRow


class VectorStore(QueryStore):
    """The queries of ``vector.cypher``. Work is looked for where writers are: what was just written is seen."""

    async def vectors_of_group(self, group: str) -> GroupVectors | None:
        row = await self._run.optional("vectors_of_group", GroupVectorsRow, group=group)
        return row.to_domain() if row else None

    async def count_vectors_pending(self, group: str, *, user: str | None = None) -> int:
        """How many episodes wait for vectors, as a user may see them."""
        audience = Scope(group, LATEST, user=user).audience
        return (await self._run.one("count_vectors_pending", CountRow, group=group, audience=audience)).count

    async def next_group_to_embed(self, after: str) -> str | None:
        rows = await self._run.many_from_leader("next_group_to_embed", GroupIdRow, after=after)
        return rows[0].group_id if rows else None

    async def texts_to_embed(self, group: str, limit: int) -> list[UnembeddedEpisode]:
        """Episodes that wait longest, with up to ``limit`` claims of each."""
        rows = await self._run.many_from_leader("texts_to_embed", UnembeddedEpisodeRow, group=group, limit=limit)
        return [row.to_domain() for row in rows]

    async def write_vectors(
        self, group: str, model: str, portion: Portion, vectors: Mapping[str, Vector | None]
    ) -> None:
        """Write vectors by the ids of their texts; None of a text at which the model fails."""
        await self._run.execute(
            "write_vectors",
            group=group,
            embedding_model=model,
            episodes=[_row(id_, vectors[id_]) for id_ in portion.contents],
            claims=[_row(id_, vectors[id_]) for id_ in portion.claims],
            complete=[_due(id_, due) for id_, due in portion.complete.items()],
        )

    async def embed_beliefs(self, group: str, limit: int) -> int:
        """Give versions of beliefs the vectors of their claims, ``limit`` of each kind; returns how many got theirs."""
        return (await self._run.one("embed_beliefs", CountRow, group=group, limit=limit)).count


def _row(id_: str, vector: Vector | None) -> dict[str, object]:
    return {"id": id_, "embedding": None if vector is None else as_vector(vector)}


def _due(id_: str, due: datetime) -> dict[str, object]:
    return {"id": id_, "due": as_text(due)}
