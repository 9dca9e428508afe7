"""Who is who, as queries return it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from graphmem.model.claim import Scalar
from graphmem.model.merge import Merge, Opinion
from graphmem.model.recall import Cluster, KnownProfile, ProfileBelief, SharedNeighbour
from graphmem.model.scope import Scope
from graphmem.store.rows import ReadAs
from graphmem.store.rows.entity import EntityRecord


@dataclass(frozen=True, slots=True)
class _PairColumns:
    first_id: str
    second_id: str


@dataclass(frozen=True, slots=True)
class _OpinionColumns(_PairColumns):
    id: str
    recorded_at: datetime


StoredMerge = Annotated[Merge, ReadAs(_PairColumns)]
StoredOpinion = Annotated[Opinion, ReadAs(_OpinionColumns)]


@dataclass(frozen=True, slots=True)
class MergeRow:
    merge: StoredMerge


@dataclass(frozen=True, slots=True)
class KinRow:
    """An entity, what is thought of pairs that it is one of, and the decisions in force that it is part of.

    ``qualified``: somebody gave it an id. ``protected``: only people merge it. ``source`` is that of its qualifier,
    where no two of that source are one.
    """

    id: str
    qualified: bool
    protected: bool
    source: str | None
    first_seen: datetime
    judgements: tuple[StoredOpinion, ...]
    merges: tuple[StoredMerge, ...]


@dataclass(frozen=True, slots=True)
class FirstToldRow:
    """When a user, or everybody (""), was first told of an entity."""

    id: str
    user: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ReviewRow:
    judgement: StoredOpinion


@dataclass(frozen=True, slots=True)
class ProfileBeliefRow:
    """What decides whether and where a belief is shown comes along, so that it is named where that is damaged."""

    id: str
    kind: str
    predicate: str
    value: Scalar
    importance: float
    as_object: bool
    valid_from: datetime
    valid_to: datetime
    recorded_at: datetime
    superseded_at: datetime
    entity: EntityRecord | None

    def to_domain(self, scope: Scope) -> ProfileBelief:
        entity = self.entity.to_domain(scope) if self.entity else None
        return ProfileBelief(predicate=self.predicate, as_object=self.as_object, entity=entity, value=self.value)


@dataclass(frozen=True, slots=True)
class KnownProfileRow:
    """``first_seen``: in what the reader may see. ``beliefs`` are the first of ``total``."""

    id: str
    first_seen: datetime
    total: int
    beliefs: tuple[ProfileBeliefRow, ...]

    def to_domain(self, scope: Scope, cluster: Cluster) -> KnownProfile:
        return KnownProfile(
            cluster=cluster,
            first_seen=self.first_seen,
            beliefs=tuple(row.to_domain(scope) for row in self.beliefs),
            total=self.total,
        )


@dataclass(frozen=True, slots=True)
class SharedNeighbourRow:
    entity: EntityRecord
    of_first: tuple[str, ...]
    of_second: tuple[str, ...]

    def to_domain(self, scope: Scope) -> SharedNeighbour:
        return SharedNeighbour(
            entity=self.entity.to_domain(scope),
            of_first=tuple(sorted(self.of_first)),
            of_second=tuple(sorted(self.of_second)),
        )
