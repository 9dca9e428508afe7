"""Vectors that could not be made when a text was stored: embedded later, and given to beliefs."""

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import structlog

from graphmem.errors import ModelUnavailable, NotEmbeddable
from graphmem.model.embedding import Embedder, Vector
from graphmem.model.vectors import portion
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


@dataclass(frozen=True, slots=True)
class Embedded:
    """What a step did: texts that got a vector, texts at which the model fails, beliefs that got theirs."""

    texts: int = 0
    failed: int = 0
    beliefs: int = 0

    def __bool__(self) -> bool:
        return bool(self.texts or self.failed or self.beliefs)


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

        Raises:
            ModelUnavailable: the model is away, or is not the group's.
        """
        due = portion(await self._store.texts_to_embed(group, texts), texts)
        vectors: dict[str, Vector | None] = {}
        if due:
            await self._check_model(group)
            wanted = {**due.contents, **due.claims}
            vectors = dict(zip(wanted, await self._vectors(list(wanted.values())), strict=True))
            await self._store.write_vectors(group, self._embedder.model, due, vectors)
        done = Embedded(
            texts=sum(vector is not None for vector in vectors.values()),
            failed=sum(vector is None for vector in vectors.values()),
            beliefs=await self._store.embed_beliefs(group, beliefs),
        )
        return done if due or done else None

    async def _check_model(self, group: str) -> None:
        stored = await self._store.vectors_of_group(group)
        if stored is not None and stored.model != self._embedder.model:
            raise ModelUnavailable(
                f"The vectors of group {group!r} are of {stored.model!r}, and {self._embedder.model!r} is configured."
            )

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
