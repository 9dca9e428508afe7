"""One frozen model per shape that a query returns. No defaults: a missing column is an error, not a guess."""

import json
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from graphmem.model.belief import BeliefRow, Evidence
from graphmem.model.claim import Claim, Kind, Scalar
from graphmem.model.entity import Mention
from graphmem.model.episode import ContentType, Episode, Redigest, Role, Status, StoredEpisode
from graphmem.model.fragment import Context, Name, Turn
from graphmem.model.group import Group
from graphmem.model.interval import END
from graphmem.model.ontology import GroupOntology
from graphmem.model.predicate import Cardinality, Policy, Predicates, Progress, Reprojection, Rule, SetPredicate
from graphmem.model.recall import KnownClaim, KnownEntity, horizon
from graphmem.model.renewal import FormerClaim
from graphmem.ontology import read_ontology
from graphmem.store.instants import Instant


class Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GroupRecord(Row):
    id: str
    embedding_model: str
    dimensions: int
    recorded_at: Instant
    importing: bool
    imported: bool
    settled_until: Instant


class GroupRow(Row):
    group: GroupRecord

    def to_domain(self) -> Group:
        return Group(**self.group.model_dump())


class HorizonRow(Row):
    importing: bool
    settled_until: Instant
    clock: Instant

    def to_domain(self, transaction_timeout: float) -> datetime:
        return horizon(self.clock, transaction_timeout, importing=self.importing, settled_until=self.settled_until)


class OntologyRow(Row):
    ontology: str | None
    changed_at: Instant | None

    def to_domain(self) -> GroupOntology | None:
        if self.ontology is None or self.changed_at is None:
            return None
        return GroupOntology(read_ontology(self.ontology), self.changed_at)


class StatusCountRow(Row):
    status: Status
    episodes: int


class GroupSizeRow(Row):
    entities: int
    relationships: int
    facts: int


class RememberedRow(Row):
    id: str
    new: bool
    fingerprint: str
    status: Status
    late: bool


class StatusRow(Row):
    status: Status
    attempts: int
    leases: int


class DueRow(Row):
    group_id: str
    id: str
    leases: int
    revision: int


class LeaseRow(Row):
    status: Status
    lease: str | None
    revision: int
    before: tuple[str, ...]


class LockedRow(Row):
    id: str
    name: str
    first_seen: Instant
    versions: int
    newest_stamp: Instant


class StampRow(Row):
    newest_stamp: Instant


class PolicyRow(Row):
    name: str
    cardinality: Cardinality
    rule: Rule

    def to_domain(self) -> Policy:
        return Policy(self.cardinality, self.rule)


class ClockRow(Row):
    now: Instant
    importing: bool
    settled_until: Instant
    policies: tuple[PolicyRow, ...]

    def predicates(self) -> Predicates:
        return Predicates({policy.name: policy.to_domain() for policy in self.policies})


class GroundRow(ClockRow):
    """What a change stands on, after its locks; ``claims`` of its own that are there already."""

    entities: tuple[LockedRow, ...]
    claims: frozenset[str]


class HeldRow(Row):
    kind: Literal["relationship", "fact"]
    id: str
    fingerprint: str


class EpisodeRecord(Row):
    id: str
    group_id: str
    session: str
    content: str
    content_type: ContentType
    role: Role
    speaker: str | None
    user: str
    source: str | None
    tags: tuple[str, ...]
    metadata: str
    sequence: int | None
    external_id: str | None
    occurred_at: Instant
    recorded_at: Instant
    status: Status
    attempts: int
    leases: int
    error: str | None
    digested_at: Instant | None
    outcome: str | None
    revision: int
    redigest: str | None

    def to_domain(self) -> StoredEpisode:
        return StoredEpisode(
            id=self.id,
            episode=Episode(
                group_id=self.group_id,
                session=self.session,
                content=self.content,
                occurred_at=self.occurred_at,
                content_type=self.content_type,
                role=self.role,
                speaker=self.speaker,
                user=self.user,
                source=self.source,
                tags=self.tags,
                metadata=json.loads(self.metadata),
                sequence=self.sequence,
                external_id=self.external_id,
            ),
            status=self.status,
            attempts=self.attempts,
            leases=self.leases,
            error=self.error,
            recorded_at=self.recorded_at,
            digested_at=self.digested_at,
            outcome=None if self.outcome is None else json.loads(self.outcome),
            revision=self.revision,
            redigest=None if self.redigest is None else Redigest(**json.loads(self.redigest)),
        )


class EpisodeRow(Row):
    episode: EpisodeRecord

    def to_domain(self) -> StoredEpisode:
        return self.episode.to_domain()


class NameRow(Row):
    name: str
    type: str
    aliases: tuple[str, ...]

    def to_domain(self) -> Name:
        return Name(self.name, self.type)


class TurnRow(Row):
    id: str
    role: Role
    speaker: str | None
    content: str
    occurred_at: Instant
    known: tuple[NameRow, ...]

    def to_domain(self) -> Turn:
        return Turn(role=self.role, speaker=self.speaker, content=self.content, occurred_at=self.occurred_at)


