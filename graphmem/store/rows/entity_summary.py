"""Summaries of entities, and what they are made from."""

import json
from collections.abc import Iterable

from pydantic import Json

from graphmem.model.entity_summary import (
    EntitySentence,
    EntityToSummarise,
    HeldBelief,
    HeldOfEntity,
    StoredEntitySummary,
)
from graphmem.store.instants import Instant
from graphmem.store.rows import Row


class _Sentence(Row):
    text: str
    belief_id: str
    claims: tuple[str, ...]


class EntitySummaryRecord(Row):
    id: str
    summary_id: str
    group_id: str
    entity_id: str
    user: str
    content: str
    sentences: Json[tuple[_Sentence, ...]]
    tokens: int
    beliefs: tuple[str, ...]
    model: str
    as_of: Instant
    stale_at: Instant | None
    was_stale: tuple[Instant, ...]
    recorded_at: Instant
    superseded_at: Instant

    def to_domain(self) -> StoredEntitySummary:
        found = self.model_dump(exclude={"sentences"})
        return StoredEntitySummary(**found, sentences=tuple(map(_sentence, self.sentences)))


class EntitySummaryRow(Row):
    summary: EntitySummaryRecord


class WrittenEntitySummaryRow(Row):
    recorded_at: Instant


class PassedOverRow(Row):
    id: str
    due: str
    since: str | None

    def to_domain(self) -> EntityToSummarise:
        return EntityToSummarise(id=self.id, due=self.due, since=self.since)


class EntityToSummariseRow(Row):
    id: str
    due: str
    since: str | None
    users: tuple[str, ...]

    def to_domain(self) -> EntityToSummarise:
        return EntityToSummarise(id=self.id, due=self.due, since=self.since, users=sorted(self.users))


class HeldBeliefRow(Row):
    id: str
    belief_id: str


class HeldOfEntityRow(Row):
    as_of: Instant | None
    own: int
    beliefs: tuple[HeldBeliefRow, ...]

    def to_domain(self) -> HeldOfEntity:
        beliefs = [HeldBelief(id=one.id, belief_id=one.belief_id) for one in self.beliefs]
        return HeldOfEntity(as_of=self.as_of, own=self.own, beliefs=beliefs)


class SubjectStampRow(Row):
    id: str
    stamp: str


def sentences_json(sentences: Iterable[EntitySentence]) -> str:
    """The sentences of a summary, as it is stored."""
    written = [{"text": one.text, "belief_id": one.belief_id, "claims": list(one.claims)} for one in sentences]
    return json.dumps(written)


def _sentence(read: _Sentence) -> EntitySentence:
    return EntitySentence(**read.model_dump())
