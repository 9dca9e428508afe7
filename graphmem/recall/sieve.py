"""The one place where hits of a search are held against what it asks for, whichever channel they come from."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from graphmem.model.hits import Ranked
from graphmem.model.scope import Scope
from graphmem.model.search import ENTITY, EPISODE, NO_FILTERS, Filters
from graphmem.store.graph import GraphStore
from graphmem.store.sieve import Entities

Hit = TypeVar("Hit", bound=tuple[object, ...])


class Sieve:
    """Keeps what has all that is asked for. Each hit is looked up once."""

    def __init__(
        self, store: GraphStore, scope: Scope, filters: Filters = NO_FILTERS, entities: Entities = None
    ) -> None:
        """``entities`` are the ids of all that is the same as the entity asked for."""
        self._store, self._scope, self._filters, self._entities = store, scope, filters, entities
        self._looked_at = set[str]()
        self._passing = set[str]()

    def only(self, name: str) -> "Sieve":
        """A sieve for one of the filters alone."""
        entities = self._entities if name == "entity" else None
        return Sieve(self._store, self._scope, self._filters.only(name), entities)

    async def keep(self, kind: str, hits: Sequence[Hit]) -> list[Hit]:
        """Those hits of an index, each of which begins with its id, that have it all."""
        passing = await self.passing(kind, (str(hit[0]) for hit in hits))
        return [hit for hit in hits if hit[0] in passing]

    async def keep_ranked(self, ranked: Sequence[Ranked]) -> list[Ranked]:
        """Those that have it all, also of what came with a hit, such as the turns around one."""
        for kind in sorted({item.kind for item in ranked}):
            await self.passing(kind, (item.id for item in ranked if item.kind == kind))
        return [item for item in ranked if not self._filters.given or item.id in self._passing]

    async def passing(self, kind: str, ids: Iterable[str]) -> frozenset[str]:
        asked = frozenset(ids)
        if not self._filters.given:
            return asked
        new = asked - self._looked_at
        if new and self._filters.of(frozenset({kind})):
            self._passing |= await self._look_at(kind, new)
        self._looked_at |= new
        return asked & self._passing

    async def _look_at(self, kind: str, ids: frozenset[str]) -> frozenset[str]:
        store, scope, filters = self._store, self._scope, self._filters
        if kind == EPISODE:
            return await store.episodes_passing(scope, ids, filters, self._entities)
        if kind == ENTITY:
            return await self._entities_passing(ids)
        passing = await store.beliefs_passing(scope, ids, filters, self._entities)
        return await store.beliefs_resting_on(scope, passing, filters) if filters.of_episodes and passing else passing

    async def _entities_passing(self, ids: frozenset[str]) -> frozenset[str]:
        among = ids if self._entities is None else ids & self._entities
        known = await self._store.entities_by_id(self._scope, among)
        types = self._filters.types
        return frozenset(id_ for id_, entity in known.items() if not types or entity.type in types)
