"""Entities, under the names that they had."""

from collections.abc import Iterable

from graphmem.model.recall import KnownEntity, PointInTime
from graphmem.store.named import QueryStore
from graphmem.store.rows.entity import EntityRow


class EntityStore(QueryStore):
    """The queries of ``entity.cypher``."""

    async def entities(
        self, group: str, when: PointInTime, *, entity_type: str | None, after: str, limit: int
    ) -> list[KnownEntity]:
        known_at = when.known_at
        rows = await self._run.many(
            "entities", EntityRow, group=group, type=entity_type, after=after, known_at=known_at, limit=limit
        )
        return [row.to_domain(known_at) for row in rows]

    async def entities_named(
        self, group: str, when: PointInTime, *, key: str, entity_type: str | None, after: str, limit: int
    ) -> list[KnownEntity]:
        rows = await self._run.many(
            "entities_named",
            EntityRow,
            group=group,
            key=key,
            type=entity_type,
            after=after,
            known_at=when.known_at,
            limit=limit,
        )
        return [row.to_domain(when.known_at) for row in rows]

    async def entities_by_id(self, group: str, when: PointInTime, ids: Iterable[str]) -> dict[str, KnownEntity]:
        rows = await self._run.many(
            "entities_by_id", EntityRow, group=group, ids=sorted(set(ids)), known_at=when.known_at
        )
        return {row.entity.id: row.to_domain(when.known_at) for row in rows}
