"""Entities, under the names that a reader may know."""

from collections.abc import Iterator, Sequence

from graphmem.model.recall import KnownEntity
from graphmem.model.scope import Scope
from graphmem.store.instants import Instant
from graphmem.store.rows import Row


class NamesRecord(Row):
    """The names that one audience knows; each was said before the one that it replaced."""

    names: tuple[str, ...]
    names_at: tuple[Instant, ...]
    said_at: tuple[Instant, ...]

    def known(self, known_at: Instant) -> Iterator[tuple[Instant, str, Instant]]:
        """(said_at, name, recorded_at) of those recorded by then."""
        for name, at, said_at in zip(self.names, self.names_at, self.said_at, strict=True):
            if at <= known_at:
                yield said_at, name, at


def first_name(names: Sequence[NamesRecord], known_at: Instant) -> tuple[str, Instant] | None:
    """The name said first to any of these audiences, and since when any of them knows the entity."""
    found = [one for audience in names for one in audience.known(known_at)]
    return (min(found)[1], min(at for _, _, at in found)) if found else None


class EntityRecord(Row):
    id: str
    type: str
    key: str
    names: tuple[str, ...]
    names_at: tuple[Instant, ...]
    recorded_at: Instant
    known: tuple[NamesRecord, ...]

    def seen_in(self, scope: Scope) -> bool:
        """Whether the reader has heard of it by then: in what was said to everybody or for the user."""
        return scope.user is None or first_name(self.known, scope.known_at) is not None

    def to_domain(self, scope: Scope) -> KnownEntity:
        """The entity under the name that the reader knew it by.

        The key stands for the name where an older process wrote who knows it; whoever sees a belief knows that.
        """
        if scope.user is not None:
            name, recorded_at = first_name(self.known, scope.known_at) or (self.key, self.recorded_at)
        else:
            known = [name for name, at in zip(self.names, self.names_at, strict=True) if at <= scope.known_at]
            name, recorded_at = known[-1], self.recorded_at
        return KnownEntity(id=self.id, type=self.type, key=self.key, name=name, recorded_at=recorded_at)


class EntityRow(Row):
    entity: EntityRecord
