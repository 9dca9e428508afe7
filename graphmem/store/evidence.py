"""The one way to change the graph: change evidence, project the slots it touches, write the difference.

One transaction: lock the episode and the entities (sorted by id), read the clock after the locks, read the standing
claims of the touched slots, ``project`` them, supersede and record what differs (design §5). Equal rows stay.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import perf_counter
from typing import Any
from uuid import uuid4

from graphmem.errors import LeaseLost, NotFound
from graphmem.model.belief import Belief, Slot
from graphmem.model.claim import Claim
from graphmem.model.embedding import Vector
from graphmem.model.entity import Entity
from graphmem.model.episode import Status
from graphmem.model.evidence import Change, Outcome
from graphmem.model.ids import digest, group_token
from graphmem.model.predicate import Cardinality, Predicates
from graphmem.model.timeline import project
from graphmem.store.driver import Database, Transaction
from graphmem.store.graph import episode_row, refuse_other_content
from graphmem.store.queries import Query
from graphmem.store.rows import (
    ClaimRow,
    ClockRow,
    HeldRow,
    LeaseRow,
    LockedRow,
    RememberedRow,
    WrittenRow,
)

MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class _Difference:
    """What a projection changes: rows to supersede, by id, and beliefs to record."""

    relationships: tuple[str, ...]
    facts: tuple[str, ...]
    record: tuple[Belief, ...]


class EvidenceStore:
    """Writes changes of evidence; beliefs follow in the same transaction."""

    def __init__(self, database: Database, queries: Mapping[str, Query], predicates: Predicates) -> None:
        self._database = database
        self._queries = queries
        self._predicates = predicates

    async def change_evidence(self, change: Change) -> Outcome:
        """Write a change; running it again, whole or after a crash, does nothing more.

        Raises:
            NotFound: the episode is gone.
            LeaseLost: another worker took the episode over.
            Conflict: an episode of the same identity says something else.
        """

        async def work(transaction: Transaction) -> Outcome:
            return await _ChangeWriter(transaction, self._queries, self._predicates, change).write()

        return await self._database.write(work)


class _ChangeWriter:
    """One change in one transaction; one method per query of ``cypher/queries/digest.cypher``."""

    def __init__(
        self, transaction: Transaction, queries: Mapping[str, Query], predicates: Predicates, change: Change
    ) -> None:
        self._transaction = transaction
        self._queries = queries
        self._predicates = predicates
        self._change = change
        self._group = change.group_id
        self._began = perf_counter()

    async def write(self) -> Outcome:
        if self._change.lease is not None and await self._done_before():
            return Outcome(done_before=True)
        new_episodes = await self.remember_episodes()
        locked = await self.lock_entities()
        now = await self._now(locked)
        names = _new_names(self._change.evidence.entities, locked)
        await self.name_entities(names, now)
        difference = await self._difference()
        new_claims = await self.write_claims(now)
        await self.write_mentions(now)
        await self._write_difference(difference, now)
        await self.stamp_entities(now)
        outcome = Outcome(
            entities=len(locked),
            new_entities=sum(row.versions == 0 for row in locked),
            mentions=len(self._change.evidence.mentions),
            claims=len(self._change.evidence.claims),
            new_claims=new_claims,
            recorded=len(difference.record),
            superseded=len(difference.relationships) + len(difference.facts),
            new_episodes=new_episodes,
        )
        await self.finish_digests(outcome, now)
        return outcome

    async def _done_before(self) -> bool:
        episode_id = self._change.digested[0].episode_id
        row = await self.lock_episode(episode_id)
        if row is None:
            raise NotFound(f"Episode {episode_id} is gone.")
        if row.status is Status.PENDING and row.lease != self._change.lease:
            raise LeaseLost(f"Another worker has taken episode {episode_id} over.")
        return row.status is Status.DIGESTED

    async def _now(self, locked: Sequence[LockedRow]) -> datetime:
        """The stamp of this change: the clock after the locks, or just after the newest stamp in its slots."""
        newest = max((row.newest_stamp for row in locked), default=None)
        now = await self.clock()
        return now if newest is None else max(now, newest + MICROSECOND)

    async def _difference(self) -> _Difference:
        slots = {slot: None for claim in self._change.evidence.claims if (slot := self._slot(claim)) is not None}
        standing = await self.claims_of_slots(slots)
        by_slot: dict[Slot, list[Claim]] = {slot: [] for slot in slots}
        for claim in (*standing, *self._change.evidence.claims):
            if (slot := self._slot(claim)) in by_slot:
                by_slot[slot].append(claim)
        projected = [
            belief
            for slot, claims in by_slot.items()
            for belief in project(claims, self._predicates.policy(slot.predicate))
        ]
        return _compare(projected, await self.relationships_of_slots(slots), await self.facts_of_slots(slots))

    def _slot(self, claim: Claim) -> Slot | None:
        """None for an ``ends`` without an object in a slot that holds many: it ends nothing."""
        many = self._predicates.policy(claim.predicate).cardinality is Cardinality.MANY
        return None if many and not claim.target else self._predicates.slot(claim)

    async def _write_difference(self, difference: _Difference, now: datetime) -> None:
        await self.supersede_relationships(difference.relationships, now)
        await self.supersede_facts(difference.facts, now)
        await self.record_relationships([b for b in difference.record if b.first.object_id is not None], now)
        await self.record_facts([b for b in difference.record if b.first.object_id is None], now)

    # one method per query -------------------------------------------------------------------------------------------

    async def remember_episodes(self) -> frozenset[str]:
        if not self._change.episodes:
            return frozenset()
        rows = await self._transaction.run(
            self._queries["remember_episodes"],
            RememberedRow,
            group=self._group,
            group_token=group_token(self._group),
            request=uuid4().hex,
            rows=[episode_row(episode) for episode in self._change.episodes],
        )
        refuse_other_content(rows, {episode.id: episode.fingerprint for episode in self._change.episodes})
        return frozenset(row.id for row in rows if row.new)

    async def lock_episode(self, episode_id: str) -> LeaseRow | None:
        query = self._queries["lock_episode"]
        return await self._transaction.optional(query, LeaseRow, group=self._group, id=episode_id)

    async def lock_entities(self) -> list[LockedRow]:
        entities = sorted(self._change.evidence.entities, key=lambda entity: entity.id)
        if not entities:
            return []
        return await self._transaction.run(
            self._queries["lock_entities"],
            LockedRow,
            group=self._group,
            rows=[
                {
                    "id": entity.id,
                    "type": entity.type,
                    "key": entity.key,
                    "name": entity.name,
                    "first_seen": entity.first_seen,
                    "labels": [entity.label] if entity.label else [],
                }
                for entity in entities
            ],
        )

    async def clock(self) -> datetime:
        return (await self._transaction.one(self._queries["clock"], ClockRow)).now

    async def name_entities(self, entities: Iterable[Entity], now: datetime) -> None:
        rows = [{"id": entity.id, "name": entity.name, "first_seen": entity.first_seen} for entity in entities]
        await self._execute("name_entities", rows, rows=rows, now=now)

    async def claims_of_slots(self, slots: Iterable[Slot]) -> list[Claim]:
        rows = _slot_rows(slots)
        if not rows:
            return []
        query = self._queries["claims_of_slots"]
        found = await self._transaction.run(query, ClaimRow, group=self._group, slots=rows)
        return [row.to_domain() for row in found]

    async def relationships_of_slots(self, slots: Iterable[Slot]) -> list[HeldRow]:
        rows = _slot_rows(slots)
        query = self._queries["relationships_of_slots"]
        return await self._transaction.run(query, HeldRow, group=self._group, slots=rows) if rows else []

    async def facts_of_slots(self, slots: Iterable[Slot]) -> list[HeldRow]:
        rows = _slot_rows(slots)
        query = self._queries["facts_of_slots"]
        return await self._transaction.run(query, HeldRow, group=self._group, slots=rows) if rows else []

    async def write_claims(self, now: datetime) -> int:
        claims = self._change.evidence.claims
        if not claims:
            return 0
        rows = await self._transaction.run(
            self._queries["write_claims"],
            WrittenRow,
            group=self._group,
            rows=[_claim_row(claim, self._change.vectors.get(claim.id)) for claim in claims],
            now=now,
        )
        return sum(row.new for row in rows)

    async def write_mentions(self, now: datetime) -> None:
        rows = [
            {
                "episode_id": mention.episode_id,
                "entity_id": mention.entity_id,
                "start": mention.start,
                "end": mention.end,
                "text": mention.text,
            }
            for mention in self._change.evidence.mentions
        ]
        await self._execute("write_mentions", rows, rows=rows, now=now)

    async def supersede_relationships(self, ids: Sequence[str], now: datetime) -> None:
        await self._execute("supersede_relationships", ids, ids=list(ids), now=now)

    async def supersede_facts(self, ids: Sequence[str], now: datetime) -> None:
        await self._execute("supersede_facts", ids, ids=list(ids), now=now)

    async def record_relationships(self, beliefs: Sequence[Belief], now: datetime) -> None:
        rows = [_belief_row(belief, now) for belief in beliefs]
        token = group_token(self._group)
        await self._execute("record_relationships", rows, group_token=token, rows=rows, now=now)

    async def record_facts(self, beliefs: Sequence[Belief], now: datetime) -> None:
        rows = [_belief_row(belief, now) for belief in beliefs]
        token = group_token(self._group)
        await self._execute("record_facts", rows, group_token=token, rows=rows, now=now)

    async def stamp_entities(self, now: datetime) -> None:
        ids = sorted(entity.id for entity in self._change.evidence.entities)
        await self._execute("stamp_entities", ids, ids=ids, now=now)

    async def finish_digests(self, outcome: Outcome, now: datetime) -> None:
        brought = {episode.id for episode in self._change.episodes}
        rows = [
            {"id": digested.episode_id, "outcome": self._outcome_json(outcome), "embedding": digested.embedding}
            for digested in self._change.digested
            if digested.episode_id not in brought - outcome.new_episodes
        ]
        model = self._change.embedding_model
        await self._execute("finish_digests", rows, rows=rows, embedding_model=model, now=now)

    def _outcome_json(self, outcome: Outcome) -> str:
        """What stands on the episode afterwards. The transaction's milliseconds are without its commit."""
        return json.dumps(
            {
                "entities": outcome.entities,
                "new_entities": outcome.new_entities,
                "mentions": outcome.mentions,
                "claims": outcome.claims,
                "recorded": outcome.recorded,
                "superseded": outcome.superseded,
                "milliseconds": {
                    **self._change.milliseconds,
                    "transaction": round(1000 * (perf_counter() - self._began), 1),
                },
            }
        )

    async def _execute(self, name: str, unless_empty: Sequence[object], /, **params: object) -> None:
        if unless_empty:
            await self._transaction.execute(self._queries[name], group=self._group, **params)


