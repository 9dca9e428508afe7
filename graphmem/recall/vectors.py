"""Vectors: of texts, which are embedded later where the model is away, and of questions, within a time limit."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

import structlog

from graphmem.errors import ModelUnavailable, NotEmbeddable
from graphmem.model.embedding import EmbeddedText, Embedder, GroupVectors, Portion, Vector, portion
from graphmem.model.hits import Degraded, WhyDegraded
from graphmem.process.tasks import cancelled_after
from graphmem.recall.passages import embedded_text, texts_of
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
        contents, claims = dict[str, EmbeddedText](), dict[str, Vector | None]()
        if due:
            if stored.model != self._embedder.model:
                raise ModelUnavailable(other_model(group, stored.model, self._embedder.model))
            contents, claims = await self._vectors_of(due, stored)
            await self._store.write_vectors(group, self._embedder.model, due, contents, claims)
        given = [
            *(content.is_embedded for content in contents.values()),
            *(vector is not None for vector in claims.values()),
        ]
        done = Embedded(
            texts=sum(given),
            failed=len(given) - sum(given),
            beliefs=await self._store.embed_beliefs(group, beliefs),
        )
        return done if due or done else None

    async def _vectors_of(
        self, due: Portion, stored: GroupVectors
    ) -> tuple[dict[str, EmbeddedText], dict[str, Vector | None]]:
        """The contents with their vectors, and the vectors of claims, by id; all are embedded together.

        Raises:
            ModelUnavailable: the model is away, or gives vectors of another length than the group has.
        """
        parts = {id_: texts_of(content) for id_, content in due.contents.items()}
        texts = [text for some in (*parts.values(), due.claims.values()) for text in some]
        vectors = await self.each_vector(texts)
        if any(vector is not None and len(vector) != stored.dimensions for vector in vectors):
            raise ModelUnavailable(f"{stored.model!r} gives vectors of another length than the group has.")
        given = iter(vectors)
        contents = {id_: embedded_text(due.contents[id_], [next(given) for _ in some]) for id_, some in parts.items()}
        return contents, {id_: next(given) for id_ in due.claims}

    @property
    def model(self) -> tuple[str, int]:
        """The configured model, and the dimensions of its vectors."""
        return self._embedder.model, self._embedder.dimensions

    async def vector(self, text: str) -> Vector | None:
        """The vector of a text; None of an empty one.

        Raises:
            ModelUnavailable: the model is away.
        """
        return (await self._embedder.embed([text]))[0] if text else None

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

    async def each_vector(self, texts: Sequence[str]) -> list[Vector | None]:
        """The vector of each text, in order; None of a text at which the model fails by itself."""
        try:
            return [*await self._embedder.embed(texts)]
        except NotEmbeddable:
            if len(texts) == 1:
                return [None]
        return [vector for text in texts for vector in await self.each_vector([text])]


def counts(done: Embedded) -> Mapping[str, int]:
    """What a step did, by name."""
    return {"texts": done.texts, "not_embeddable": done.failed, "beliefs": done.beliefs}


TIMEOUT = 0.5
VECTOR = "vector"
"""The channel that is left out without a vector of the question."""
_REEMBEDDING = Degraded(
    VECTOR, WhyDegraded.REEMBEDDING, "The group changes its embedding model: its old vectors are taken away."
)
_STILL_TO_COME = Degraded(VECTOR, WhyDegraded.PENDING, "Some texts of the group are not embedded yet.")


class Questions:
    """Embeds questions. ``degraded`` counts searches by the channel that was not complete, and why.

    A search whose questions take longer than ``timeout`` seconds is done without; an embedder leaves out what is
    cancelled.
    """

    def __init__(self, store: GraphStore, embedder: Embedder, timeout: float = TIMEOUT) -> None:
        self.store = store
        self.embedder = embedder
        self._timeout = timeout
        self.degraded: Counter[tuple[str, str]] = Counter()

    def asking(self, group: str, user: str | None = None) -> "Asking":
        """What one search embeds, of a user or of whoever sees the whole group."""
        return Asking(self, group, user)

    def count(self, group: str, degraded: Iterable[Degraded]) -> None:
        """Count what one search went without, and log it."""
        for degradation in degraded:
            log.warning(
                "search.degraded",
                group=group,
                channel=degradation.channel,
                why=degradation.why,
                detail=degradation.detail,
            )
            self.degraded[degradation.channel, degradation.why] += 1

    async def embedded(self, text: str, spent: float = 0.0) -> Vector | Degraded:
        """The vector of a text, or why there is none, where its search has ``spent`` so many seconds already."""
        try:
            async with asyncio.timeout(self._timeout - spent):
                return await self.embedder.embed_query(text)
        except TimeoutError:
            return Degraded(
                VECTOR, WhyDegraded.TIMEOUT, f"The embedding model took longer than {1000 * self._timeout:g} ms."
            )
        except ModelUnavailable as error:
            return Degraded(VECTOR, WhyDegraded.UNAVAILABLE, str(error))
        except NotEmbeddable as error:
            return Degraded(VECTOR, WhyDegraded.NOT_EMBEDDABLE, str(error))


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
        self._of_group: list[GroupVectors | None] = []

    async def vector(self, text: str) -> Vector | None:
        """The vector of a text, None if there is none of the group's own model in time."""
        async with self._lock:
            if text not in self._vectors and (self._vectors or self._missing is None):
                await self._embed(text)
            return self._vectors.get(text)

    def finish(self) -> tuple[Degraded, ...]:
        """Return what the search went without, and count it."""
        missing = self._missing or ()
        self._questions.count(self._group, missing)
        return missing

    async def _embed(self, text: str) -> None:
        with cancelled_after(asyncio.create_task(self._stored())) as reading:
            began = monotonic()
            embedded = await self._questions.embedded(text, self._spent)
            self._spent += monotonic() - began
            stored = await reading
        vector, self._missing = _usable(self._group, embedded, stored, self._questions.embedder.model)
        if vector is None:
            self._vectors.clear()
        else:
            self._vectors[text] = vector

    async def _stored(self) -> GroupVectors | None:
        """What vectors the group has, looked up once."""
        if not self._of_group:
            self._of_group.append(await self._questions.store.vectors_of_group(self._group, user=self._user))
        return self._of_group[0]


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
