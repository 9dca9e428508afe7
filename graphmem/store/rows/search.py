"""Hits of the indexes."""

from graphmem.store.rows import Row
from graphmem.store.rows.belief import BeliefRecord
from graphmem.store.rows.episode import EpisodeRow


class BeliefHit(BeliefRecord):
    score: float


class BeliefHits(Row):
    raw: int
    hits: tuple[BeliefHit, ...]


class EpisodeHit(EpisodeRow):
    score: float


class EpisodeHits(Row):
    raw: int
    hits: tuple[EpisodeHit, ...]
