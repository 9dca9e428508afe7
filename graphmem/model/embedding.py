"""What models are to the rest of graphmem: an embedder, what counts tokens, and which texts still have no vectors."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, runtime_checkable

Vector = list[float]


class Embedder(Protocol):
    """Texts to unit vectors of ``dimensions`` floats. One model, one vector space."""

    @property
    def model(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors of many texts, in their order.

        Raises:
            ModelUnavailable: the model cannot be loaded or does not answer.
        """
        ...

    async def embed_query(self, text: str) -> Vector:
        """The vector of one question, ahead of any batch that waits."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedPassage:
    """The part ``[start, end)`` of a long text, in code points, with its vector; None where the model fails at it."""

    start: int
    end: int
    text: str
    embedding: Vector | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedText:
    """A content with its vector, or with its passages; with neither where the model fails at it."""

    embedding: Vector | None = None
    passages: tuple[EmbeddedPassage, ...] = ()

    @property
    def is_embedded(self) -> bool:
        return self.embedding is not None or bool(self.passages)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupVectors:
    """Of which embedding model a group's vectors are, and whether some are still to come.

    ``forgetting``: those of another model are being taken away, and it takes no new ones.
    """

    model: str
    dimensions: int
    forgetting: bool
    pending: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UnembeddedEpisode:
    """An episode that waits for vectors since ``due``: of its content (None: not of that), and of claims, by id."""

    id: str
    due: datetime
    content: str | None
    claims: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Portion:
    """Texts that are embedded together, by id, and the episodes that wait for nothing else, with since when."""

    contents: Mapping[str, str] = field(default_factory=dict[str, str])
    claims: Mapping[str, str] = field(default_factory=dict[str, str])
    complete: Mapping[str, datetime] = field(default_factory=dict[str, datetime])

    @property
    def texts(self) -> dict[str, str]:
        return {**self.contents, **self.claims}

    def __bool__(self) -> bool:
        return bool(self.texts or self.complete)


def portion(episodes: Iterable[UnembeddedEpisode], most: int) -> Portion:
    """The first texts of the episodes, ``most`` in all.

    Of an episode with as many claims as that, more may be there than were asked for: it goes on waiting.
    """
    contents, claims, complete = dict[str, str](), dict[str, str](), dict[str, datetime]()
    for episode in episodes:
        room = most - len(contents) - len(claims)
        if room <= 0 and (episode.claims or episode.content is not None):
            break
        if episode.content is not None:
            contents[episode.id] = episode.content
            room -= 1
        claims.update(list(episode.claims.items())[:room])
        if len(episode.claims) <= room and len(episode.claims) < most:
            complete[episode.id] = episode.due
    return Portion(contents=contents, claims=claims, complete=complete)


class TokenCounter(Protocol):
    """A tokenizer, as far as it counts. It may be called by several threads at once."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int:
        """How many tokens a text has, without those that mark its beginning and its end.

        Raises:
            ModelUnavailable: the tokenizer cannot be loaded.
        """
        ...


@runtime_checkable
class Warmable(Protocol):
    """A model that takes seconds to load."""

    def warm(self) -> None: ...


@runtime_checkable
class Closable(Protocol):
    """A model that keeps connections."""

    async def aclose(self) -> None: ...
