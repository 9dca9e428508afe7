"""What there is of evidence that is to be forgotten."""

from dataclasses import dataclass
from datetime import datetime

from graphmem.model.entity import TypedBy
from graphmem.model.erasure import EverClaimed, EverDecided, NamedThen, Naming
from graphmem.model.projection.history import DatedClaim, DatedPolicy, DatedSameAs
from graphmem.model.projection.identity import SameAs
from graphmem.store.rows import IdRow
from graphmem.store.rows.digest import PolicyRow, StoredClaim


@dataclass(frozen=True, slots=True)
class HoldingRow:
    """What there is of an episode: ids of its claims, its passages, and texts that were made of it."""

    id: str
    claims: tuple[str, ...]
    passages: tuple[str, ...]
    mentions: int
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SharedName:
    name: str
    qualifier: str
    type: str
    typed_by: TypedBy


@dataclass(frozen=True, slots=True)
class SharedBelief:
    """What is believed of what a user shares; ``claim`` lends its words, ``named`` is how the user calls its ends."""

    belief_id: str
    claim: StoredClaim
    valid_from: datetime
    valid_to: datetime
    from_stated: bool
    to_stated: bool
    confidence: float
    importance: float
    category: str
    named: tuple[SharedName, ...]


@dataclass(frozen=True, slots=True)
class ForgottenEpisodeRow:
    id: str
    user: str
    session_id: str | None
    occurred_at: datetime


@dataclass(frozen=True, slots=True)
class EverClaimedRow:
    claim: StoredClaim
    recorded_at: datetime
    retracted_at: datetime
    payload: str | None

    def to_domain(self) -> EverClaimed:
        return EverClaimed(dated=self.dated, payload=self.payload)

    @property
    def dated(self) -> DatedClaim:
        return DatedClaim(claim=self.claim, recorded_at=self.recorded_at, retracted_at=self.retracted_at)


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    claims: tuple[EverClaimedRow, ...]
    named: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DecidedRow:
    id: str
    recorded_at: datetime
    superseded_at: datetime
    same_as: SameAs

    def to_domain(self) -> EverDecided:
        dated = DatedSameAs(same_as=self.same_as, recorded_at=self.recorded_at, superseded_at=self.superseded_at)
        return EverDecided(id=self.id, dated=dated)


@dataclass(frozen=True, slots=True)
class DatedPolicyRow:
    group_id: str
    name: str
    recorded_at: datetime
    superseded_at: datetime
    policy: PolicyRow

    def to_domain(self) -> DatedPolicy:
        return DatedPolicy(
            group_id=self.group_id,
            name=self.name,
            policy=self.policy.to_domain(),
            recorded_at=self.recorded_at,
            superseded_at=self.superseded_at,
        )


@dataclass(frozen=True, slots=True)
class EverHeldRow:
    """A row of a belief, believed or not any more."""

    id: str
    belief_id: str
    fingerprint: str
    bound: str | None
    recorded_at: datetime
    superseded_at: datetime
    anchored_at: datetime
    fades_at: datetime
    last_accessed: datetime | None
    access_count: int


@dataclass(frozen=True, slots=True)
class SlotEverRow:
    claims: tuple[EverClaimedRow, ...]
    held: tuple[EverHeldRow, ...]
    shared: tuple[IdRow, ...]


@dataclass(frozen=True, slots=True)
class SupportLeftRow:
    id: str
    first_seen: datetime
    supported: bool


@dataclass(frozen=True, slots=True)
class ErasedRow:
    episodes: int
    claims: int
    mentions: int
    passages: int


@dataclass(frozen=True, slots=True)
class ErasedEntitiesRow:
    count: int
    rarer: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamingRow:
    """``known``: whether anything left still names the entity to the user."""

    id: str
    entity_id: str
    user: str
    key: str
    names: tuple[str, ...]
    names_at: tuple[datetime, ...]
    said_at: tuple[datetime, ...]
    types: tuple[str, ...]
    types_by: tuple[TypedBy, ...]
    types_said_at: tuple[datetime, ...]
    types_at: tuple[datetime, ...]
    known: bool

    def to_domain(self) -> Naming:
        return Naming(
            names=self.names,
            names_at=self.names_at,
            said_at=self.said_at,
            types=self.types,
            types_by=self.types_by,
            types_said_at=self.types_said_at,
            types_at=self.types_at,
        )


@dataclass(frozen=True, slots=True)
class NamingLeftRow:
    id: str
    namings: tuple[NamedThen, ...]
