"""Entities."""

from graphmem.model.recall import KnownEntity
from graphmem.store.instants import Instant
from graphmem.store.rows import Row


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
