"""Hits of the indexes."""

from typing import Annotated

from pydantic import StrictBool

from graphmem.model.episode import EpisodeRole
from graphmem.model.interval import BEGIN
from graphmem.model.turn import TurnText
from graphmem.store.instants import Instant
from graphmem.store.rows import Row, otherwise


class Hit(Row):
    """``open``: it is a belief that rests on open claims."""

    id: str
    score: float
    open: Annotated[bool, otherwise(value=False)]


class SaidHit(Row):
    """An episode, and who said it."""

    id: str
    score: float
    speaker: Annotated[str | None, otherwise(None)]


class SaidHits(Row):
    """``raw`` counts the hits looked at, ``hits`` are those of them that had happened and were known."""

    raw: int
    hits: tuple[SaidHit, ...]


class AroundRow(Row):
    """What was said before and after an episode, the nearest first."""

    id: str
    before: tuple[str, ...]
    after: tuple[str, ...]


class TurnRow(Row):
    """``score`` is (1 + cosine) / 2, None where there is no vector."""

    id: str
    session: Annotated[str, otherwise("")]
    speaker: Annotated[str | None, otherwise(None)]
    occurred_at: Annotated[Instant, otherwise(BEGIN)]
    chars: int
    asks: StrictBool
    role: Annotated[EpisodeRole, otherwise(EpisodeRole.SYSTEM)]
    opening: str
    score: float | None


class TurnsRow(Row):
    around: tuple[AroundRow, ...]
    turns: tuple[TurnRow, ...]


class TurnTextRow(Row):
    id: str
    content: str
    occurred_at: Annotated[Instant, otherwise(BEGIN)]
    sequence: Annotated[int, otherwise(-1)]

    def to_domain(self) -> TurnText:
        return TurnText(id=self.id, content=self.content, order=(self.occurred_at, self.sequence))


class CitedRow(Row):
    """A belief by the id of its row, and the episode that it has its words from."""

    belief: str
    episode: str


class NearNameRow(Row):
    """An entity, and how near its name is to a vector: (1 + cosine) / 2."""

    id: str
    score: float


class NearNames(Row):
    """``raw`` counts the names looked at, ``hits`` are those of them that the reader had heard of."""

    raw: int
    hits: tuple[NearNameRow, ...]


class ReachedRow(Row):
    """A belief at an entity, ``start``, that has so many ``beliefs``; ``other`` is at its other end."""

    start: str
    kind: str
    id: str
    open: Annotated[bool, otherwise(value=False)]
    predicate: Annotated[str, otherwise("")]
    other: str | None
    beliefs: int


class TraitsRow(Row):
    """What preferences look at in a hit."""

    id: str
    since: Annotated[Instant | None, otherwise(None)]
    confidence: Annotated[float | None, otherwise(None)]
    vector: Annotated[list[float] | None, otherwise(None)]


class Alike(Row):
    """Two open beliefs that say the same in other words."""

    one: str
    other: str


class Deed(Row):
    """What was planned, and what was done; ids of rows."""

    plan: str
    deed: str


class Hits(Row):
    """``raw`` counts the hits looked at, ``hits`` are those of them that held."""

    raw: int
    hits: tuple[Hit, ...]
