"""What a change of evidence stands on."""

from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import StrictBool, model_validator

from graphmem.model.claim import AssertedBy, Claim, ClaimKind, Scalar
from graphmem.model.embedding import Vector
from graphmem.model.entity import Entity, Mention
from graphmem.model.episode import EpisodeStatus
from graphmem.model.interval import BEGIN, END
from graphmem.model.projection.existence import Bounding
from graphmem.model.projection.identity import SameAs
from graphmem.model.projection.predicate import Cardinality, Policy, Predicates, WinningRule
from graphmem.model.projection.renewal import FormerClaim
from graphmem.model.scope import EVERYBODY
from graphmem.store.instants import Instant
from graphmem.store.rows import Attributes, Row, otherwise, readable


class LeaseRow(Row):
    id: str
    status: EpisodeStatus
    lease: str | None
    revision: int
    before: tuple[str, ...]


Stamp = Annotated[Instant, otherwise(BEGIN)]
"""A newest stamp; one that cannot be read is written anew, and the clock is after it."""


class LockedRow(Row):
    """``known_to`` has those of the audiences asked about that have heard of it."""

    id: str
    name: str
    first_seen: Instant
    versions: int
    newest_stamp: Stamp
    known_to: tuple[str, ...]

    @property
    def known_to_all(self) -> bool:
        return EVERYBODY in self.known_to


class StampRow(Row):
    id: str
    newest_stamp: Stamp


class PolicyRow(Row):
    name: str
    cardinality: Cardinality
    rule: WinningRule
    bound: Bounding | None
    irreflexive: StrictBool | None

    def to_domain(self) -> Policy:
        return Policy(self.cardinality, self.rule, self.bound, self.irreflexive)


class ClockRow(Row):
    now: Instant
    importing: StrictBool
    settled_until: Instant
    promised_until: Instant
    policies: tuple[PolicyRow, ...]

    def predicates(self) -> Predicates:
        return Predicates({policy.name: policy.to_domain() for policy in self.policies})


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


class HeldRow(Row):
    """``anchored_at``: since when it fades."""

    kind: Literal["relationship", "fact"]
    id: str
    fingerprint: str
    bound: str | None
    target: str
    audience: str
    user: str
    open: StrictBool
    day: str
    anchored_at: Instant
    fades_at: Instant
    access_count: int
    last_accessed: Instant | None


class ClaimRecord(Row):
    id: str
    group_id: str
    episode_id: str
    kind: ClaimKind
    subject_id: str
    predicate: str
    object_id: str | None
    value: Scalar
    statement: str
    quote: str
    quote_start: int
    quote_end: int
    valid_from: Instant
    valid_to: Instant
    from_stated: StrictBool
    to_stated: StrictBool
    said_at: Instant
    confidence: float
    importance: float
    user: str
    category: str
    session: str
    attributes: Attributes
    extractor: str
    extractor_version: str
    revision: int
    open: StrictBool
    day: str
    event_to: Instant | None
    asserted_by: AssertedBy
    protecting: StrictBool
    cap: float | None
    gave_way_to: str
    recorded_at: Instant
    retracted_at: Instant

    @model_validator(mode="after")
    def _is_a_claim(self) -> Self:
        readable(self.to_domain)
        return self

    def to_domain(self) -> Claim:
        return self._claim

    @cached_property
    def _claim(self) -> Claim:
        columns: dict[str, Any] = self.model_dump(exclude={"id", "retracted_at", "recorded_at"})
        return Claim(**columns)


class ClaimRow(Row):
    claim: ClaimRecord


class FormerIdentityRow(Row):
    id: str
    identity: str


class SameAsRow(Row):
    member: str
    other: str
    user: str
    session: str | None

    def to_domain(self) -> SameAs:
        return SameAs(**self.model_dump())


class FirstSaidRow(Row):
    """A short name that is said for the first time in a session, by or for a user."""

    member: str
    session: str
    user: str


class SharedRow(Row):
    """A value that its user shares with everybody."""

    id: str


class VersionRow(Row):
    """A version that is believed no more, the claims that it may have rested on, and what is shared of its kind."""

    id: str
    subject_id: str
    target: str
    audience: str
    claims: tuple[ClaimRecord, ...]
    shared: tuple[SharedRow, ...]


class SlotRow(Row):
    """``same_as``: decisions on the ends of its claims. ``shared``: what is shared of its predicate."""

    claims: tuple[ClaimRecord, ...]
    same_as: tuple[SameAsRow, ...]
    held: tuple[HeldRow, ...]
    shared: tuple[SharedRow, ...]


class RetractableRow(Row):
    claim: ClaimRecord
    id: str
    retracted_at: Instant
    type: str
    name: str
    qualifier: str
    first_seen: Instant

    def to_domain(self) -> Claim:
        return self.claim.to_domain()

    def subject(self) -> Entity:
        return Entity(
            group_id=self.claim.group_id,
            type=self.type,
            name=self.name,
            first_seen=self.first_seen,
            qualifier=self.qualifier,
        )


class FormerRow(RetractableRow):
    replaced: StrictBool | None

    def to_former(self) -> FormerClaim:
        return FormerClaim(self.to_domain(), retracted=self.retracted_at != END, replaced=bool(self.replaced))


class MentionRow(Row):
    entity_id: str
    start: int
    end: int
    text: str

    def to_domain(self, episode_id: str) -> Mention:
        return Mention(episode_id=episode_id, **self.model_dump())


class RetractedRow(Row):
    id: str
    retracted_at: Instant
