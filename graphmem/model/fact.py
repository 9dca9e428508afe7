"""Facts: beliefs that have a category. What may be asked of them, what disputes them, and how they fade.

A fact that nobody uses comes up no more after a time that depends on its category. Its strength falls from its
confidence as ``exp(-rate · days)`` since it was last supported or used (after the forgetting curve of H. Ebbinghaus,
*Über das Gedächtnis*, 1885), and below a least strength it no longer comes up by itself. Whether it is true, and
whether it is believed, is another question.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import exp, log
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field, NonNegativeFloat

from graphmem.model.belief import BeliefRow
from graphmem.model.claim import Category
from graphmem.model.interval import END
from graphmem.model.recall import KnownClaim, KnownEntity

Audience = Literal["personal", "shared"]
"""Who may see a fact: its user, or everybody in the group."""
FactPosition = tuple[float, str]
"""Where a fact stands in a list: its importance, and the id of its row; the most important first."""
FIRST_FACT: FactPosition = (2.0, "")
"""Before all facts, whose importance is at most 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactQuery:
    """Facts of any of these categories (none: all), about a subject, so important, that rest on a tagged episode."""

    categories: tuple[Category, ...] = ()
    subject_id: str | None = None
    least_importance: float = 0.0
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact, and the tags of the episodes that it rests on."""

    belief: BeliefRow
    tags: tuple[str, ...]

    @property
    def audience(self) -> Audience:
        return "personal" if self.belief.audience else "shared"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactPage:
    """Facts in order, the entities at their ends, and the position after which more follow; None where none do."""

    facts: tuple[Fact, ...]
    entities: tuple[KnownEntity, ...]
    more_after: FactPosition | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestedBelief:
    """A contested belief with its evidence, and the claims of other values that speak of the same time."""

    belief: BeliefRow
    disputing: tuple[KnownClaim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictPage:
    """Conflicts in order, the entities at their ends, and the position after which more follow; None where none do."""

    conflicts: tuple[ContestedBelief, ...]
    entities: tuple[KnownEntity, ...]
    more_after: FactPosition | None


LEAST_STRENGTH = 0.05
RATES: Mapping[str, float] = MappingProxyType(
    {
        Category.IDENTITY: 0.0,
        Category.CONSTRAINT: 0.0,
        Category.INSTRUCTION: 0.0,
        Category.RELATIONSHIP: 0.0,
        Category.MILESTONE: 0.0,
        Category.PREFERENCE: 0.002,
        Category.PERSONALITY: 0.002,
        Category.OCCUPATION: 0.002,
        Category.HOBBY: 0.004,
        Category.HABIT: 0.004,
        Category.GOAL: 0.02,
        Category.COMMITMENT: 0.02,
        Category.OTHER: 0.1,
    }
)
"""A day, by category."""
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Fading:
    """How soon facts that nobody uses come up no more: below ``least_strength``.

    ``rates`` are by category and day, in place of the packaged ones; 0 is never. What has no rate never fades.
    """

    rates: Mapping[str, NonNegativeFloat] = field(default_factory=dict[str, float])
    least_strength: Annotated[float, Field(gt=0, lt=1)] = LEAST_STRENGTH
    enabled: bool = True

    def rate(self, category: str, *, protected: bool) -> float:
        """A day; of what somebody confirmed 0."""
        if protected or not self.enabled or not category:
            return 0.0
        return self.rates.get(category, RATES.get(category, 0.0))

    def fades_at(self, category: str, confidence: float, anchor: datetime, *, protected: bool) -> datetime:
        """When it comes up no more, if nobody uses or supports it after the ``anchor``; ``END``: never."""
        rate = self.rate(category, protected=protected)
        if not rate:
            return END
        if confidence <= self.least_strength:
            return anchor
        days = log(confidence / self.least_strength) / rate
        return anchor + days * _DAY if days < (END - anchor) / _DAY else END


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """How a belief is used: ``anchored_at`` is when it was last supported or used, ``last_accessed`` when last used.

    ``access_count`` counts days on which it was used.
    """

    anchored_at: datetime
    fades_at: datetime
    access_count: int = 0
    last_accessed: datetime | None = None


FADING = Fading()
NEVER = Fading(enabled=False)


def strength(confidence: float, rate: float, anchor: datetime, at: datetime) -> float:
    """How strong a fact is so long after its anchor, from 0 to its confidence."""
    return confidence * exp(-rate * max((at - anchor) / _DAY, 0.0))
