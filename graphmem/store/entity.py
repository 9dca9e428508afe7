"""Entities, under the names that they had for the reader."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from graphmem.model.recall import MOST_COUNTED, Bearers, Cluster, KnownEntity, SoughtName
from graphmem.model.scope import Scope
from graphmem.store.named import QueryStore
from graphmem.store.rows.entity import BearersRow, ClusterRow, EntityRow


class EntityStore(QueryStore):
    """The queries of ``entity.cypher``."""

    async def entities(self, scope: Scope, *, entity_type: str | None, after: str, limit: int) -> list[KnownEntity]:
        rows = await self._run.many(
            "entities" if scope.user is None else "entities_for_user",
            EntityRow,
            scope,
            type=entity_type,
            after=after,
            limit=limit,
        )
        return [row.entity.to_domain(scope) for row in rows]

    async def entities_named(
        self, scope: Scope, *, key: str, entity_type: str | None, after: str, limit: int
    ) -> list[KnownEntity]:
        rows = await self._run.many(
            "entities_named", EntityRow, scope, key=key, type=entity_type, after=after, limit=limit
        )
        return [row.entity.to_domain(scope) for row in rows]

    async def entities_called(
        self,
        scope: Scope,
        keys: Iterable[str],
        *,
        limit: int,
        facts: Sequence[str] = (),
    ) -> list[KnownEntity]:
        """Entities of any of these names, or of which ``facts`` say so, that the reader knows; in order of id."""
        rows = await self._run.many(
            "entities_called",
            EntityRow,
            scope,
            keys=sorted(set(keys)),
            facts=list(facts),
            limit=limit,
        )
        return [row.entity.to_domain(scope) for row in rows]

    async def entities_like(
        self, scope: Scope, *, prefixes: Iterable[str], tokens: Iterable[str], most: int
    ) -> list[KnownEntity]:
        """Entities with names that begin so, or that matching finds by these tokens, up to ``most`` by each."""
        rows = await self._run.many(
            "entities_like", EntityRow, scope, prefixes=sorted(set(prefixes)), tokens=sorted(set(tokens)), most=most
        )
        return [row.entity.to_domain(scope) for row in rows]

    async def bearers(self, scope: Scope, names: Iterable[SoughtName], *, most: int) -> dict[str, Bearers]:
        """Who bears names, and of whom they may be a part, by their keys."""
        rows = await self._run.many("bearers", BearersRow, scope, names=[asdict(name) for name in names], most=most)
        return {row.key: row.to_domain(scope) for row in rows}

    async def entities_by_id(self, scope: Scope, ids: Iterable[str]) -> dict[str, KnownEntity]:
        """Those that the reader has heard of, by id."""
        rows = await self._run.many("entities_by_id", EntityRow, scope, ids=sorted(set(ids)))
        return {row.entity.id: row.entity.to_domain(scope) for row in rows if row.entity.seen_in(scope)}

    async def clusters(self, scope: Scope, ids: Iterable[str]) -> dict[str, Cluster]:
        """What those entities are the same as that the reader has heard of, by id."""
        rows = await self._run.many("clusters", ClusterRow, scope, ids=sorted(set(ids)), most=MOST_COUNTED)
        clusters = {row.id: row.to_domain(scope) for row in rows}
        return {id_: cluster for id_, cluster in clusters.items() if cluster is not None}
