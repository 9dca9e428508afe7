"""What a search prefers beside what answers its question. Each is off at 0."""

from dataclasses import dataclass
from datetime import datetime

from graphmem.model.embedding import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """Shares from 0 to 1, so that they mean the same however scores are made.

    ``diversity``: how much being unlike what stands above counts in place of the score (maximal marginal relevance with
    λ = 1 - diversity). ``recency``: what is new gets this share of the best score, what is ``half_life_days`` old half
    as much. ``confidence``: what is less sure loses this share of the best score, in proportion.
    """

    diversity: float = 0.0
    recency: float = 0.0
    half_life_days: float = 30.0
    confidence: float = 0.0

    @property
    def of_each(self) -> bool:
        """Whether something is preferred that a hit has by itself, whatever stands beside it."""
        return bool(self.recency or self.confidence)


NO_PREFERENCES = Preferences()


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What preferences look at in a hit; None: it has no such thing, or it is not known.

    ``since`` is when an episode occurred, and since when a belief has held. ``vector`` is not looked up unless needed.
    """

    id: str
    since: datetime | None
    confidence: float | None
    vector: Vector | None
