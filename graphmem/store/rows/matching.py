"""Entities as they are compared with each other."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from graphmem.model.matching import MatchProfile, Neighbour, Shifts
from graphmem.model.merge import Named, PossibleMeanings
from graphmem.store.rows.identity import StoredOpinion


@dataclass(frozen=True, slots=True)
class OvertakenRow:
    id: str
    due: datetime
    since: datetime


@dataclass(frozen=True, slots=True)
class DueRow:
    id: str
    due: datetime


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
class ProfileRow:
    """``known``: the readers asked for have heard of it. ``terms`` are those that were counted of it.

    ``source`` is that of its qualifier, where no two of that source are one.
    """

    id: str
    type: str
    name: str
    key: str
    qualifier: str
    source: str | None
    first_seen: datetime
    protected: bool
    in_sessions: bool
    known: bool
    terms: tuple[str, ...]
    related: tuple[RelatedRow, ...]
    said: tuple[SaidValueRow, ...]

    def to_domain(self) -> MatchProfile:
        values: dict[str, set[str]] = defaultdict(set)
        for one in self.said:
            values[one.predicate].add(one.value)
        return MatchProfile(
            id=self.id,
            type=self.type,
            name=self.name,
            qualifier=self.qualifier,
            names=frozenset({self.name}),
            values={predicate: frozenset(found) for predicate, found in values.items()},
            related=frozenset((one.id, one.predicate) for one in self.related),
            first_seen=self.first_seen,
            source=self.source or "",
            protected=self.protected,
            in_sessions=self.in_sessions,
        )


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
        return MatchProfile(
            id=self.id,
            type=self.type,
            name=self.name,
            qualifier=self.qualifier,
            names=frozenset({self.name}),
            first_seen=self.first_seen,
            protected=self.protected,
        )


@dataclass(frozen=True, slots=True)
class PossibleRow:
    """An entity that a short name may mean, and since when it is named in its session, or (session "") anywhere."""

    entity: EntityNameRow
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
    judgements: tuple[StoredOpinion, ...]
    found: tuple[PossibleRow, ...]

    def to_domain(self) -> PossibleMeanings:
        return PossibleMeanings(
            profiles=[*{one.entity.id: one.entity.to_domain() for one in self.found}.values()],
            named=frozenset(one.to_named() for one in self.found),
            opinions=self.judgements,
            protected=self.protected,
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
    content: str
    ones: tuple[tuple[int, int], ...]
    others: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class TermsRow:
    key: str
    type: str
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
