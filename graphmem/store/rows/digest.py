"""What a change of evidence stands on."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from graphmem.model.claim import Claim
from graphmem.model.embedding import Vector
from graphmem.model.entity import SaidType, believed_type
from graphmem.model.episode import EpisodeStatus
from graphmem.model.evidence import FormerClaim
from graphmem.model.interval import BEGIN, END
from graphmem.model.projection.existence import Bounding
from graphmem.model.projection.identity import SameAs
from graphmem.model.projection.predicate import Cardinality, Policy, Predicates, WinningRule
from graphmem.model.scope import EVERYBODY, SHARED
from graphmem.store.rows import IdRow, ReadAs, otherwise


@dataclass(frozen=True, slots=True)
class LeaseRow:
    id: str
    status: EpisodeStatus
    lease: str | None
    revision: int
    before: tuple[str, ...]


Stamp = Annotated[datetime, otherwise(BEGIN)]
"""A newest stamp; one that cannot be read is written anew, and the clock is after it."""


@dataclass(frozen=True, slots=True)
class HeardRow:
    """An audience that has heard of an entity, and as what."""

    audience: str
    said_type: SaidType | None


@dataclass(frozen=True, slots=True)
class LockedRow:
    """``known_to`` has those of the audiences asked about that have heard of it; ``said_type`` is None of a new one."""

    id: str
    name: str
    first_seen: datetime
    versions: int
    said_type: SaidType | None
    newest_stamp: Stamp
    known_to: tuple[HeardRow, ...]

    @property
    def audiences(self) -> frozenset[str]:
        """Those that have heard of it."""
        return frozenset(heard.audience for heard in self.known_to)

    @property
    def known_to_all(self) -> bool:
        return EVERYBODY in self.audiences

    @property
    def public_type(self) -> SaidType | None:
        """The type that everybody is told of."""
        public = (heard.said_type for heard in self.known_to if heard.audience in (EVERYBODY, SHARED))
        return believed_type(said_type for said_type in public if said_type is not None)


@dataclass(frozen=True, slots=True)
class StampRow:
    id: str
    newest_stamp: Stamp


@dataclass(frozen=True, slots=True)
class PolicyRow:
    name: str
    cardinality: Cardinality
    rule: WinningRule
    bound: Bounding | None
    irreflexive: bool | None

    def to_domain(self) -> Policy:
        return Policy(self.cardinality, self.rule, self.bound, self.irreflexive)


@dataclass(frozen=True, slots=True)
class ClockRow:
    now: datetime
    importing: bool
    settled_until: datetime
    promised_until: datetime
    policies: tuple[PolicyRow, ...]

    def predicates(self) -> Predicates:
        return Predicates({policy.name: policy.to_domain() for policy in self.policies})


@dataclass(frozen=True, slots=True)
class GroundRow(ClockRow):
    """What a change stands on, after its locks; ``claims`` of its own that are there already.

    ``embedding_model`` and ``dimensions`` are those of vectors that the group takes, "" where it takes none now.
    """

    entities: tuple[LockedRow, ...]
    claims: frozenset[str]
    embedding_model: str
    dimensions: int

    def takes(self, model: str, vector: Vector) -> bool:
        """Whether a model's vector may stand beside those of the group. Neo4j stores any, and finds some of them."""
        return model == self.embedding_model and len(vector) == self.dimensions


@dataclass(frozen=True, slots=True)
class HeldRow:
    """``anchored_at``: since when it fades."""

    kind: Literal["relationship", "fact"]
    id: str
    fingerprint: str
    bound: str | None
    target: str
    audience: str
    user: str
    open: bool
    day: str
    anchored_at: datetime
    fades_at: datetime
    access_count: int
    last_accessed: datetime | None


@dataclass(frozen=True, slots=True)
class _ClaimColumns:
    id: str
    recorded_at: datetime
    retracted_at: datetime


StoredClaim = Annotated[Claim, ReadAs(_ClaimColumns)]


@dataclass(frozen=True, slots=True)
class ClaimRow:
    claim: StoredClaim


@dataclass(frozen=True, slots=True)
class RecordedClaim:
    claim: StoredClaim
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class FormerIdentityRow:
    id: str
    identity: str


@dataclass(frozen=True, slots=True)
class FirstSaidRow:
    """A short name that is said for the first time in a session, by or for a user."""

    member: str
    session: str
    user: str


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version that is believed no more, the claims that it may have rested on, and what is shared of its kind."""

    id: str
    subject_id: str
    target: str
    audience: str
    claims: tuple[StoredClaim, ...]
    shared: tuple[IdRow, ...]


@dataclass(frozen=True, slots=True)
class SlotRow:
    """``same_as``: decisions on the ends of its claims. ``shared``: what is shared of its predicate."""

    claims: tuple[RecordedClaim, ...]
    same_as: tuple[SameAs, ...]
    held: tuple[HeldRow, ...]
    shared: tuple[IdRow, ...]


@dataclass(frozen=True, slots=True)
class RetractableRow:
    """A claim, and the entity that it names as its subject."""

    claim: StoredClaim
    id: str
    retracted_at: datetime


@dataclass(frozen=True, slots=True)
class FormerRow(RetractableRow):
    replaced: bool | None

    def to_former(self) -> FormerClaim:
        return FormerClaim(self.claim, retracted=self.retracted_at != END, replaced=bool(self.replaced))


@dataclass(frozen=True, slots=True)
class RetractedRow:
    id: str
    retracted_at: datetime