class ContextRow(Row):
    ontology: str | None
    turns: tuple[TurnRow, ...]

    def to_domain(self) -> Context:
        known = {name.to_domain(): name.aliases for turn in self.turns for name in turn.known}
        return Context(
            turns=tuple(turn.to_domain() for turn in reversed(self.turns)),
            ids=tuple(turn.id for turn in self.turns),
            known=tuple(known),
            aliases={name: aliases for name, aliases in known.items() if aliases},
            ontology=None if self.ontology is None else read_ontology(self.ontology),
        )


class ClaimRecord(Row):
    group_id: str
    episode_id: str
    kind: Kind
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
    from_stated: bool
    to_stated: bool
    said_at: Instant
    confidence: float
    importance: float
    user: str
    attributes: str
    extractor: str
    extractor_version: str
    revision: int

    def to_domain(self) -> Claim:
        columns: dict[str, Any] = self.model_dump()
        return Claim(**{**columns, "attributes": json.loads(self.attributes)})


class SlotRow(Row):
    claims: tuple[ClaimRecord, ...]
    held: tuple[HeldRow, ...]


class RetractableRow(Row):
    claim: ClaimRecord
    id: str
    retracted_at: Instant
    type: str
    name: str
    first_seen: Instant

    def to_domain(self) -> Claim:
        return self.claim.to_domain()


class FormerRow(RetractableRow):
    replaced: bool | None

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


class BeliefColumns(Row):
    id: str
    belief_id: str
    subject_id: str
    predicate: str
    object_id: str | None
    value: Scalar
    target: str
    user: str
    statement: str
    attributes: str
    confidence: float
    importance: float
    contested: bool
    from_stated: bool
    to_stated: bool
    valid_from: Instant
    valid_to: Instant
    recorded_at: Instant
    superseded_at: Instant


class BeliefRecord(Row):
    kind: str
    belief: BeliefColumns

    @model_validator(mode="after")
    def _has_both_ends(self) -> Self:
        if self.kind == "relationship" and self.belief.object_id is None:
            raise ValueError("a relationship without an object")
        return self

    def to_domain(self, known_at: datetime) -> BeliefRow:
        """The belief as it was known then: what superseded it later was not."""
        row = BeliefRow(kind=self.kind, **self.belief.model_dump())
        return row if row.superseded_at <= known_at else replace(row, superseded_at=END)


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


class EvidenceColumns(Row):
    claim_id: str
    kind: str
    episode_id: str
    quote: str
    quote_start: int
    quote_end: int
    said_at: Instant
    recorded_at: Instant
    confidence: float

    def to_domain(self) -> Evidence:
        return Evidence(**self.model_dump())


class EvidenceRow(Row):
    row_id: str
    evidence: EvidenceColumns


class KnownClaimColumns(Row):
    id: str
    kind: str
    episode_id: str
    statement: str
    quote: str
    quote_start: int
    quote_end: int
    valid_from: Instant
    valid_to: Instant
    from_stated: bool
    to_stated: bool
    said_at: Instant
    recorded_at: Instant
    retracted_at: Instant
    confidence: float
    extractor: str
    extractor_version: str


class KnownClaimRow(Row):
    claim: KnownClaimColumns

    def to_domain(self, known_at: datetime) -> KnownClaim:
        """The claim as it was known then: what retracted it later was not."""
        claim = KnownClaim(**self.claim.model_dump())
        return claim if claim.retracted_at <= known_at else replace(claim, retracted_at=END)


class EntityRecord(Row):
    id: str
    type: str
    key: str
    names: tuple[str, ...]
    names_at: tuple[Instant, ...]
    recorded_at: Instant


class EntityRow(Row):
    entity: EntityRecord

    def to_domain(self, known_at: Instant) -> KnownEntity:
        """The entity under the name that it had at ``known_at``."""
        entity = self.entity
        known = [name for name, at in zip(entity.names, entity.names_at, strict=True) if at <= known_at]
        return KnownEntity(
            id=entity.id, type=entity.type, key=entity.key, name=known[-1], recorded_at=entity.recorded_at
        )


class PredicateRecord(Row):
    group_id: str
    name: str
    cardinality: Cardinality
    rule: Rule
    changed_at: Instant


class PredicateRow(Row):
    predicate: PredicateRecord

    def to_domain(self) -> SetPredicate:
        record = self.predicate
        policy = Policy(record.cardinality, record.rule)
        return SetPredicate(group_id=record.group_id, name=record.name, policy=policy, changed_at=record.changed_at)


class ChangedRow(Row):
    name: str
    changed: bool


class ReprojectionRecord(Row):
    id: str
    group_id: str
    predicate: str
    status: Progress
    generation: int
    cursor_group: str
    cursor: str
    subjects_total: int | None
    subjects_done: int
    rows_changed: int
    error: str | None
    attempts: int
    leases: int
    idle: int
    requested_at: Instant
    began_at: Instant | None
    finished_at: Instant | None


class ReprojectionRow(Row):
    reprojection: ReprojectionRecord

    def to_domain(self) -> Reprojection:
        return Reprojection(**self.reprojection.model_dump())


class DueReprojectionRow(Row):
    group_id: str
    id: str
    generation: int
    leases: int


class WritersGoneRow(Row):
    gone: bool


class SubjectRow(Row):
    subject_id: str


class GroupIdRow(Row):
    group_id: str
