"""Answers: what was found, why it ranks where it does, and what it rests on."""

from dataclasses import dataclass
from datetime import datetime

from graphmem.model.belief import BeliefRow
from graphmem.model.episode import StoredEpisode
from graphmem.model.interval import LATEST


@dataclass(frozen=True, slots=True)
class PointInTime:
    """The two instants of every read. ``known_at=LATEST`` is what is believed now, whatever clocks say."""

    valid_at: datetime
    known_at: datetime = LATEST


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownEntity:
    """An entity as it was known: under the name that it had then."""

    id: str
    type: str
    key: str
    name: str
    recorded_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """One ranked list's part of a score: ``1 / (k + rank)``."""

    channel: str
    rank: int
    score: float
    contribution: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A thing found, with contributions that sum to its score."""

    kind: str
    id: str
    score: float
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """The believed subgraph at a point in time. ``complete`` is false where ``limit`` cut it off."""

    entities: tuple[KnownEntity, ...]
    beliefs: tuple[BeliefRow, ...]
    complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One answer to a question: a belief with its evidence and the entities at its ends, or an episode."""

    ranked: Ranked
    belief: BeliefRow | None
    episode: StoredEpisode | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    found: tuple[Found, ...]
    entities: tuple[KnownEntity, ...]


@dataclass(frozen=True, slots=True)
class Remembered:
    """An accepted episode: ``new`` is false where the same one had come before."""

    id: str
    new: bool
    status: str


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to digest an episode, until it is not heard of for a while."""

    token: str
    stored: StoredEpisode
