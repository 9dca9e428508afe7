"""Vectors of questions, within a time limit and by the group's own model; what is missing of them is said."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from time import monotonic

import structlog

from graphmem.errors import ModelUnavailable, NotEmbeddable
from graphmem.model.embedding import Embedder, GroupVectors, Vector
from graphmem.model.hits import Degraded, WhyDegraded
from graphmem.process.tasks import cancelled_after
from graphmem.recall.vectors import other_model
from graphmem.store.graph import GraphStore

TIMEOUT = 0.5
VECTOR = "vector"
"""The channel that is left out without a vector of the question."""
_REEMBEDDING = Degraded(
    VECTOR, WhyDegraded.REEMBEDDING, "The group changes its embedding model: its old vectors are taken away."
)
_STILL_TO_COME = Degraded(VECTOR, WhyDegraded.PENDING, "Some texts of the group are not embedded yet.")

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Questions:
    """Embeds questions. ``degraded`` counts searches by the channel that was not complete, and why.

    A search whose questions take longer than ``timeout`` seconds is done without; an embedder leaves out what is
    cancelled.
    """

    def __init__(self, store: GraphStore, embedder: Embedder, timeout: float = TIMEOUT) -> None:
        self._store = store
        self._embedder = embedder
        self._timeout = timeout
        self.degraded: Counter[tuple[str, str]] = Counter()

    def asking(self, group: str, user: str | None = None) -> "Asking":
        """What one search embeds, of a user or of whoever sees the whole group."""
        return Asking(self, group, user)

    def count(self, group: str, degraded: Iterable[Degraded]) -> None:
        """Count what one search went without, and log it."""
        for one in degraded:
            log.warning("search.degraded", group=group, channel=one.channel, why=one.why, detail=one.detail)
            self.degraded[one.channel, one.why] += 1

    async def stored(self, group: str, user: str | None) -> GroupVectors | None:
        """Of which model the group's vectors are, and whether some that a user may see are still to come."""
        return await self._store.vectors_of_group(group, user=user)

    async def embedded(self, text: str, spent: float = 0.0) -> Vector | Degraded:
        """The vector of a text, or why there is none, where its search has ``spent`` so many seconds already."""
        try:
            async with asyncio.timeout(self._timeout - spent):
                return await self._embedder.embed_query(text)
        except TimeoutError:
            return Degraded(
                VECTOR, WhyDegraded.TIMEOUT, f"The embedding model took longer than {1000 * self._timeout:g} ms."
            )
        except ModelUnavailable as error:
            return Degraded(VECTOR, WhyDegraded.UNAVAILABLE, str(error))
        except NotEmbeddable as error:
            return Degraded(VECTOR, WhyDegraded.NOT_EMBEDDABLE, str(error))

    @property
    def model(self) -> str:
        return self._embedder.model


class Asking:
    """The vectors of one search: a question as it is, and as somebody else would have said it.

    Each text is embedded once, however many ask for it. After one that has no vector none has.
    """

    def __init__(self, questions: Questions, group: str, user: str | None) -> None:
        self._questions = questions
        self._group = group
        self._user = user
        self._lock = asyncio.Lock()
        self._spent = 0.0
        self._vectors = dict[str, Vector]()
        self._missing: tuple[Degraded, ...] | None = None

    async def vector(self, text: str) -> Vector | None:
        """The vector of a text, None if there is none of the group's own model in time."""
        async with self._lock:
            if text not in self._vectors and (self._vectors or self._missing is None):
                await self._embed(text)
            return self._vectors.get(text)

    def finish(self) -> tuple[Degraded, ...]:
        """What the search went without; it counts."""
        missing = self._missing or ()
        self._questions.count(self._group, missing)
        return missing

    async def _embed(self, text: str) -> None:
        with cancelled_after(asyncio.create_task(self._questions.stored(self._group, self._user))) as reading:
            began = monotonic()
            embedded = await self._questions.embedded(text, self._spent)
            self._spent += monotonic() - began
            stored = await reading
        vector, self._missing = _usable(self._group, embedded, stored, self._questions.model)
        if vector is None:
            self._vectors.clear()
        else:
            self._vectors[text] = vector


def _usable(
    group: str, embedded: Vector | Degraded, stored: GroupVectors | None, model: str
) -> tuple[Vector | None, tuple[Degraded, ...]]:
    """The vector, if the group's are of the same model and length; and what is missing."""
    if stored is not None and stored.model != model:
        return None, (_other_model(group, stored, repr(model)),)
    if stored is not None and stored.forgetting:
        return None, (_REEMBEDDING,)
    if isinstance(embedded, Degraded):
        return None, (embedded,)
    if stored is not None and len(embedded) != stored.dimensions:
        return None, (_other_model(group, stored, f"{model!r} of {len(embedded)} dimensions"),)
    return embedded, (_STILL_TO_COME,) if stored is not None and stored.pending else ()


def _other_model(group: str, stored: GroupVectors, configured: str) -> Degraded:
    own = f"{stored.model!r} ({stored.dimensions} dimensions)"
    return Degraded(VECTOR, WhyDegraded.OTHER_MODEL, other_model(group, own, configured))
