"""What is believed, every version of it, and the claims behind it: beliefs, evidence and ends in one answer each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from graphmem.model.belief import BeliefRow, Support
from graphmem.model.damage import noted
from graphmem.model.episode import TurnOrder
from graphmem.model.recall import (
    EVIDENCE_LIMIT,
    Grounds,
    KnownClaim,
    KnownEntity,
    Subgraph,
    VersionPosition,
    version_position,
)
from graphmem.model.scope import Scope
from graphmem.store.named import QueryStore, read_in_passes
from graphmem.store.parameters import PAGE_CHARS
from graphmem.store.rows import AttributesText, ReadAs
from graphmem.store.rows.entity import EntityRecord
from graphmem.store.rows.episode import EpisodeRecord

_NO_END = PydanticCustomError("no_end", "the entity with this id cannot be read")


@dataclass(frozen=True, slots=True)
class _EvidenceColumns:
    """The lists come empty, or as no lists where they are damaged."""

    attribute_keys: tuple[str, ...]
    attribute_values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _BeliefColumns(_EvidenceColumns):
    attributes: AttributesText
    cut_by: str | None
    rejected_before: datetime | None
    rejected_turn: TurnOrder | None
    rejected_start: int | None
    dropped_before: datetime | None
    dropped_turn: TurnOrder | None
    dropped_start: int | None
    fades_at: datetime
    audience: str
    evidence: tuple[Annotated[Support, ReadAs(_EvidenceColumns)], ...]


def _has_both_ends(belief: BeliefRow) -> BeliefRow:
    if belief.kind == "relationship" and belief.object_id is None:
        raise ValueError("a relationship without an object")
    return belief


SupportedBelief = Annotated[BeliefRow, ReadAs(_BeliefColumns), AfterValidator(_has_both_ends)]
"""A belief as it was known then, with its evidence."""


@dataclass(frozen=True, slots=True)
class SubgraphRow:
    """Beliefs, and the entities at their ends; those that were asked for too."""

    beliefs: tuple[SupportedBelief, ...]
    entities: tuple[EntityRecord, ...]

    def __post_init__(self) -> None:
        """Refuse a belief without the entities that it relates: it cannot be shown."""
        known = {entity.id for entity in self.entities}
        lacking = [
            InitErrorDetails(type=_NO_END, loc=("beliefs", number, end), input=None)
            for number, belief in enumerate(self.beliefs)
            for end, id_ in (("subject_id", belief.subject_id), ("object_id", belief.object_id))
            if id_ is not None and id_ not in known
        ]
        if lacking:
            raise ValidationError.from_exception_data(type(self).__name__, lacking)


@dataclass(frozen=True, slots=True)
class GroundsRow(SubgraphRow):
    """One belief, its claims, and their episodes. ``more``: there are claims left out, whose episodes are too long."""

    claims: tuple[KnownClaim, ...]
    more: bool
    episodes: tuple[EpisodeRecord, ...]


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
        """Beliefs with entities at either end, the first by id; without those that held at ``unless`` too."""
        given = {"ids": sorted(set(ids)), "predicates": predicates, "limit": limit, **_unless(unless)}
        return await self._subgraph("beliefs_around", scope, **given)

    async def beliefs_of_group(
        self,
        scope: Scope,
        *,
        predicates: Sequence[str] | None,
        limit: int,
        after: str = "",
        unless: Scope | None = None,
    ) -> Subgraph:
        """The first beliefs of a group by id, after one; without those that held at ``unless`` too."""
        given = {"predicates": predicates, "after": after, "limit": limit, **_unless(unless)}
        passes = await read_in_passes(
            scope.known_at,
            lambda: self._subgraph("beliefs_of_group", scope, **given),
            lambda subgraph: {belief.id for belief in subgraph.beliefs},
        )
        beliefs = {belief.id: belief for subgraph in passes for belief in subgraph.beliefs}
        ends = {id_: entity for subgraph in passes for id_, entity in subgraph.entities.items()}
        return Subgraph(tuple(beliefs[id_] for id_ in sorted(beliefs)[:limit]), ends)

    async def beliefs_by_id(self, scope: Scope, ids: Iterable[str]) -> Subgraph:
        """The beliefs that hold, of those with these ids of rows; in a history, all that had begun."""
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

        With every claim for it and what ends it, in the order in which they were said, after a position; retracted ones
        say since when. ``complete``: none was left out because the texts of their episodes are too long for one answer.

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
        row = await self._run.single(query, SubgraphRow, scope, **params)
        for _ in range(_TRIES):
            if all(belief.evidence for belief in row.beliefs):
                break
            row = await self._run.single(query, SubgraphRow, scope, **params)
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
    return {"unless_valid_at": scope.valid_at if scope else None, "unless_known_at": scope.known_at if scope else None}
