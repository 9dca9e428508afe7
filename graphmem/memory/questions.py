"""Vectors of questions, within a time limit and by the group's own model; where there are none, the reason."""

import asyncio
from collections import Counter
from collections.abc import Sequence

import structlog

from graphmem.errors import ModelUnavailable, NotEmbeddable
from graphmem.memory.digestion import cancelled_after
from graphmem.model.embedding import Embedder, Vector
from graphmem.model.group import Group
from graphmem.model.recall import Degraded, Why
from graphmem.store.graph import GraphStore
from graphmem.together import together

TIMEOUT = 0.5
VECTOR = "vector"
"""The channel that is left out without a vector of the question."""

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Questions:
    """Embeds questions. ``degraded`` counts, by channel and reason, the searches that went without.

    A question that takes longer than ``timeout`` seconds is cancelled; an embedder leaves cancelled ones out.
    """

    def __init__(self, store: GraphStore, embedder: Embedder, timeout: float = TIMEOUT) -> None:
        self._store = store
        self._embedder = embedder
        self._timeout = timeout
        self.degraded: Counter[tuple[str, str]] = Counter()

    async def vectors(self, group: str, texts: Sequence[str]) -> list[Vector] | Degraded:
        """A vector of each text, or why there are none."""
        found = await self._vectors(group, texts)
        if isinstance(found, Degraded):
            log.warning("search.degraded", group=group, channel=found.channel, why=found.why, detail=found.detail)
            self.degraded[found.channel, found.why] += 1
        return found

    async def _vectors(self, group: str, texts: Sequence[str]) -> list[Vector] | Degraded:
        with cancelled_after(asyncio.create_task(self._store.group(group))) as reading:
            found = await self._embedded(texts)
            stored = await reading
        if stored is None:
            return found
        if stored.embedding_model != self._embedder.model:
            return _other_model(stored, self._embedder.model)
        if not isinstance(found, Degraded) and any(len(vector) != stored.dimensions for vector in found):
            return _other_model(stored, f"{self._embedder.model} of {len(found[0])} dimensions")
        return found

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


def _other_model(stored: Group, configured: str) -> Degraded:
    return Degraded(
        VECTOR,
        Why.OTHER_MODEL,
        f"The group's vectors are of the embedding model {stored.embedding_model!r} ({stored.dimensions} dimensions), "
        f"and {configured!r} is configured.",
    )
