"""Answers: what was found, why it ranks where it does, and what it rests on."""

from dataclasses import dataclass
from datetime import datetime

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
