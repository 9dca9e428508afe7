"""Consolidation: facts that say the same, and claims that contradict what is believed, as they stand in their slots."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from graphmem.model.belief import Belief
from graphmem.model.claim import Claim
from graphmem.model.projection.identity import EACH_ITSELF, Identities
from graphmem.model.projection.predicate import Policy
from graphmem.model.projection.slot import PlacedClaim, Slot, place
from graphmem.model.projection.timeline import project

CONSOLIDATION = "consolidation"
"""The extractor of claims that consolidation makes."""
LIKENESS = 0.75
"""The share of their words from which on two facts may say the same."""
DROPPED = 0.0
RESOLVED = 0.3
"""The most confidence that a value keeps which says what another one says, or which gave way in a conflict."""


class WhyGivesWay(StrEnum):
    """Why a value gives way: another one says the same, or contradicts it and ranks higher."""

    DUPLICATE = "duplicate"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentFact:
    """A version that is believed now, as far as it tells which value of which slot it is and what it says."""

    id: str
    user: str
    subject_id: str
    predicate: str
    target: str
    category: str
    statement: str
    contested: bool
    open: bool = False
    day: str = ""
    distinguished_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotState:
    """A slot under its policy: the claims that stand there, and the beliefs that follow from them."""

    slot: Slot
    policy: Policy
    claims: tuple[PlacedClaim, ...]
    beliefs: tuple[Belief, ...]
    identities: Identities = EACH_ITSELF

    @classmethod
    def of(
        cls, slot: Slot, policy: Policy, claims: Iterable[Claim], identities: Identities = EACH_ITSELF
    ) -> "SlotState":
        said = list(claims)
        return cls(
            slot=slot,
            policy=policy,
            claims=tuple(place(claim, identities) for claim in said),
            beliefs=project(said, policy, identities),
            identities=identities,
        )

    def knowing(self, claims: Iterable[Claim]) -> "SlotState":
        """The slot once these claims stand there too."""
        return SlotState.of(
            self.slot, self.policy, [*(placed.claim for placed in self.claims), *claims], self.identities
        )

    def only(self, targets: Iterable[str]) -> "SlotState":
        """The slot as if nothing had been said of other values."""
        kept = {*targets, ""}
        said = (placed.claim for placed in self.claims if placed.target in kept)
        return SlotState.of(self.slot, self.policy, said, self.identities)

    def of_value(self, target: str) -> tuple[PlacedClaim, ...]:
        """The claims that name a value."""
        return tuple(placed for placed in self.claims if placed.target == target)


@dataclass(frozen=True, slots=True, kw_only=True)
class Groundless:
    """A claim by which a value gave way to another, of which none stands any more; ``gave_way_to`` was one of those."""

    id: str
    gave_way_to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lowering:
    """A value that gives way to the claim ``to`` of the belief ``kept``.

    ``claims`` are all that name the value. ``belief`` is one of the value, or, where none of it is believed, the one
    that it disputes. ``because`` says in words why, without a word of what was said.
    """

    why: WhyGivesWay
    belief: Belief
    claims: tuple[PlacedClaim, ...]
    kept: Belief
    to: Claim
    because: str

    @property
    def target(self) -> str:
        """The value that gives way."""
        return self.claims[0].target

    @property
    def cap(self) -> float:
        return DROPPED if self.why is WhyGivesWay.DUPLICATE else RESOLVED
