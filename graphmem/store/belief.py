"""What is believed, every version of it, and the claims behind it."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem.model.belief import BeliefRow, Evidence
from graphmem.model.interval import LATEST, MICROSECOND
from graphmem.model.recall import KnownClaim, PointInTime, VersionPosition
from graphmem.store.named import QueryStore
from graphmem.store.parameters import at, attribute_lists
from graphmem.store.rows.belief import BeliefRecord, EvidenceRow, KnownClaimRow

EVIDENCE_LIMIT = 10
"""Claims shown with each belief of an answer, first said first."""


class BeliefStore(QueryStore):
    """The queries of ``belief.cypher``."""

    async def relationships_of_entities(
        self,
        group: str,
        when: PointInTime,
        ids: Iterable[str],
        *,
        predicates: Sequence[str] | None,
        limit: int,
        unless: PointInTime | None = None,
    ) -> list[BeliefRow]:
        """The first by id; without those that held at ``unless`` too."""
        return await self._of_entities("relationships_of_entities", group, when, ids, predicates, limit, unless)

    async def facts_of_entities(
        self,
        group: str,
        when: PointInTime,
        ids: Iterable[str],
        *,
        predicates: Sequence[str] | None,
        limit: int,
        unless: PointInTime | None = None,
    ) -> list[BeliefRow]:
        """The first by id; without those that held at ``unless`` too."""
        return await self._of_entities("facts_of_entities", group, when, ids, predicates, limit, unless)

    async def _of_entities(
        self,
        query: str,
        group: str,
        when: PointInTime,
        ids: Iterable[str],
        predicates: Sequence[str] | None,
        limit: int,
        unless: PointInTime | None,
    ) -> list[BeliefRow]:
        rows = await self._run.many(
            query,
            BeliefRecord,
            group=group,
            ids=sorted(set(ids)),
            predicates=predicates,
            limit=limit,
            **at(when),
            **_unless(unless),
        )
        return [row.to_domain(when.known_at) for row in rows]

    async def beliefs_of_group(
        self,
        group: str,
        when: PointInTime,
        *,
        predicates: Sequence[str] | None,
        limit: int,
        unless: PointInTime | None = None,
    ) -> list[BeliefRow]:
        """The first by id; without those that held at ``unless`` too."""
        found: dict[str, BeliefRow] = {}
        for _ in range(_passes(when.known_at)):
            rows = await self._run.many(
                "beliefs_of_group",
                BeliefRecord,
                group=group,
                predicates=predicates,
                limit=limit,
                **at(when),
                **_unless(unless),
            )
            found.update((row.belief.id, row.to_domain(when.known_at)) for row in rows)
        return [found[id_] for id_ in sorted(found)[:limit]]

    async def history_of_entity(
        self,
        group: str,
        entity_id: str,
        *,
        valid_at: datetime | None,
        known_at: datetime,
        predicates: Sequence[str] | None,
        after: VersionPosition,
        limit: int,
    ) -> list[BeliefRow]:
        """Every version recorded by ``known_at``, in the order of ``version_position``."""
        rows = await self._run.many(
            "history_of_entity",
            BeliefRecord,
            group=group,
            id=entity_id,
            valid_at=valid_at,
            known_at=known_at,
            predicates=predicates,
            after=list(after),
            limit=limit,
        )
        return [row.to_domain(known_at) for row in rows]

    async def version_of_belief(self, group: str, belief_id: str, known_at: datetime) -> BeliefRow | None:
        """The version with this id, or the last one known then of the belief with it."""
        found: list[BeliefRow] = []
        for _ in range(_passes(known_at)):
            row = await self._run.optional(
                "version_of_belief", BeliefRecord, group=group, id=belief_id, known_at=known_at
            )
            found += [row.to_domain(known_at)] if row else []
        return max(found, key=lambda belief: belief.recorded_at, default=None)

    async def evidence_of_beliefs(self, group: str, when: PointInTime, beliefs: Sequence[BeliefRow]) -> list[BeliefRow]:
        """The same beliefs, each with the claims behind it as known then, or when it was last believed."""
        if not beliefs:
            return []
        rows = await self._run.many(
            "evidence_of_beliefs",
            EvidenceRow,
            group=group,
            beliefs=[_slot_of(belief, when.known_at) for belief in beliefs],
            limit=EVIDENCE_LIMIT,
        )
        behind: dict[str, list[Evidence]] = {}
        for row in rows:
            behind.setdefault(row.row_id, []).append(row.evidence.to_domain())
        return [replace(belief, evidence=tuple(behind.get(belief.id, ()))) for belief in beliefs]

    async def claims_of_belief(
        self,
        group: str,
        belief: BeliefRow,
        *,
        valid_at: datetime | None,
        known_at: datetime,
        after: tuple[datetime, str],
        limit: int,
    ) -> list[KnownClaim]:
        """Every claim for the belief and what ends it, in order of (said_at, id); retracted ones say since when."""
        rows = await self._run.many(
            "claims_of_belief",
            KnownClaimRow,
            group=group,
            belief=_slot_of(belief, known_at),
            valid_at=valid_at,
            after_time=after[0],
            after_id=after[1],
            limit=limit,
        )
        return [row.to_domain(known_at) for row in rows]


def _passes(known_at: datetime) -> int:
    """How often to read by index what is to stay the same: a row that moves meanwhile may be in no index for a moment.

    A row moves once, so that it cannot be missed again. What is found along relationships is never missed.
    """
    return 1 if known_at >= LATEST else 2


def _unless(when: PointInTime | None) -> dict[str, datetime | None]:
    return {
        "unless_valid_at": when.valid_at if when else None,
        "unless_known_at": when.known_at if when else None,
    }


def _slot_of(belief: BeliefRow, known_at: datetime) -> dict[str, Any]:
    """What finds a belief's claims; a superseded version has those of the last instant at which it was believed."""
    return {
        "known_at": min(known_at, belief.superseded_at - MICROSECOND),
        "id": belief.id,
        "subject_id": belief.subject_id,
        "predicate": belief.predicate,
        "target": belief.target,
        "user": belief.user,
        "valid_from": belief.valid_from,
        "valid_to": belief.valid_to,
        **attribute_lists(json.loads(belief.attributes)),
    }
