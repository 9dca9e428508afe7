"""Summaries of entities: made without a language model, one entity at a time, and read."""

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import structlog

from graphmem.derived.summarise.offline import Count
from graphmem.errors import Unreadable
from graphmem.model.belief import BeliefRow, when_of
from graphmem.model.damage import PUT_OFF_SECONDS
from graphmem.model.embedding import TokenCounter, Vector
from graphmem.model.entity_summary import (
    PACKAGED_ENTITY_SUMMARIES,
    EntitySentence,
    EntitySummaryPolicy,
    EntityToSummarise,
    HeldOfEntity,
    StoredEntitySummary,
    entity_summary_id,
    paragraph,
)
from graphmem.model.ids import digest
from graphmem.model.interval import END, LATEST
from graphmem.model.scope import EVERYBODY, Scope
from graphmem.model.summary import QuotedSpan, any_overlap
from graphmem.recall.vectors import LateVectors
from graphmem.store.graph import GraphStore

MOST_READ = 40
"""Of what a summary is made from, so many beliefs are read whole, the first: no more of them fit."""

MOST_PASSED_OVER = 100
"""Of so many entities that wait, those of which too little is believed are passed over at once."""

CHANGED = 3
"""A summary is made again when one in so many of its beliefs changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityText:
    """What a summary of an entity says; ``content`` is "" where there is nothing to say."""

    content: str
    sentences: tuple[EntitySentence, ...]
    tokens: int

    @property
    def claims(self) -> set[str]:
        """The ids of all claims that it cites."""
        return {claim for sentence in self.sentences for claim in sentence.claims}


NOTHING_TO_SAY = EntityText(content="", sentences=(), tokens=0)
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
        late_vectors: LateVectors,
        tokens: TokenCounter,
        policy: EntitySummaryPolicy = PACKAGED_ENTITY_SUMMARIES,
    ) -> None:
        self._store = store
        self._late_vectors = late_vectors
        self._tokens = tokens
        self._policy = policy

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
        identity = entity_summary_id(entity_id, user)
        before = await self._store.standing_entity_summary(group, identity)
        held = await self._held(group, entity_id, user)
        beliefs = tuple(sorted({belief.belief_id for belief in held.beliefs}))
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
        former = before and before.id
        summary = StoredEntitySummary(
            # It follows from the version before: it is one version, however often it is written.
            id=digest("entity summary version", identity, former or ""),
            summary_id=identity,
            group_id=group,
            entity_id=entity_id,
            user=user,
            content=text.content,
            sentences=text.sentences,
            tokens=text.tokens,
            beliefs=beliefs,
            as_of=as_of,
            stale_at=None,
            recorded_at=END,  # the store says when
            superseded_at=END,
        )
        written = await self._store.write_entity_summary(summary, vector, before=former, stamps=stamps)
        return {str(_Outcome.CHANGED): 1} if written is None else {str(_Outcome.WRITTEN): 1, "tokens": text.tokens}

    async def _held(self, group: str, entity_id: str, user: str) -> HeldOfEntity:
        """What a summary is made from: of a user who believes nothing alone, that of everybody says it."""
        held = await self._store.held_of_entity(group, entity_id, user, self._policy.most)
        return held if user == EVERYBODY or held.own else replace(held, beliefs=())

    async def _text(self, group: str, user: str, held: HeldOfEntity) -> EntityText:
        scope = replace(Scope(group, LATEST, user=user), history=True)
        beliefs = await self._read(scope, [belief.id for belief in held.beliefs[:MOST_READ]])
        episodes = {support.episode_id for belief in beliefs for support in belief.evidence}
        withdrawn = await self._store.withdrawn_spans(scope, episodes) if episodes else set[QuotedSpan]()
        return await asyncio.to_thread(composed, beliefs, withdrawn, self._policy.tokens, self._tokens.count)

    async def _read(self, scope: Scope, rows: Sequence[str]) -> list[BeliefRow]:
        """Beliefs with their evidence, in the order of the ids of their rows."""
        by_id = {belief.id: belief for belief in (await self._store.beliefs_by_id(scope, rows)).beliefs} if rows else {}
        return [by_id[id_] for id_ in rows if id_ in by_id]

    async def _keep(self, before: StoredEntitySummary, vector: Vector | None, stamps: Mapping[str, str]) -> _Outcome:
        kept = await self._store.keep_entity_summary(before, vector, stamps=stamps)
        return _Outcome.CHANGED if kept is None else _Outcome.SAME

    async def _vector(self, group: str, content: str) -> Vector | None:
        if not content or await self._late_vectors.vectors_taken(group) is None:
            return None
        return await self._late_vectors.vector(content)


def is_due(before: StoredEntitySummary | None, held: Collection[str], policy: EntitySummaryPolicy) -> bool:
    """Whether a summary is to be made of the beliefs, by id, that are held of an entity now.

    The first one, and one after there was nothing to say, needs ``policy.least``. Then one is made again if it is
    stale, or if those that came and those that went are a third of what it was made from.
    """
    if before is None or not before.content:
        return len(held) >= policy.least
    changed = set(held).symmetric_difference(before.beliefs)
    return before.stale_at is not None or bool(changed and CHANGED * len(changed) >= len(before.beliefs))


def composed(
    beliefs: Sequence[BeliefRow], withdrawn: Collection[QuotedSpan], max_tokens: int, count: Count
) -> EntityText:
    """A paragraph of at most ``max_tokens`` tokens: the statements of beliefs, each once, in the order given.

    What does not fit is left out, and what comes after it may still fit. So is a belief left out that is believed no
    more, that cites nothing, or any evidence of which overlaps ``withdrawn``, for its statement may be in those words.
    """
    text = NOTHING_TO_SAY
    seen = set[str]()
    for belief in beliefs:
        sentence = _sentence(belief)
        if sentence.text in seen or not _stands(belief, withdrawn):
            continue
        longer = (*text.sentences, sentence)
        content = paragraph(longer)
        if (tokens := count(content)) <= max_tokens:
            seen.add(sentence.text)
            text = EntityText(content=content, sentences=longer, tokens=tokens)
    return text


def _stands(belief: BeliefRow, withdrawn: Collection[QuotedSpan]) -> bool:
    spans = [QuotedSpan(support.episode_id, support.quote_start, support.quote_end) for support in belief.evidence]
    return bool(spans) and belief.superseded_at == END and not any_overlap(spans, withdrawn)


def _sentence(belief: BeliefRow) -> EntitySentence:
    """A statement with its days, where it does not tell them, as a sentence that others may follow."""
    words = " ".join(belief.statement.split())
    body, stop = (words[:-1], words[-1]) if words[-1:] in (".", "!", "?") else (words, ".")
    when = when_of(belief)
    return EntitySentence(
        text=f"{body} ({when}){stop}" if when else f"{body}{stop}",
        belief_id=belief.belief_id,
        claims=tuple(sorted({support.claim_id for support in belief.evidence})),
    )
