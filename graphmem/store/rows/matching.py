"""Entities as they are compared with each other."""

from collections import defaultdict
from collections.abc import Mapping

from pydantic import Json, StrictBool

from graphmem.model.matching import MatchProfile, Neighbour, Shifts, View
from graphmem.model.merge import Named, PossibleMeanings
from graphmem.store.instants import Instant
from graphmem.store.rows import Row
from graphmem.store.rows.identity import JudgementRecord


class OvertakenRow(Row):
    id: str
    due: Instant
    since: Instant


class DueRow(Row):
    id: str
    due: Instant


class ViewRow(Row):
    entity_id: str
    user: str
    due: Instant
    private: StrictBool

    def to_domain(self) -> View:
        return View(**self.model_dump())


class UnembeddedRow(Row):
    id: str
    type: str
    name: str
    due: Instant


class SaidRow(Row):
    predicate: str
    value: str


class RelatedRow(Row):
    predicate: str
    id: str


class ProfileRow(Row):
    """``known``: the readers asked for have heard of it. ``terms`` are those that were counted of it.

    ``source`` is that of its qualifier, where no two of that source are one.
    """

    id: str
    type: str
    name: str
    key: str
    qualifier: str
    source: str | None
    first_seen: Instant
    protected: StrictBool
    in_sessions: StrictBool
    known: StrictBool
    terms: tuple[str, ...]
    related: tuple[RelatedRow, ...]
    said: tuple[SaidRow, ...]

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


class EntityNameRow(Row):
    id: str
    type: str
    name: str
    qualifier: str
    first_seen: Instant
    protected: StrictBool

    def to_domain(self) -> MatchProfile:
        """As far as its name goes."""
        return MatchProfile(**self.model_dump(), names=frozenset({self.name}))


class NamedRow(Row):
    entity_id: str
    session: str
    user: str
    first: Instant

    def to_domain(self) -> Named:
        return Named(**self.model_dump())


class PossibleRow(Row):
    """An entity that a short name may mean, and since when it is named in its session, or (session "") anywhere."""

    entity: EntityNameRow
    session: str
    user: str
    first: Instant

    def to_named(self) -> Named:
        return Named(entity_id=self.entity.id, session=self.session, user=self.user, first=self.first)


class PossibleMeaningsRow(Row):
    """A short name in a session, by or for a user, and whom it may mean there."""

    id: str
    session: str
    user: str
    protected: StrictBool
    judgements: tuple[JudgementRecord, ...]
    found: tuple[PossibleRow, ...]

    def to_domain(self) -> PossibleMeanings:
        return PossibleMeanings(
            profiles=[*{one.entity.id: one.entity.to_domain() for one in self.found}.values()],
            named=frozenset(one.to_named() for one in self.found),
            opinions=[one.to_domain() for one in self.judgements],
            protected=self.protected,
        )


class BetweenRow(Row):
    """A predicate ties two entities in a session."""

    id: str
    other: str
    session: str
    predicate: str


class TogetherRow(Row):
    """A text that names two entities near each other, with where it names each: ``[start, end)``, in code points."""

    id: str
    other: str
    session: str
    content: str
    ones: tuple[tuple[int, int], ...]
    others: tuple[tuple[int, int], ...]


class TermsRow(Row):
    key: str
    type: str
    terms: tuple[str, ...]


class FrequencyRow(Row):
    id: str
    holders: int


class CandidatesRow(Row):
    id: str
    ids: tuple[str, ...]


class NeighbourRow(Row):
    """``other`` is near to ``id``, or was found so ``before``; ``score`` is Neo4j's, from 0 to 1."""

    id: str
    other: str
    type: str
    name: str
    score: float
    before: StrictBool

    def to_domain(self) -> Neighbour:
        return Neighbour(id=self.other, type=self.type, name=self.name, nearness=2 * self.score - 1, before=self.before)


class MatchingSettingsRow(Row):
    fingerprint: str | None


class EntityIdRow(Row):
    id: str


class RefinedWeightsRow(Row):
    weights: Json[Mapping[str, Shifts]] | None

    def to_domain(self) -> Mapping[str, Shifts]:
        return self.weights or {}


class SourcesRow(Row):
    unique: tuple[str, ...]


class ChangedSourceRow(Row):
    changed: StrictBool
