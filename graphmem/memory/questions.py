"""Vectors of questions, within a time limit and by the group's own model; what is missing of them is said."""

import asyncio
from collections import Counter
from collections.abc import Sequence

import structlog

from graphmem.errors import ModelUnavailable, NotEmbeddable
from graphmem.memory.digestion import cancelled_after
from graphmem.model.embedding import Embedder, Vector
from graphmem.model.recall import Degraded, Why
from graphmem.model.vectors import GroupVectors
from graphmem.store.graph import GraphStore
from graphmem.together import together

TIMEOUT = 0.5
VECTOR = "vector"
"""The channel that is left out without a vector of the question."""
_REEMBEDDING = Degraded(
    VECTOR, Why.REEMBEDDING, "The group changes its embedding model: its old vectors are taken away."
)
_STILL_TO_COME = Degraded(VECTOR, Why.PENDING, "Some texts of the group are not embedded yet.")

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Questions:
    """Embeds questions. ``degraded`` counts searches by the channel that was not complete, and why.

    A question that takes longer than ``timeout`` seconds is cancelled; an embedder leaves cancelled ones out.
    """

    def __init__(self, store: GraphStore, embedder: Embedder, timeout: float = TIMEOUT) -> None:
        self._store = store
        self._embedder = embedder
        self._timeout = timeout
        self.degraded: Counter[tuple[str, str]] = Counter()

    async def vectors(
        self, group: str, texts: Sequence[str], *, user: str | None = None
    ) -> tuple[list[Vector], tuple[Degraded, ...]]:
        """A vector of each text, or none at all; and what of all that a user may see a search by them does not find."""
        with cancelled_after(asyncio.create_task(self._store.vectors_of_group(group, user=user))) as reading:
            embedded = await self._embedded(texts)
            stored = await reading
        vectors, degraded = _usable(embedded, stored, self._embedder.model)
        for one in degraded:
            log.warning("search.degraded", group=group, channel=one.channel, why=one.why, detail=one.detail)
            self.degraded[one.channel, one.why] += 1
        return vectors, degraded

    async def _embedded(self, texts: Sequence[str]) -> list[Vector] | Degraded:
        try:
            async with asyncio.timeout(self._timeout):
                return await together([self._embedder.embed_query(text) for text in texts])
        except TimeoutError:
            return Degraded(VECTOR, Why.TIMEOUT, f"The embedding model took longer than {1000 * self._timeout:g} ms.")
        except ModelUnavailable as error:
            return Degraded(VECTOR, Why.UNAVAILABLE, str(error))
        except NotEmbeddable as error:
            return Degraded(VECTOR, Why.NOT_EMBEDDABLE, str(error))


def _usable(
    embedded: list[Vector] | Degraded, stored: GroupVectors | None, model: str
) -> tuple[list[Vector], tuple[Degraded, ...]]:
    """The vectors, if the group's are of the same model and length; and what is missing."""
    if stored is not None and stored.model != model:
        return [], (_other_model(stored, model),)
    if stored is not None and stored.forgetting:
        return [], (_REEMBEDDING,)
    if isinstance(embedded, Degraded):
        return [], (embedded,)
    if stored is not None and any(len(vector) != stored.dimensions for vector in embedded):
        return [], (_other_model(stored, f"{model} of {len(embedded[0])} dimensions"),)
    return embedded, (_STILL_TO_COME,) if stored is not None and stored.pending else ()


def _other_model(stored: GroupVectors, configured: str) -> Degraded:
    return Degraded(
        VECTOR,
        Why.OTHER_MODEL,
        f"The group's vectors are of the embedding model {stored.model!r} ({stored.dimensions} dimensions), and "
        f"{configured!r} is configured.",
    )