def _compare(projected: Sequence[Belief], relationships: Sequence[HeldRow], facts: Sequence[HeldRow]) -> _Difference:
    wanted = {belief.fingerprint for belief in projected}
    held = {row.fingerprint for row in (*relationships, *facts)}
    return _Difference(
        relationships=tuple(row.id for row in relationships if row.fingerprint not in wanted),
        facts=tuple(row.id for row in facts if row.fingerprint not in wanted),
        record=tuple(belief for belief in projected if belief.fingerprint not in held),
    )


def _new_names(entities: Iterable[Entity], locked: Iterable[LockedRow]) -> list[Entity]:
    """Entities whose name is to be recorded: new ones, and those first seen earlier than under their present name."""
    known = {row.id: row for row in locked}
    return [
        entity
        for entity in entities
        if known[entity.id].versions == 0
        or (entity.first_seen, entity.name) < (known[entity.id].first_seen, known[entity.id].name)
    ]


def _slot_rows(slots: Iterable[Slot]) -> list[dict[str, str]]:
    return [
        {"owner": slot.owner, "subject_id": slot.subject_id, "predicate": slot.predicate, "target": slot.target or ""}
        for slot in slots
    ]


def _claim_row(claim: Claim, embedding: Vector | None) -> dict[str, Any]:
    return {
        "id": claim.id,
        "episode_id": claim.episode_id,
        "subject_id": claim.subject_id,
        "object_id": claim.object_id,
        "embedding": embedding,
        "properties": {
            "episode_id": claim.episode_id,
            "kind": claim.kind,
            "subject_id": claim.subject_id,
            "predicate": claim.predicate,
            "object_id": claim.object_id,
            "value": claim.value,
            "target": claim.target,
            "statement": claim.statement,
            "quote": claim.quote,
            "quote_start": claim.quote_start,
            "quote_end": claim.quote_end,
            "valid_from": claim.valid_from,
            "valid_to": claim.valid_to,
            "from_stated": claim.from_stated,
            "to_stated": claim.to_stated,
            "said_at": claim.said_at,
            "confidence": claim.confidence,
            "importance": claim.importance,
            "owner": claim.owner,
            "attributes": json.dumps(claim.attributes, sort_keys=True),
            "extractor": claim.extractor,
            "extractor_version": claim.extractor_version,
        },
    }


def _belief_row(belief: Belief, now: datetime) -> dict[str, Any]:
    claim = belief.first
    return {
        "claim_id": claim.id,
        "subject_id": claim.subject_id,
        "object_id": claim.object_id,
        "properties": {
            "id": digest(belief.id, now),
            "belief_id": belief.id,
            "fingerprint": belief.fingerprint,
            "subject_id": claim.subject_id,
            "predicate": claim.predicate,
            "object_id": claim.object_id,
            "value": claim.value,
            "target": claim.target,
            "owner": claim.owner,
            "statement": claim.statement,
            "attributes": json.dumps(claim.attributes, sort_keys=True),
            "confidence": belief.confidence,
            "importance": belief.importance,
            "contested": belief.contested,
            "from_stated": belief.from_stated,
            "to_stated": belief.to_stated,
            "valid_from": belief.interval.start,
            "valid_to": belief.interval.end,
        },
    }
