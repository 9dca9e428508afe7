"""Entities, under the names that a reader may know."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from graphmem.model.entity import GENERIC, SaidType, TypedBy, believed_type
from graphmem.model.projection.existence import BoundingBelief, existence
from graphmem.model.recall import Bearers, Cluster, ClusterMember, KnownEntity, ShortFor
from graphmem.model.scope import Scope
from graphmem.store.rows import made_of, readable, same_length


@dataclass(frozen=True, slots=True)
class TypesRecord:
    """Of which type somebody was told that something is; each is believed rather than the one before."""

    types: tuple[str, ...]
    types_by: tuple[TypedBy, ...]
    types_said_at: tuple[datetime, ...]
    types_at: tuple[datetime, ...]

    def __post_init__(self) -> None:
        same_length(self.types, self.types_by, self.types_said_at, self.types_at)

    def known(self, known_at: datetime) -> Iterator[SaidType]:
        """Those recorded by then."""
        rows = zip(self.types, self.types_by, self.types_said_at, self.types_at, strict=True)
        for type_, typed_by, said_at, at in rows:
            if at <= known_at:
                yield SaidType(type=type_, typed_by=typed_by, said_at=said_at)


@dataclass(frozen=True, slots=True)
class NamesRecord:
    """The names that one audience knows; each was said before the one that it replaced."""

    id: str
    names: tuple[str, ...]
    names_at: tuple[datetime, ...]
    said_at: tuple[datetime, ...]
    said_types: TypesRecord

    def __post_init__(self) -> None:
        same_length(self.names, self.names_at, self.said_at)

    def known(self, known_at: datetime) -> Iterator[tuple[datetime, str, datetime]]:
        """(said_at, name, recorded_at) of those recorded by then."""
        for name, at, said_at in zip(self.names, self.names_at, self.said_at, strict=True):
            if at <= known_at:
                yield said_at, name, at


def first_name(names: Sequence[NamesRecord], known_at: datetime) -> tuple[str, datetime] | None:
    """The name said first to any of these audiences, and since when any of them knows the entity."""
    namings = [naming for audience in names for naming in audience.known(known_at)]
    return (min(namings)[1], min(at for _, _, at in namings)) if namings else None


def type_told(records: Iterable[TypesRecord], known_at: datetime) -> str:
    """The type believed by then of what any of these was told; GENERIC where none was told any."""
    believed = believed_type(chain.from_iterable(record.known(known_at) for record in records))
    return believed.type if believed else GENERIC


@dataclass(frozen=True, slots=True)
class ShownName:
    """A name that a user went by over a stretch of time."""

    name: str
    valid_from: datetime
    valid_to: datetime


def shown_name(names: Sequence[ShownName]) -> str | None:
    """The newest of those that still hold; where none does, the last one that did."""
    newest = max(names, key=lambda shown: (shown.valid_to, shown.valid_from, shown.name), default=None)
    return newest and newest.name


@dataclass(frozen=True, slots=True)
class EntityRecord:
    """``protected_at`` are the instants at which it became protected, or stopped being so, in turn."""

    id: str
    key: str
    qualifier: str
    names: tuple[str, ...]
    names_at: tuple[datetime, ...]
    said_types: TypesRecord
    recorded_at: datetime
    known: tuple[NamesRecord, ...]
    shown: tuple[ShownName, ...]
    part_of: str | None
    bounds: tuple[BoundingBelief, ...]
    protected_at: tuple[datetime, ...]

    def __post_init__(self) -> None:
        same_length(self.names, self.names_at)
        if not self.names:
            raise ValueError("there is no name")
        readable(lambda: existence(self.bounds))

    def seen_in(self, scope: Scope) -> bool:
        """Whether the reader has heard of it by then: in what was said to everybody or for the user."""
        return scope.user is None or first_name(self.known, scope.known_at) is not None

    def to_domain(self, scope: Scope) -> KnownEntity:
        """The entity under the name that the reader knew it by.

        The person of a user is shown under the newest name that the user goes by, else by the id.
        The key stands for the name where the reader knows none; whoever sees a belief knows that.
        """
        if scope.user is not None:
            name, recorded_at = first_name(self.known, scope.known_at) or (self.key, self.recorded_at)
        else:
            known = [name for name, at in zip(self.names, self.names_at, strict=True) if at <= scope.known_at]
            name, recorded_at = known[-1] if known else self.key, self.recorded_at
        return made_of(
            self,
            KnownEntity,
            type=type_told(self._said_types(scope), scope.known_at),
            name=shown_name(self.shown) or name,
            recorded_at=recorded_at,
            existence=existence(self.bounds),
            protected=sum(at <= scope.known_at for at in self.protected_at) % 2 == 1,
        )

    def _said_types(self, scope: Scope) -> Iterable[TypesRecord]:
        return (self.said_types,) if scope.user is None else (names.said_types for names in self.known)


@dataclass(frozen=True, slots=True)
class EntityRow:
    entity: EntityRecord


@dataclass(frozen=True, slots=True)
class BearersRow:
    """Of a name: whether anything bears it, and whose names it may be a part of."""

    key: str
    name: str
    borne: bool
    fuller: tuple[EntityRecord, ...]

    def to_domain(self, scope: Scope) -> Bearers:
        return made_of(self, Bearers, fuller=tuple(entity.to_domain(scope) for entity in self.fuller))


@dataclass(frozen=True, slots=True)
class MemberRow:
    """Of a cluster; what stands for it is there without a merge."""

    entity: EntityRecord
    merge_id: str | None
    since: datetime | None


@dataclass(frozen=True, slots=True)
class ShortForRow:
    session: str
    user: str
    merge_id: str
    entity: EntityRecord

    def to_domain(self, scope: Scope) -> ShortFor:
        return made_of(self, ShortFor, entity=self.entity.to_domain(scope))


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """All that an entity is the same as, itself too."""

    id: str
    mentions: int
    members: tuple[MemberRow, ...]
    short_for: tuple[ShortForRow, ...]

    def to_domain(self, scope: Scope) -> Cluster | None:
        """Those of it that the reader has heard of; none if that is not the entity itself."""
        known = {row.entity.id: row.entity.to_domain(scope) for row in self.members if row.entity.seen_in(scope)}
        if self.id not in known:
            return None
        members = [
            ClusterMember(entity=known[row.entity.id], merge_id=row.merge_id, since=row.since)
            for row in self.members
            if row.entity.id in known and row.merge_id is not None and row.since is not None
        ]
        short_for = [row.to_domain(scope) for row in self.short_for if row.entity.seen_in(scope)]
        root = next((row.entity.id for row in self.members if row.merge_id is None), self.id)
        return Cluster(
            entity=known[self.id],
            representative=known.get(root, known[self.id]),
            members=tuple(sorted(members, key=lambda member: (member.since, member.entity.id))),
            mentions=self.mentions,
            short_for=tuple(sorted(short_for, key=lambda short: (short.session, short.user))),
        )
