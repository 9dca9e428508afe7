"""The graph in Neo4j: one method per query, of the same name."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from graphmem.model.belief import BeliefRow, Evidence
from graphmem.model.embedding import Vector
from graphmem.model.episode import Episode, Redigest, Status, StoredEpisode, calls
from graphmem.model.fragment import Context
from graphmem.model.group import Group
from graphmem.model.interval import LATEST, MICROSECOND
from graphmem.model.ontology import GroupOntology, Ontology
from graphmem.model.recall import KnownClaim, KnownEntity, PointInTime, VersionPosition
from graphmem.ontology import written
from graphmem.store.driver import Database, Transaction
from graphmem.store.episodes import store_episodes
from graphmem.store.named import NamedQueries
from graphmem.store.parameters import as_vector
from graphmem.store.queries import Query
from graphmem.store.rows import (
    BeliefHit,
    BeliefHits,
    BeliefRecord,
    ContextRow,
    DueRow,
    EntityRow,
    EpisodeHit,
    EpisodeHits,
    EpisodeRow,
    EvidenceRow,
    GroupRow,
    GroupSizeRow,
    HorizonRow,
    KnownClaimRow,
    OntologyRow,
    RememberedRow,
    StatusCountRow,
    StatusRow,
)
from graphmem.store.statements import Statements

EVIDENCE_LIMIT = 10
"""Claims shown with each belief of an answer, first said first."""

BeliefScore = tuple[BeliefRow, float]
EpisodeScore = tuple[StoredEpisode, float]


class GraphStore:
    """Reads, and the writes that are one query. Changes of evidence are in ``graphmem.store.evidence``."""

    def __init__(self, database: Database, queries: Mapping[str, Query]) -> None:
        self.database = database
        self._queries = queries
        self._run = NamedQueries(database, queries)

    # groups ---------------------------------------------------------------------------------------------------------

    async def ensure_group(
        self, group: str, embedding_model: str, dimensions: int, now: datetime, *, importing: bool = False
    ) -> Group:
        row = await self._run.one(
            "ensure_group",
            GroupRow,
            group=group,
            embedding_model=embedding_model,
            dimensions=dimensions,
            importing=importing,
            now=now,
        )
        return row.to_domain()

    async def end_import(self, group: str) -> Group | None:
        row = await self._run.optional("end_import", GroupRow, group=group)
        return row.to_domain() if row else None

    async def group(self, group: str) -> Group | None:
        row = await self._run.optional("group", GroupRow, group=group)
        return row.to_domain() if row else None

    async def horizon(self, group: str) -> datetime | None:
        """The latest known_at whose answers no open or later transaction changes; None without the group."""
        row = await self._run.optional("horizon", HorizonRow, group=group)
        return row.to_domain(self.database.transaction_timeout) if row else None

    async def groups(self, after: str, limit: int) -> list[Group]:
        return [row.to_domain() for row in await self._run.many("groups", GroupRow, after=after, limit=limit)]

    async def work_of_group(self, group: str) -> dict[Status, int]:
        rows = await self._run.many("work_of_group", StatusCountRow, group=group)
        return {row.status: row.episodes for row in rows}

    async def size_of_group(self, group: str) -> GroupSizeRow:
        return await self._run.one("size_of_group", GroupSizeRow, group=group)

    async def ontology_of_group(self, group: str) -> GroupOntology | None:
        """The group's own, if it has one."""
        row = await self._run.optional("ontology_of_group", OntologyRow, group=group)
        return row.to_domain() if row else None

    async def set_ontology(self, group: str, ontology: Ontology | None, now: datetime) -> GroupOntology | None:
        """Give a group its own, or (None) let it follow the service's; the same again is no change."""
        words, types = (json.dumps(written(ontology)), list(ontology.entity_types)) if ontology else (None, [])
        row = await self._run.optional("set_ontology", OntologyRow, group=group, ontology=words, types=types, now=now)
        return row.to_domain() if row else None

    # episodes -------------------------------------------------------------------------------------------------------

    async def remember_episodes(
        self, group: str, request: str, episodes: Sequence[Episode], *, turns_per_call: int = 1, context_turns: int = 0
    ) -> list[RememberedRow]:
        """Store all of them, or none; so many turns of a session in a row are to be read together.

        Up to ``context_turns`` turns that were said after one that comes only now are to be read again.

        Raises:
            Conflict: one has the identity of a stored episode and says something else.
        """

        async def work(transaction: Transaction) -> list[RememberedRow]:
            query = self._queries["remember_episodes"]
            together = calls(request, episodes, turns_per_call)
            rows = await store_episodes(transaction, query, group, request, episodes, calls=together)
            late = [row.id for row in rows if row.new and row.late]
            if context_turns:
                await Statements(transaction, self._queries, group).outdate_readings(late, request, context_turns)
            return rows

        return await self.database.write(work)

    async def lease_episode(self, group: str, episode_id: str, lease: str, seconds: float) -> StoredEpisode | None:
        row = await self._run.optional(
            "lease_episode", EpisodeRow, group=group, id=episode_id, lease=lease, seconds=seconds
        )
        return row.to_domain() if row else None

    async def lease_turns(
        self, group: str, episode_id: str, lease: str, seconds: float, *, more: int
    ) -> list[StoredEpisode]:
        """The episode and the turns to be read with it, in their order; nothing where it is not to be had."""
        rows = await self._run.many(
            "lease_turns", EpisodeRow, group=group, id=episode_id, lease=lease, seconds=seconds, more=more
        )
        return [row.to_domain() for row in rows]

    async def renew_lease(self, group: str, episode_id: str, lease: str, seconds: float) -> None:
        await self._run.execute("renew_lease", group=group, id=episode_id, lease=lease, seconds=seconds)

    async def return_lease(self, group: str, episode_id: str, lease: str, seconds: float) -> None:
        await self._run.execute("return_lease", group=group, id=episode_id, lease=lease, seconds=seconds)

    async def fail_attempt(
        self, group: str, episode_id: str, lease: str, *, error: str, max_attempts: int, seconds: float
    ) -> StatusRow | None:
        return await self._run.optional(
            "fail_attempt",
            StatusRow,
            group=group,
            id=episode_id,
            lease=lease,
            error=error,
            max_attempts=max_attempts,
            seconds=seconds,
        )

    async def retry_episode(self, group: str, episode_id: str) -> StatusRow | None:
        return await self._run.optional("retry_episode", StatusRow, group=group, id=episode_id)

    async def redigest_episode(self, group: str, episode_id: str, redigest: Redigest) -> StatusRow | None:
        wanted = json.dumps(asdict(redigest))
        return await self._run.optional("redigest_episode", StatusRow, group=group, id=episode_id, redigest=wanted)

    async def redigest_sparse(self, version: str, redigest: Redigest, limit: int) -> list[DueRow]:
        wanted = json.dumps(asdict(redigest))
        return await self._run.many("redigest_sparse", DueRow, version=version, redigest=wanted, limit=limit)

    async def due_episodes(self, limit: int) -> list[DueRow]:
        return await self._run.many("due_episodes", DueRow, limit=limit)

    async def episode(self, group: str, episode_id: str) -> StoredEpisode | None:
        row = await self._run.optional("episode", EpisodeRow, group=group, id=episode_id)
        return row.to_domain() if row else None

    async def episodes(
        self,
        group: str,
        when: PointInTime,
        *,
        session: str | None,
        status: Status | None,
        after: tuple[datetime, str],
        limit: int,
    ) -> list[StoredEpisode]:
        rows = await self._run.many(
            "episodes",
            EpisodeRow,
            group=group,
            session=session,
            status=status,
            after_time=after[0],
            after_id=after[1],
            limit=limit,
            **_at(when),
        )
        return [row.to_domain() for row in rows]

    async def context_of_episode(self, group: str, episode_id: str, limit: int) -> Context | None:
        """The turns of its session before an episode, the names in them, latest first, and the group's ontology.

        None where there is no such episode, or not yet on the server that was asked.
        """
        row = await self._run.optional("context_of_episode", ContextRow, group=group, id=episode_id, limit=limit)
        return row.to_domain() if row else None

    async def episodes_by_id(self, group: str, ids: Iterable[str]) -> list[StoredEpisode]:
        rows = await self._run.many("episodes_by_id", EpisodeRow, group=group, ids=sorted(set(ids)))
        return [row.to_domain() for row in rows]

    # entities -------------------------------------------------------------------------------------------------------

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

    # beliefs --------------------------------------------------------------------------------------------------------

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
            **_at(when),
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
                **_at(when),
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

    # search ---------------------------------------------------------------------------------------------------------

    async def relationships_by_vector(
        self, group: str, when: PointInTime, vector: Vector, limit: int
    ) -> list[BeliefScore]:
        rows = await self._run.many(
            "relationships_by_vector", BeliefHit, group=group, vector=as_vector(vector), limit=limit, **_at(when)
        )
        return [(row.to_domain(when.known_at), row.score) for row in rows]

    async def facts_by_vector(self, group: str, when: PointInTime, vector: Vector, limit: int) -> list[BeliefScore]:
        rows = await self._run.many(
            "facts_by_vector", BeliefHit, group=group, vector=as_vector(vector), limit=limit, **_at(when)
        )
        return [(row.to_domain(when.known_at), row.score) for row in rows]

    async def episodes_by_vector(self, group: str, when: PointInTime, vector: Vector, limit: int) -> list[EpisodeScore]:
        rows = await self._run.many(
            "episodes_by_vector", EpisodeHit, group=group, vector=as_vector(vector), limit=limit, **_at(when)
        )
        return [(row.to_domain(), row.score) for row in rows]

    async def relationships_by_text(
        self, group: str, when: PointInTime, lucene: str, limit: int
    ) -> tuple[int, list[BeliefScore]]:
        """The number of hits looked at, and those of them that held then."""
        row = await self._run.one(
            "relationships_by_text", BeliefHits, group=group, lucene=lucene, limit=limit, **_at(when)
        )
        return row.raw, [(hit.to_domain(when.known_at), hit.score) for hit in row.hits]

    async def facts_by_text(
        self, group: str, when: PointInTime, lucene: str, limit: int
    ) -> tuple[int, list[BeliefScore]]:
        """The number of hits looked at, and those of them that held then."""
        row = await self._run.one("facts_by_text", BeliefHits, group=group, lucene=lucene, limit=limit, **_at(when))
        return row.raw, [(hit.to_domain(when.known_at), hit.score) for hit in row.hits]

    async def episodes_by_text(
        self, group: str, when: PointInTime, lucene: str, limit: int
    ) -> tuple[int, list[EpisodeScore]]:
        """The number of hits looked at, and those of them that had happened then."""
        row = await self._run.one("episodes_by_text", EpisodeHits, group=group, lucene=lucene, limit=limit, **_at(when))
        return row.raw, [(hit.to_domain(), hit.score) for hit in row.hits]


def _at(when: PointInTime) -> dict[str, datetime]:
    """The four comparisons' two parameters; no caller builds them elsewhere."""
    return {"valid_at": when.valid_at, "known_at": when.known_at}


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
    }
