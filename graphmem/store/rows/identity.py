"""Who is who, and entities as they are compared with each other."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

from graphmem.model.claim import Scalar
from graphmem.model.matching import FamilyTie, MatchProfile, Neighbour, Shifts
from graphmem.model.merge import Merge, Named, Opinion, PossibleMeanings
from graphmem.model.persons import OWN_NAMES
from graphmem.model.recall import Cluster, KnownProfile, ProfileBelief, SharedNeighbour
from graphmem.model.scope import Scope
from graphmem.store.rows import ReadAs, made_of
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
    name_key: str
    qualifier: str
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
        beliefs = tuple(row.to_domain(scope) for row in self.beliefs)
        return KnownProfile(cluster=cluster, first_seen=self.first_seen, beliefs=beliefs, total=self.total)


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


@dataclass(frozen=True, slots=True)
class DueRow:
    id: str
    due: datetime


@dataclass(frozen=True, slots=True)
class OvertakenRow(DueRow):
    since: datetime


@dataclass(frozen=True, slots=True)
class UnembeddedRow:
    id: str
    type: str
    name: str
    due: datetime


@dataclass(frozen=True, slots=True)
class SaidValueRow:
    predicate: str
    value: str


@dataclass(frozen=True, slots=True)
class RelatedRow:
    predicate: str
    id: str


@dataclass(frozen=True, slots=True)
class EntityNameRow:
    id: str
    type: str
    name: str
    qualifier: str
    first_seen: datetime
    protected: bool

    def to_domain(self) -> MatchProfile:
        """As far as its name goes."""
        return made_of(self, MatchProfile, names=frozenset({self.name}))


@dataclass(frozen=True, slots=True)
class FamilyNameRow(EntityNameRow):
    family: frozenset[FamilyTie]


@dataclass(frozen=True, slots=True)
class UndecidedNamesRow:
    """The person of a user, what they are ``called``, and bare names that may be theirs."""

    person: EntityNameRow
    called: tuple[SaidValueRow, ...]
    bare: tuple[EntityNameRow, ...]

    def to_person(self) -> MatchProfile:
        names = {
            predicate: frozenset(row.value for row in self.called if row.predicate == predicate)
            for predicate in OWN_NAMES
        }
        return replace(self.person.to_domain(), values=names)


@dataclass(frozen=True, slots=True)
class ProfileRow(FamilyNameRow):
    """``known``: the readers asked for have heard of it. ``terms`` are those that were counted of it.

    ``source`` is that of its qualifier, where no two of that source are one.
    """

    key: str
    source: str | None
    in_sessions: bool
    known: bool
    terms: tuple[str, ...]
    related: tuple[RelatedRow, ...]
    said: tuple[SaidValueRow, ...]

    def to_domain(self) -> MatchProfile:
        values: dict[str, set[str]] = defaultdict(set)
        for row in self.said:
            values[row.predicate].add(row.value)
        return made_of(
            self,
            MatchProfile,
            names=frozenset({self.name}),
            values={predicate: frozenset(texts) for predicate, texts in values.items()},
            related=frozenset((row.id, row.predicate) for row in self.related),
            source=self.source or "",
        )


@dataclass(frozen=True, slots=True)
class PossibleRow:
    """An entity that a short name may mean, and since when it is named in its session, or (session "") anywhere."""

    entity: FamilyNameRow
    session: str
    user: str
    first: datetime

    def to_named(self) -> Named:
        return Named(entity_id=self.entity.id, session=self.session, user=self.user, first=self.first)


@dataclass(frozen=True, slots=True)
class PossibleMeaningsRow:
    """A short name in a session, by or for a user, and whom it may mean there."""

    id: str
    session: str
    user: str
    protected: bool
    family: frozenset[FamilyTie]
    judgements: tuple[StoredOpinion, ...]
    found: tuple[PossibleRow, ...]

    def to_domain(self) -> PossibleMeanings:
        return PossibleMeanings(
            profiles=[*{row.entity.id: row.entity.to_domain() for row in self.found}.values()],
            named=frozenset(row.to_named() for row in self.found),
            opinions=self.judgements,
            protected=self.protected,
            family=self.family,
        )


@dataclass(frozen=True, slots=True)
class BetweenRow:
    """A predicate ties two entities in a session."""

    id: str
    other: str
    session: str
    predicate: str


@dataclass(frozen=True, slots=True)
class TogetherRow:
    """A text that names two entities near each other, with where it names each: ``[start, end)``, in code points."""

    id: str
    other: str
    session: str
    user: str
    content: str
    ones: tuple[tuple[int, int], ...]
    others: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class TermsRow:
    key: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FrequencyRow:
    id: str
    holders: int


@dataclass(frozen=True, slots=True)
class CandidatesRow:
    id: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NeighbourRow:
    """``neighbour`` is near to the entity ``id``, or was found so before."""

    id: str
    neighbour: Neighbour


@dataclass(frozen=True, slots=True)
class MatchingSettingsRow:
    fingerprint: str | None


@dataclass(frozen=True, slots=True)
class RefinedWeightsRow:
    weights: Mapping[str, Shifts] | None


@dataclass(frozen=True, slots=True)
class SourcesRow:
    unique: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangedSourceRow:
    changed: bool
