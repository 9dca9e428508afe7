"""Asks the store what is missed, and which filters it does not pass."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from graphmem.model.filters import Filters
from graphmem.model.hit_kinds import EPISODE, OF_EPISODES
from graphmem.model.lost import Addressed, SearchTrace
from graphmem.model.recall import WhyNot
from graphmem.model.scope import Scope
from graphmem.recall.sieve import Sieve
from graphmem.retrieve.lost import of_its_time, why_not
from graphmem.store.graph import GraphStore


class Losses:
    """Why some of what a reader may see is not among the hits of a search of ``kinds``."""

    def __init__(self, store: GraphStore, scope: Scope, kinds: frozenset[str], filters: Filters, sieve: Sieve) -> None:
        self._store, self._scope, self._kinds, self._filters, self._sieve = store, scope, kinds, filters, sieve

    async def of(self, ids: Sequence[str], outcome: SearchTrace) -> tuple[WhyNot, ...]:
        found = await self._store.addressed(self._scope, ids)
        meant = {id_: [one for one in found if one.asked == id_] for id_ in dict.fromkeys(ids)}
        looked_for = [of_its_time(versions, self._scope) for versions in meant.values() if versions]
        failed = {one.id: tuple(await self._failed(one)) for one in looked_for}
        whole = replace(outcome, failed=failed)
        return tuple(why_not(id_, versions, self._scope, whole) for id_, versions in meant.items())

    async def _failed(self, one: Addressed) -> list[str]:
        """The names of the filters that it does not pass; of those of episodes all, where each has another episode."""
        failed = [*self._of_the_scope(one)]
        failed += [name for name in self._filters.given if not await self._passes(one, self._sieve.only(name))]
        if not failed and not await self._passes(one, self._sieve):
            return [name for name in self._filters.given if name in OF_EPISODES]
        return failed

    def _of_the_scope(self, one: Addressed) -> Iterable[str]:
        if one.kind not in self._kinds:
            yield "kinds"
        if one.kind != EPISODE and self._scope.open not in (None, one.open):
            yield "open"

    async def _passes(self, one: Addressed, sieve: Sieve) -> bool:
        return one.id in await sieve.passing(one.kind, [one.id])
