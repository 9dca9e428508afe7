"""Summaries of entities: made without a language model, one entity at a time, and read."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

import structlog

from graphmem.derived.summarise.entities import EntityText, composed, is_due
from graphmem.errors import Unreadable
from graphmem.model.belief import BeliefRow
from graphmem.model.damage import PUT_OFF_SECONDS
from graphmem.model.embedding import Embedder, TokenCounter, Vector
from graphmem.model.entity_summary import (
    PACKAGED_ENTITY_SUMMARIES,
    EntitySummaryPolicy,
    EntityToSummarise,
    HeldOfEntity,
    StoredEntitySummary,
    entity_summary_id,
)
from graphmem.model.ids import digest
from graphmem.model.interval import END, LATEST
from graphmem.model.scope import EVERYBODY, Scope
from graphmem.model.summary import QuotedSpan
from graphmem.recall.vectors import LateVectors
from graphmem.store.graph import GraphStore

MOST_READ = 40
"""Of what a summary is made from, so many beliefs are read whole, the first: no more of them fit."""

MOST_PASSED_OVER = 100
"""Of so many entities that wait, those of which too little is believed are passed over at once."""

_PUT_OFF = "put_off"

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class _Outcome(StrEnum):
    """What comes of a look at an entity for one user."""

    WRITTEN = "entity_summaries"
    SAME = "kept"
    CHANGED = "begun_anew"


class EntitySummaries:
    """Makes the summaries of entities that are due."""

    def __init__(
        self,
        store: GraphStore,
        embedder: Embedder,
        late_vectors: LateVectors,
        tokens: TokenCounter,
        policy: EntitySummaryPolicy = PACKAGED_ENTITY_SUMMARIES,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._late_vectors = late_vectors
        self._tokens = tokens
        self._policy = policy

    async def next_group(self, after: str) -> str | None:
        """The next group, in order of id, in which an entity is to be looked at."""
        return await self._store.next_group_to_summarise_entities(after)

    async def summarise_one(self, group: str) -> Mapping[str, int] | None:
        """Make the next summary again that is stale, or look at the next entities; what came of it, in counts.

        None where nothing is due. An entity is put off of which a summary cannot be read. Each summary is written whole
        or not at all, and an entity waits until all of its summaries are: done again, the same comes of it.

        Raises:
            ModelUnavailable: the embedding model is away, or is not the group's.
        """
        stale = await self._store.next_stale_entity_summary(group)
        if stale is not None:
            return await self._look(group, stale.entity_id, stale.user)
        least = self._policy.least
        if little_known := await self._store.entities_to_pass_over(group, least, MOST_PASSED_OVER):
            await self._store.mark_ends_of_changes(group, little_known, least)
            await self._store.end_looks_at_entities(group, little_known)
            return {"entities": len(little_known)}
        entity = await self._store.next_entity_to_summarise(group)
        return None if entity is None else await self._look_at(group, entity)

    async def _look_at(self, group: str, entity: EntityToSummarise) -> Mapping[str, int]:
        await self._store.mark_ends_of_changes(group, [entity], self._policy.least)
        done = Counter[str]()
        for user in entity.users:
            try:
                done.update(await self._look(group, entity.id, user))
            except Unreadable as error:
                log.warning("entity_summary.put_off", entity=entity.id, reason=str(error))
                done[_PUT_OFF] += 1
        if done[_PUT_OFF]:
            await self._store.put_off_entity(group, entity, PUT_OFF_SECONDS)
        elif not done[_Outcome.CHANGED]:
            await self._store.end_looks_at_entities(group, [entity])
            done["entities"] += 1
        return dict(done)

    async def _look(self, group: str, entity_id: str, user: str) -> Mapping[str, int]:
        """Make the summary of an entity for a user, if it is due."""
        before = await self._store.standing_entity_summary(group, entity_summary_id(entity_id, user))
        held = await self._held(group, entity_id, user)
        beliefs = tuple(sorted({one.belief_id for one in held.beliefs}))
        if not is_due(before, beliefs, self._policy):
            if before is None or before.stale_at is None:
                return {}
            return {str(await self._keep(before, None, {})): 1}
        text = await self._text(group, user, held)
        as_of = held.as_of if before is None else held.as_of or before.as_of
        if as_of is None or (before is None and not text.content):
            return {}
        vector = await self._vector(group, text.content)
        stamps = await self._store.stamps_of_subjects(group, text.claims) if text.claims else {}
        if await self._text(group, user, held) != text:  # whoever writes from here on changes a stamp
            return {str(_Outcome.CHANGED): 1}
        if before is not None and (before.sentences, before.beliefs) == (text.sentences, beliefs):
            return {str(await self._keep(before, vector, stamps)): 1}
        summary = _version(group, entity_id, user, before, text)
        written = await self._store.write_entity_summary(
            replace(summary, beliefs=beliefs, as_of=as_of),
            vector,
            before=before.id if before else None,
            stamps=stamps,
        )
        return {str(_Outcome.CHANGED): 1} if written is None else {str(_Outcome.WRITTEN): 1, "tokens": text.tokens}

    async def _held(self, group: str, entity_id: str, user: str) -> HeldOfEntity:
        """What a summary is made from: of a user who believes nothing alone, that of everybody says it."""
        held = await self._store.held_of_entity(group, entity_id, user, self._policy.most)
        return held if user == EVERYBODY or held.own else replace(held, beliefs=())

    async def _text(self, group: str, user: str, held: HeldOfEntity) -> EntityText:
        scope = replace(Scope(group, LATEST, user=user), history=True)
        beliefs = await self._read(scope, [one.id for one in held.beliefs[:MOST_READ]])
        episodes = {one.episode_id for belief in beliefs for one in belief.evidence}
        withdrawn = await self._store.withdrawn_spans(scope, episodes) if episodes else set[QuotedSpan]()
        return await asyncio.to_thread(composed, beliefs, withdrawn, self._policy.tokens, self._tokens.count)

    async def _read(self, scope: Scope, rows: Sequence[str]) -> list[BeliefRow]:
        """Beliefs with their evidence, in the order of the ids of their rows."""
        found = {one.id: one for one in (await self._store.beliefs_by_id(scope, rows)).beliefs} if rows else {}
        return [found[id_] for id_ in rows if id_ in found]

    async def _keep(self, before: StoredEntitySummary, vector: Vector | None, stamps: Mapping[str, str]) -> _Outcome:
        kept = await self._store.keep_entity_summary(before, vector, stamps=stamps)
        return _Outcome.CHANGED if kept is None else _Outcome.SAME

    async def _vector(self, group: str, content: str) -> Vector | None:
        if not content or await self._late_vectors.vectors_taken(group) is None:
            return None
        return (await self._embedder.embed([content]))[0]


def _version(
    group: str, entity_id: str, user: str, before: StoredEntitySummary | None, text: EntityText
) -> StoredEntitySummary:
    """What is stored, but for what it was made from; when it is recorded, the store says.

    Its id follows from that of the version before: it is one version, however often it is written.
    """
    identity = entity_summary_id(entity_id, user)
    return StoredEntitySummary(
        id=digest("entity summary version", identity, before.id if before else ""),
        summary_id=identity,
        group_id=group,
        entity_id=entity_id,
        user=user,
        content=text.content,
        sentences=text.sentences,
        tokens=text.tokens,
        beliefs=(),
        as_of=END,
        stale_at=None,
        recorded_at=END,
        superseded_at=END,
    )
