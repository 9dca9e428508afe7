"""What somebody does about what is believed: confirm it, correct it, reject it, or choose where claims disagree."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from graphmem.model.belief import Belief
from graphmem.model.claim import Claim, Scalar, target_of
from graphmem.model.entity import Entity
from graphmem.model.episode import Episode
from graphmem.model.projection.slot import PlacedClaim


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A belief that an act is about, and its slot: ``claims`` that stand there, ``beliefs`` that follow from them.

    ``instead`` are the claims that stand of the value by which it is to be corrected, wherever they are.
    """

    belief: Belief
    beliefs: tuple[Belief, ...]
    claims: tuple[PlacedClaim, ...]
    instead: tuple[PlacedClaim, ...] = ()

    def of(self, target: str) -> list[PlacedClaim]:
        """The claims that name a value."""
        return [placed for placed in self.claims if placed.target == target]


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What is so instead: an object or a value, neither of them for the same one; said in full by ``statement``.

    ``valid_from`` and ``valid_to`` None are as they were, and so are ``attributes`` and ``category`` of the same value.
    """

    object: Entity | None = None
    value: Scalar = None
    statement: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    attributes: Mapping[str, Scalar] | None = None
    category: str | None = None

    @property
    def target(self) -> str:
        """What it is about as a claim has it; "" where it keeps the value."""
        return target_of(self.object.id if self.object else None, self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActEvidence:
    """The evidence that an act makes: an episode, and its claims."""

    episode: Episode
    claims: tuple[Claim, ...]
    entities: tuple[Entity, ...] = ()
