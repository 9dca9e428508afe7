"""Acts on beliefs: people confirm, correct, reject, choose and share them, and consolidation lowers them.

Shared is a value under the names in which claims have it: what is said of it under another name is not shared with
it, whatever is merged. So neither a merge nor another value ever widens what was shared.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from graphmem.errors import Conflict, Outdated
from graphmem.model.belief import Belief
from graphmem.model.claim import Claim, Scalar, target_of
from graphmem.model.entity import Entity
from graphmem.model.episode import Episode
from graphmem.model.ids import digest
from graphmem.model.projection.identity import EACH_ITSELF, Identities
from graphmem.model.projection.predicate import Policy
from graphmem.model.projection.slot import PlacedClaim, Slot, place
from graphmem.model.projection.timeline import project
from graphmem.model.scope import EVERYBODY


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A belief that an act is about, and its slot: ``claims`` that stand there, ``beliefs`` that follow from them.

    ``policy`` is that of the slot. ``instead`` are the claims that stand of the value by which it is to be corrected,
    wherever they are.
    """

    belief: Belief
    policy: Policy
    beliefs: tuple[Belief, ...]
    claims: tuple[PlacedClaim, ...]
    instead: tuple[PlacedClaim, ...] = ()

    def of(self, target: str) -> list[PlacedClaim]:
        """The claims that name a value."""
        return [placed for placed in self.claims if placed.target == target]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a caller had read when it decided: the id of a version, the SHA-256 of a statement; None asks nothing."""

    version: str | None = None
    content_sha256: str | None = None

    def check_version(self, version: str | None) -> None:
        """Whether it is this version that is believed.

        Raises:
            Outdated: it is another one, or none.
        """
        if self.version not in (None, version):
            raise Outdated(f"Version {self.version} is not what is believed now. Read it again, and decide anew.")

    def check_content(self, statement: str) -> None:
        """Whether it says this.

        Raises:
            Conflict: it says something else.
        """
        if self.content_sha256 not in (None, sha256(statement.encode()).hexdigest()):
            raise Conflict("It says something else than what `content_sha256` is of. Read it again, and decide anew.")


UNSEEN = Seen()


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What is so instead: an object or a value, neither of them for the same one; said in full by ``statement``.

    ``valid_from`` and ``valid_to`` None are as they were, and so are ``attributes`` and ``category`` of the same value.
    With ``changed_at`` the old value was right until then, and the other one holds since.
    """

    object: Entity | None = None
    value: Scalar = None
    statement: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    changed_at: datetime | None = None
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
        standing = list(claims)
        return cls(
            slot=slot,
            policy=policy,
            claims=tuple(place(claim, identities) for claim in standing),
            beliefs=project(standing, policy, identities),
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
        claims = (placed.claim for placed in self.claims if placed.target in kept)
        return SlotState.of(self.slot, self.policy, claims, self.identities)

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedValue:
    """A value of a user's that may be shared: subject, predicate and target as claims have them."""

    group_id: str
    user: str
    subject_id: str
    predicate: str
    target: str
    object_id: str | None = None
    day: str = ""
    open: bool = False
    distinguished_by: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        ends = (self.subject_id, self.predicate, self.target)
        return digest("shared", self.group_id, self.user, *ends, self.day, self.open, *self.distinguished_by)


def value_of(claim: Claim) -> SharedValue:
    """What is shared if the value of a claim is."""
    return SharedValue(
        group_id=claim.group_id,
        user=claim.user,
        subject_id=claim.subject_id,
        predicate=claim.predicate,
        target=claim.target,
        object_id=claim.object_id,
        day=claim.day,
        open=claim.open,
        distinguished_by=claim.distinguished_by,
    )


def values_of(belief: Belief, claims: Mapping[str, Claim]) -> frozenset[SharedValue]:
    """The values, under each of their names, of the claims that support a belief."""
    return frozenset(value_of(claims[id_]) for id_ in belief.supported_by)


def is_shared(belief: Belief, claims: Mapping[str, Claim], shared: AbstractSet[str], identities: Identities) -> bool:
    """Whether everybody may see a belief: the values of all claims that support it are shared, by their ids.

    And everybody takes the names in these claims for the entities that its user does, so that no private merge shows.
    """
    support = [claims[id_] for id_ in belief.supported_by]
    if not shared or not support or any(value_of(claim).id not in shared for claim in support):
        return False
    return all(_ends(claim, identities) == (belief.subject_id, belief.target) for claim in support)


def was_shared(ends: tuple[str, str], values: Iterable[SharedValue], shared: AbstractSet[str]) -> bool:
    """Whether everybody may see a version that is believed no more, by subject and target.

    ``values`` are all that it may have rested on, whoever was who at the time. Its ends must be among their names.
    """
    rested_on = list(values)
    return all(value.id in shared for value in rested_on) and ends in {
        (value.subject_id, value.target) for value in rested_on
    }


def _ends(claim: Claim, identities: Identities) -> tuple[str, str]:
    """Subject and target of a claim as everybody takes them."""
    subject = identities.of(claim.subject_id, session=claim.session, user=EVERYBODY)
    if claim.object_id is None:
        return subject, claim.target
    return subject, identities.of(claim.object_id, session=claim.session, user=EVERYBODY)
