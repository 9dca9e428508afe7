"""Entities, under the names that they had for the reader."""

from collections.abc import Iterable

from graphmem.model.recall import KnownEntity
from graphmem.model.scope import Scope
from graphmem.store.named import QueryStore
from graphmem.store.rows.entity import EntityRow


class EntityStore(QueryStore):
    """The queries of ``entity.cypher``."""

    async def entities(self, scope: Scope, *, entity_type: str | None, after: str, limit: int) -> list[KnownEntity]:
        rows = await self._run.many(
            "entities" if scope.user is None else "entities_for_user",
            EntityRow,
            group=scope.group,
            audience=scope.audience,
            type=entity_type,
            after=after,
            known_at=scope.known_at,
            limit=limit,
        )
        return [row.entity.to_domain(scope) for row in rows]

    async def entities_named(
        self, scope: Scope, *, key: str, entity_type: str | None, after: str, limit: int
    ) -> list[KnownEntity]:
        rows = await self._run.many(
            "entities_named",
            EntityRow,
            group=scope.group,
            audience=scope.audience,
            key=key,
            type=entity_type,
            after=after,
            known_at=scope.known_at,
            limit=limit,
        )
        return [row.entity.to_domain(scope) for row in rows]

    async def entities_by_id(self, scope: Scope, ids: Iterable[str]) -> dict[str, KnownEntity]:
        """Those that the reader has heard of, by id."""
        rows = await self._run.many(
            "entities_by_id",
            EntityRow,
            group=scope.group,
            audience=scope.audience,
            ids=sorted(set(ids)),
            known_at=scope.known_at,
        )
        return {row.entity.id: row.entity.to_domain(scope) for row in rows if row.entity.seen_in(scope)}
