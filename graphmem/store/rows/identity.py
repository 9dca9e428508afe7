"""Who is who, as queries return it."""

from pydantic import Json, StrictBool

from graphmem.model.claim import Scalar
from graphmem.model.matching import Agreement, Judgement, Method, Stage, Verdict
from graphmem.model.merge import Merge, Opinion
from graphmem.model.recall import Cluster, KnownProfile, ProfileBelief, SharedNeighbour
from graphmem.model.scope import Scope
from graphmem.store.instants import Instant
from graphmem.store.rows import Row
from graphmem.store.rows.entity import EntityRecord


class MergeRecord(Row):
    member: str
    other: str
    id: str
    user: str
    session: str | None
    first_id: str
    second_id: str
    method: Method
    stage: Stage | None
    score: float
    reason: str
    recorded_at: Instant
    superseded_at: Instant

    def to_domain(self) -> Merge:
        columns = self.model_dump(exclude={"first_id", "second_id"})
        return Merge(**columns, pair=(self.first_id, self.second_id))


class MergeRow(Row):
    merge: MergeRecord


class JudgementRecord(Row):
    id: str
    first_id: str
    second_id: str
    user: str
    session: str | None
    verdict: Verdict
    method: Method
    stage: Stage | None
    score: float
    probability: float
    contributions: Json[tuple[Agreement, ...]]
    vetoes: tuple[str, ...]
    reason: str
    pending: StrictBool
    refused: str
    evidence: str
    recorded_at: Instant

    def to_domain(self) -> Opinion:
        judgement = Judgement(
            a=self.first_id,
            b=self.second_id,
            verdict=self.verdict,
            stage=self.stage,
            method=self.method,
            score=self.score,
            probability=self.probability,
            contributions=self.contributions,
            vetoes=self.vetoes,
        )
        return Opinion(
            judgement=judgement,
            user=self.user,
            session=self.session,
            reason=self.reason,
            refused=self.refused,
            pending=self.pending,
            evidence=self.evidence,
        )


class KinRow(Row):
    """An entity, what is thought of pairs that it is one of, and the decisions in force that it is part of.

    ``qualified``: somebody gave it an id. ``protected``: only people merge it. ``source`` is that of its qualifier,
    where no two of that source are one.
    """

    id: str
    qualified: StrictBool
    protected: StrictBool
    source: str | None
    first_seen: Instant
    judgements: tuple[JudgementRecord, ...]
    merges: tuple[MergeRecord, ...]


class FirstToldRow(Row):
    """When a user, or everybody (""), was first told of an entity."""

    id: str
    user: str
    at: Instant


class ReviewRow(Row):
    judgement: JudgementRecord


class ProfileBeliefRow(Row):
    """What decides whether and where a belief is shown comes along, so that it is named where that is damaged."""

    id: str
    kind: str
    predicate: str
    value: Scalar
    importance: float
    as_object: StrictBool
    valid_from: Instant
    valid_to: Instant
    recorded_at: Instant
    superseded_at: Instant
    entity: EntityRecord | None

    def to_domain(self, scope: Scope) -> ProfileBelief:
        entity = self.entity.to_domain(scope) if self.entity else None
        return ProfileBelief(predicate=self.predicate, as_object=self.as_object, entity=entity, value=self.value)


class KnownProfileRow(Row):
    """``first_seen``: in what the reader may see. ``beliefs`` are the first of ``total``."""

    id: str
    first_seen: Instant
    total: int
    beliefs: tuple[ProfileBeliefRow, ...]

    def to_domain(self, scope: Scope, cluster: Cluster) -> KnownProfile:
        return KnownProfile(
            cluster=cluster,
            first_seen=self.first_seen,
            beliefs=tuple(row.to_domain(scope) for row in self.beliefs),
            total=self.total,
        )


class SharedNeighbourRow(Row):
    entity: EntityRecord
    of_first: tuple[str, ...]
    of_second: tuple[str, ...]

    def to_domain(self, scope: Scope) -> SharedNeighbour:
        return SharedNeighbour(
            entity=self.entity.to_domain(scope),
            of_first=tuple(sorted(self.of_first)),
            of_second=tuple(sorted(self.of_second)),
        )
