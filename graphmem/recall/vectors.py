"""Vectors that could not be made when a text was stored: embedded later, and given to beliefs."""

from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import structlog

from graphmem.errors import ModelUnavailable, NotEmbeddable
from graphmem.model.embedding import Embedder, GroupVectors, Vector, portion
from graphmem.store.graph import GraphStore

Result = TypeVar("Result")

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


async def unless_away(embedding: Awaitable[Result]) -> Result | None:
    """What is embedded; None while the model is away."""
    try:
        return await embedding
    except ModelUnavailable as error:
        log.warning("vectors.pending", reason=str(error))
        return None


SOON = 10_000
"""Characters of a text that is embedded while a caller waits. Longer ones take seconds, and get their vectors later."""


async def vectors_soon(embedder: Embedder, texts: Iterable[str]) -> dict[str, Vector]:
    """The vectors of texts that are short enough to be waited for, by text; none while the model is away."""
    soon = [text for text in dict.fromkeys(texts) if len(text) <= SOON]
    vectors = await unless_away(embedder.embed(soon)) if soon else []
    return dict(zip(soon, vectors or (), strict=vectors is not None))


@dataclass(frozen=True, slots=True)
class Embedded:
    """What a step did: texts that got a vector, texts at which the model fails, beliefs that got theirs."""

    texts: int = 0
    failed: int = 0
    beliefs: int = 0

    def __bool__(self) -> bool:
        return bool(self.texts or self.failed or self.beliefs)


def other_model(group: str, stored: str, configured: str) -> str:
    """That a group's vectors are of another model than is configured, and what to do."""
    return (
        f"The vectors of group {group!r} are of the embedding model {stored}, and {configured} is configured. Embed it "
        f"again with `graphmem admin reembed --group {group}`, or set embedding.model back."
    )


class LateVectors:
    """Embeds what a group has without vectors. To do it again, or twice at a time, changes nothing."""

    def __init__(self, store: GraphStore, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder

    async def next_group(self, after: str) -> str | None:
        """The next group, by id, in which something waits for its vector."""
        return await self._store.next_group_to_embed(after)

    async def embed_some(self, group: str, texts: int, beliefs: int) -> Embedded | None:
        """Embed up to so many texts, and give vectors to as many beliefs of each kind; None where none is left.

        Nothing is done while the group's old vectors are taken away.

        Raises:
            ModelUnavailable: the model is away, or is not the group's.
        """
        stored = await self._store.vectors_of_group(group)
        if stored is None or stored.forgetting:
            return None
        due = portion(await self._store.texts_to_embed(group, texts), texts)
        vectors: dict[str, Vector | None] = {}
        if due:
            self._refuse_other(group, stored.model)
            wanted = due.texts
            vectors = dict(zip(wanted, await self._vectors(list(wanted.values())), strict=True))
            if any(vector is not None and len(vector) != stored.dimensions for vector in vectors.values()):
                raise ModelUnavailable(f"{stored.model!r} gives vectors of another length than group {group!r} has.")
            await self._store.write_vectors(group, self._embedder.model, due, vectors)
        done = Embedded(
            texts=sum(vector is not None for vector in vectors.values()),
            failed=sum(vector is None for vector in vectors.values()),
            beliefs=await self._store.embed_beliefs(group, beliefs),
        )
        return done if due or done else None

    @property
    def model(self) -> tuple[str, int]:
        """The configured model, and the dimensions of its vectors."""
        return self._embedder.model, self._embedder.dimensions

    async def vectors_taken(self, group: str) -> GroupVectors | None:
        """What vectors a group takes; None where it takes none of the configured model.

        What is written without a vector meanwhile is embedded, or made again, by the job that embeds the group again.

        Raises:
            ModelUnavailable: its vectors of another model are just being taken away.
        """
        stored = await self._store.vectors_of_group(group)
        if stored is not None and stored.forgetting:
            raise ModelUnavailable(f"Group {group!r} is losing the vectors of another model.")
        return stored if stored is not None and stored.model == self._embedder.model else None

    def _refuse_other(self, group: str, model: str) -> None:
        if model != self._embedder.model:
            raise ModelUnavailable(other_model(group, model, self._embedder.model))

    async def _vectors(self, texts: Sequence[str]) -> list[Vector | None]:
        """None for a text at which the model fails, and not at others."""
        try:
            return [*await self._embedder.embed(texts)]
        except NotEmbeddable:
            if len(texts) == 1:
                return [None]
        return [vector for text in texts for vector in await self._vectors([text])]


def counts(done: Embedded) -> Mapping[str, int]:
    """What a step did, by name."""
    return {"texts": done.texts, "not_embeddable": done.failed, "beliefs": done.beliefs}
