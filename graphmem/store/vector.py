"""Vectors that are still to come, and writing them when they do."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from graphmem.model.embedding import EmbeddedText, GroupVectors, Portion, UnembeddedEpisode, Vector
from graphmem.model.interval import LATEST
from graphmem.model.scope import Scope
from graphmem.store.instants import as_text
from graphmem.store.named import QueryStore
from graphmem.store.parameters import as_vector, passage_rows
from graphmem.store.rows import CountRow

Position = tuple[datetime, str]
"""Where a walk over episodes is: (occurred_at, id)."""


@dataclass(frozen=True, slots=True)
class ReembeddingRow:
    since: datetime


@dataclass(frozen=True, slots=True)
class TimeOfDatabaseRow:
    now: datetime


@dataclass(frozen=True, slots=True)
class ForgottenRow:
    """How many lost their vectors, and the id of the last; None where there were none."""

    last: str | None
    count: int


@dataclass(frozen=True, slots=True)
class ForgottenEpisodesRow:
    last_time: datetime | None
    last_id: str | None
    count: int


@dataclass(frozen=True, slots=True)
class UnembeddedClaimRecord:
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class UnembeddedEpisodeRow:
    id: str
    due: datetime
    content: str | None
    claims: tuple[UnembeddedClaimRecord, ...]

    def to_domain(self) -> UnembeddedEpisode:
        claims = {claim.id: claim.text for claim in self.claims}
        return UnembeddedEpisode(id=self.id, due=self.due, content=self.content, claims=claims)


class VectorStore(QueryStore):
    """The queries of ``vector.cypher``. Work is looked for where writers are: what was just written is seen."""

    async def vectors_of_group(self, group: str, *, user: str | None = None) -> GroupVectors | None:
        """Whether vectors are still to come of what a user may see; None, the whole group."""
        scope = Scope(group, LATEST, user=user)
        return await self._run.optional("vectors_of_group", GroupVectors, scope)

    async def count_vectors_pending(self, group: str, *, user: str | None = None) -> int:
        """How many episodes wait for vectors, as a user may see them."""
        scope = Scope(group, LATEST, user=user)
        return (await self._run.single("count_vectors_pending", CountRow, scope)).count

    async def next_group_to_embed(self, after: str) -> str | None:
        return await self._leader.first_id("next_group_to_embed", after=after)

    async def texts_to_embed(self, group: str, limit: int) -> list[UnembeddedEpisode]:
        """Episodes that wait longest, with up to ``limit`` claims of each."""
        rows = await self._leader.many("texts_to_embed", UnembeddedEpisodeRow, group=group, limit=limit)
        return [row.to_domain() for row in rows]

    async def write_vectors(
        self,
        group: str,
        model: str,
        portion: Portion,
        contents: Mapping[str, EmbeddedText],
        claims: Mapping[str, Vector | None],
    ) -> None:
        """Write a model's vectors by the ids of their texts; none of a text at which it fails."""
        await self._run.execute(
            "write_vectors",
            group=group,
            embedding_model=model,
            episodes=[
                _row(id_, text.embedding) | {"passages": passage_rows(id_, text.passages)}
                for id_, text in contents.items()
            ],
            claims=[_row(id_, vector) for id_, vector in claims.items()],
            complete=[_due(id_, due) for id_, due in portion.complete.items()],
        )

    async def embed_beliefs(self, group: str, limit: int) -> int:
        """Give versions of beliefs the vectors of their claims, ``limit`` of each kind; returns how many got theirs."""
        return (await self._run.single("embed_beliefs", CountRow, group=group, limit=limit)).count

    # another model --------------------------------------------------------------------------------------------------

    async def begin_reembedding(self, group: str, model: str, dimensions: int) -> datetime | None:
        """Have a group be of this model, and take no vectors for now; since when, None without the group."""
        row = await self._run.optional(
            "begin_reembedding", ReembeddingRow, group=group, embedding_model=model, dimensions=dimensions
        )
        return row.since if row else None

    async def time_of_database(self) -> datetime:
        """What the clock of the server that writes shows."""
        return (await self._leader.many("time_of_database", TimeOfDatabaseRow))[0].now

    async def end_forgetting(self, group: str) -> None:
        """Have the group take vectors again."""
        await self._run.execute("end_forgetting", group=group)

    async def forget_vectors_of_episodes(self, group: str, after: Position, limit: int) -> tuple[Position, int]:
        """Take away the vectors of the next episodes and of their claims; says after which, and of how many."""
        row = await self._run.single(
            "forget_vectors_of_episodes",
            ForgottenEpisodesRow,
            group=group,
            after_time=after[0],
            after_id=after[1],
            limit=limit,
        )
        last = after if row.last_time is None or row.last_id is None else (row.last_time, row.last_id)
        return last, row.count

    async def forget_vectors_of_relationships(self, group: str, after: str, limit: int) -> tuple[str, int]:
        """Take away the vectors of the next relationships, by id; says after which, and of how many."""
        return await self._forget("forget_vectors_of_relationships", group, after, limit)

    async def forget_vectors_of_superseded(self, group: str, after: str, limit: int) -> tuple[str, int]:
        return await self._forget("forget_vectors_of_superseded", group, after, limit)

    async def forget_vectors_of_facts(self, group: str, after: str, limit: int) -> tuple[str, int]:
        return await self._forget("forget_vectors_of_facts", group, after, limit)

    async def forget_vectors_of_superseded_facts(self, group: str, after: str, limit: int) -> tuple[str, int]:
        return await self._forget("forget_vectors_of_superseded_facts", group, after, limit)

    async def forget_vectors_of_names(self, group: str, after: str, limit: int) -> tuple[str, int]:
        return await self._forget("forget_vectors_of_names", group, after, limit)

    async def forget_vectors_of_summaries(self, group: str, after: str, limit: int) -> tuple[str, int]:
        return await self._forget("forget_vectors_of_summaries", group, after, limit)

    async def forget_vectors_of_reflections(self, group: str, after: str, limit: int) -> tuple[str, int]:
        return await self._forget("forget_vectors_of_reflections", group, after, limit)

    async def _forget(self, query: str, group: str, after: str, limit: int) -> tuple[str, int]:
        row = await self._run.single(query, ForgottenRow, group=group, after=after, limit=limit)
        return row.last or after, row.count


def _row(id_: str, vector: Vector | None) -> dict[str, object]:
    return {"id": id_, "embedding": as_vector(vector)}


def _due(id_: str, due: datetime) -> dict[str, object]:
    return {"id": id_, "due": as_text(due)}
