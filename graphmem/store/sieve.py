"""Which hits of a search have what it asks for: ids in, ids out."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any

from graphmem.model.hits import Addressed, Version
from graphmem.model.interval import BEGIN, END
from graphmem.model.scope import Scope
from graphmem.model.search import Filters
from graphmem.store.named import QueryStore
from graphmem.store.rows import otherwise

Entities = frozenset[str] | None
"""The ids of all that are the same as the entity asked for; None: none is."""


@dataclass(frozen=True, slots=True)
class SuccessorRow:
    """What may have replaced a row: the id of its own row, its kind, and whether it is an open belief."""

    kind: str
    id: str
    open: Annotated[bool, otherwise(value=False)]


@dataclass(frozen=True, slots=True)
class CompetingVersionRow:
    """A row of a belief, and what it competes in; ``target`` is "" where the predicate does not hold many."""

    id: str
    belief_id: str
    user: Annotated[str, otherwise("")]
    subject: Annotated[str, otherwise("")]
    predicate: Annotated[str, otherwise("")]
    target: Annotated[str, otherwise("")]
    open: Annotated[bool, otherwise(value=False)]
    day: Annotated[str, otherwise("")]
    distinguished_by: tuple[str, ...]
    valid_from: Annotated[datetime, otherwise(BEGIN)]
    recorded_at: datetime
    superseded_at: datetime

    def to_domain(self, known_at: datetime) -> Version:
        """As it was known then: what superseded it later was not."""
        version = Version(
            id=self.id,
            belief_id=self.belief_id,
            slot=(self.user, self.subject, self.predicate, self.target, self.open, self.day, self.distinguished_by),
            valid_from=self.valid_from,
            recorded_at=self.recorded_at,
            superseded_at=self.superseded_at,
        )
        return version if version.superseded_at <= known_at else replace(version, superseded_at=END)


class SieveStore(QueryStore):
    """The queries of ``sieve.cypher``."""

    async def beliefs_passing(
        self, scope: Scope, ids: Iterable[str], filters: Filters, entities: Entities
    ) -> frozenset[str]:
        """Those that have what is asked of beliefs themselves, by the ids of their rows."""
        return await self._ids(
            "beliefs_passing",
            scope,
            ids=sorted(ids),
            predicates=filters.predicates or None,
            categories=filters.categories or None,
            least_confidence=filters.least_confidence,
            **_about(filters, entities),
        )

    async def beliefs_resting_on(self, scope: Scope, ids: Iterable[str], filters: Filters) -> frozenset[str]:
        """Those that rest on an episode that has what is asked of episodes."""
        return await self._ids("beliefs_resting_on", scope, ids=sorted(ids), **_of_episodes(filters))

    async def episodes_passing(
        self, scope: Scope, ids: Iterable[str], filters: Filters, entities: Entities
    ) -> frozenset[str]:
        return await self._ids(
            "episodes_passing", scope, ids=sorted(ids), **_about(filters, entities), **_of_episodes(filters)
        )

    async def summaries_passing(self, scope: Scope, ids: Iterable[str], filters: Filters) -> frozenset[str]:
        """Those of sessions, and of those asked for, by the ids of their versions; of entities none."""
        return await self._ids(
            "summaries_passing",
            scope,
            ids=sorted(ids),
            session=filters.session,
            exclude_session=filters.exclude_session,
        )

    async def claims_of_session(self, scope: Scope, ids: Iterable[str], session: str) -> frozenset[str]:
        """Those of claims that were said in a session."""
        return await self._ids("claims_of_session", scope, ids=sorted(ids), session=session)

    async def same_things(self, scope: Scope, entity_id: str) -> frozenset[str]:
        """The ids of all that an entity was the same as then; its own too."""
        return await self._ids("same_things", scope, id=entity_id)

    async def versions(self, scope: Scope, ids: Iterable[str]) -> list[Version]:
        """What rows of beliefs are versions of, as known then."""
        rows = await self._run.many("versions", CompetingVersionRow, scope, ids=sorted(ids))
        return [row.to_domain(scope.known_at) for row in rows]

    async def successors(self, scope: Scope, ids: Iterable[str], limit: int) -> list[tuple[str, str, bool]]:
        """The newest of what competes with rows of beliefs, ``limit`` of each: kinds, ids, and whether each is open."""
        rows = await self._run.many("successors", SuccessorRow, scope, ids=sorted(ids), limit=limit)
        return [(row.kind, row.id, row.open) for row in rows]

    async def addressed(self, scope: Scope, ids: Iterable[str]) -> list[Addressed]:
        """What ids mean to the reader, of whatever time."""
        return await self._run.many("addressed", Addressed, scope, ids=sorted({*ids}))

    async def _ids(self, query: str, scope: Scope, **params: object) -> frozenset[str]:
        return frozenset(await self._run.ids(query, scope, **params))


def _about(filters: Filters, entities: Entities) -> dict[str, Any]:
    return {
        "entities": None if entities is None else sorted(entities),
        "types": filters.types or None,
        "since": filters.since,
        "until": filters.until,
    }


def _of_episodes(filters: Filters) -> dict[str, Any]:
    return {
        "session": filters.session,
        "exclude_session": filters.exclude_session,
        "roles": filters.roles or None,
        "speakers": filters.speakers or None,
        "sources": filters.sources or None,
        "tags": filters.tags or None,
    }
