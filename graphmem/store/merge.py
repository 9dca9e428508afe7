"""Merges, and what is thought of pairs that are none yet."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from graphmem.model.interval import END
from graphmem.model.merge import Merge, Opinion
from graphmem.model.recall import MOST_COUNTED, PROFILE_LIMIT, Cluster, KnownProfile, SharedNeighbour
from graphmem.model.scope import Scope
from graphmem.store.named import QueryStore
from graphmem.store.rows.identity import KnownProfileRow, MergeRow, ReviewRow, SharedNeighbourRow


class MergeStore(QueryStore):
    """The reads of ``identity.cypher``."""

    async def merge(self, scope: Scope, id_: str) -> Merge | None:
        row = await self._run.optional("merge", MergeRow, scope, id=id_)
        return row and row.merge

    async def merges(self, scope: Scope, *, after: tuple[datetime, str], limit: int) -> list[Merge]:
        """Those in force then, in order of (recorded_at, id), after a position, without what took them back later."""
        rows = await self._run.many("merges", MergeRow, scope, after_time=after[0], after_id=after[1], limit=limit)
        return [replace(row.merge, superseded_at=END) for row in rows]

    async def reviews(self, scope: Scope, *, after: tuple[float, str], limit: int) -> list[Opinion]:
        """Pairs that somebody is to decide, in order of (score, id), descending, after a position."""
        rows = await self._run.many("reviews", ReviewRow, scope, after_score=after[0], after_id=after[1], limit=limit)
        return [row.judgement for row in rows]

    async def review(self, scope: Scope, id_: str) -> Opinion | None:
        row = await self._run.optional("review", ReviewRow, scope, id=id_)
        return row and row.judgement

    async def known_profiles(self, scope: Scope, clusters: Mapping[str, Cluster]) -> dict[str, KnownProfile]:
        """What is believed now of entities, given with what they are the same as, so far as it held at ``valid_at``."""
        rows = await self._run.many(
            "known_profiles", KnownProfileRow, scope, ids=sorted(clusters), limit=PROFILE_LIMIT, most=MOST_COUNTED
        )
        return {row.id: row.to_domain(scope, clusters[row.id]) for row in rows}

    async def shared_neighbours(self, scope: Scope, first: str, second: str) -> list[SharedNeighbour]:
        """Entities to which both have a relationship now, the first by id."""
        rows = await self._run.many(
            "shared_neighbours",
            SharedNeighbourRow,
            scope,
            first_id=first,
            second_id=second,
            limit=PROFILE_LIMIT,
            most=MOST_COUNTED,
        )
        return [row.to_domain(scope) for row in rows]
