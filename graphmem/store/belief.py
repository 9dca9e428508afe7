"""What is believed, every version of it, and the claims behind it: beliefs, evidence and ends in one answer each."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from graphmem.model.damage import noted
from graphmem.model.recall import EVIDENCE_LIMIT, Grounds, KnownEntity, Subgraph, VersionPosition, version_position
from graphmem.model.scope import Scope
from graphmem.store.named import QueryStore, read_in_passes
from graphmem.store.parameters import PAGE_CHARS
from graphmem.store.rows.belief import GroundsRow, SubgraphRow

_TRIES = 5


class BeliefStore(QueryStore):
    """The queries of ``belief.cypher``."""

    async def beliefs_around(
        self,
        scope: Scope,
        ids: Iterable[str],
        *,
        predicates: Sequence[str] | None,
        limit: int,
        unless: Scope | None = None,
    ) -> Subgraph:
        """Those at either end of entities, the first by id; without those that held at ``unless`` too."""
        given = {"ids": sorted(set(ids)), "predicates": predicates, "limit": limit, **_unless(unless)}
        return await self._subgraph("beliefs_around", scope, **given)

    async def beliefs_of_group(
        self, scope: Scope, *, predicates: Sequence[str] | None, limit: int, unless: Scope | None = None
    ) -> Subgraph:
        """The first by id; without those that held at ``unless`` too."""
        passes = await read_in_passes(
            scope.known_at,
            lambda: self._subgraph("beliefs_of_group", scope, predicates=predicates, limit=limit, **_unless(unless)),
            lambda subgraph: {belief.id for belief in subgraph.beliefs},
        )
        beliefs = {belief.id: belief for subgraph in passes for belief in subgraph.beliefs}
        ends = {id_: entity for subgraph in passes for id_, entity in subgraph.entities.items()}
        return Subgraph(tuple(beliefs[id_] for id_ in sorted(beliefs)[:limit]), ends)

    async def beliefs_by_id(self, scope: Scope, ids: Iterable[str]) -> Subgraph:
        """Those of them that hold, by the ids of their rows; in a history, all that had begun."""
        return await self._subgraph("beliefs_by_id", scope, ids=sorted(set(ids)))

    async def history_of_entity(
        self,
        scope: Scope,
        entity_id: str,
        *,
        valid_at: datetime | None,
        predicates: Sequence[str] | None,
        after: VersionPosition,
        limit: int,
    ) -> Subgraph:
        """Every version recorded by then, in the order of ``version_position``; without ``valid_at`` of any time."""
        given = {"id": entity_id, "predicates": predicates, "valid_at": valid_at, "after": list(after), "limit": limit}
        versions = await self._subgraph("history_of_entity", scope, **given)
        return Subgraph(tuple(sorted(versions.beliefs, key=version_position)), versions.entities)

    async def version_of_belief(
        self, scope: Scope, belief_id: str, *, valid_at: datetime | None, after: tuple[datetime, str], limit: int
    ) -> Grounds | None:
        """The version with this id, or the last one known then of the belief with it.

        With every claim for it and what ends it, in order of (said_at, id), after a position; retracted ones say since
        when. ``complete``: none was left out because the texts of their episodes are too long for one answer.

        Raises:
            Unreadable: the belief, or an entity at its end, cannot be read.
        """
        given = {"id": belief_id, "valid_at": valid_at, "after_time": after[0], "after_id": after[1], "limit": limit}

        async def read() -> Grounds | None:
            with noted() as damage:
                row = await self._run.optional(
                    "version_of_belief", GroundsRow, scope, evidence=EVIDENCE_LIMIT, chars=PAGE_CHARS, **given
                )
            if row and not row.beliefs:
                raise damage.error()
            return _grounds(row, scope) if row else None

        passes = await read_in_passes(scope.known_at, read, lambda grounds: grounds and grounds.belief.id)
        versions = (grounds for grounds in passes if grounds is not None)
        return max(versions, key=lambda grounds: grounds.belief.recorded_at, default=None)

    async def _subgraph(self, query: str, scope: Scope, **params: object) -> Subgraph:
        """An answer of one instant: where a belief came without evidence, its claim went while it was read."""
        params["evidence"] = EVIDENCE_LIMIT
        row = await self._run.one(query, SubgraphRow, scope, **params)
        for _ in range(_TRIES):
            if all(belief.evidence for belief in row.beliefs):
                break
            row = await self._run.one(query, SubgraphRow, scope, **params)
        return Subgraph(row.beliefs, _entities(row, scope))


def _entities(row: SubgraphRow, scope: Scope) -> dict[str, KnownEntity]:
    """The ends of beliefs that the reader sees, and of the others those that the reader has heard of."""
    ends = {id_ for belief in row.beliefs for id_ in (belief.subject_id, belief.object_id)}
    return {entity.id: entity.to_domain(scope) for entity in row.entities if entity.id in ends or entity.seen_in(scope)}


def _grounds(row: GroundsRow, scope: Scope) -> Grounds:
    return Grounds(
        belief=row.beliefs[0],
        entities=tuple(_entities(row, scope).values()),
        claims=row.claims,
        episodes=row.episodes,
        complete=not row.more,
    )


def _unless(scope: Scope | None) -> dict[str, datetime | None]:
    return {
        "unless_valid_at": scope.valid_at if scope else None,
        "unless_known_at": scope.known_at if scope else None,
    }
