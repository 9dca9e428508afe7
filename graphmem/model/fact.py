"""Facts: beliefs that have a category. What may be asked of them, and what disputes them."""

from dataclasses import dataclass
from typing import Literal

from graphmem.model.belief import BeliefRow
from graphmem.model.claim import Category
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
    """Conflicts in order, likewise."""

    conflicts: tuple[ContestedBelief, ...]
    entities: tuple[KnownEntity, ...]
    more_after: FactPosition | None
