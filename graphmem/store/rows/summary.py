"""Summaries, and what they are made from."""

import json
from datetime import date
from typing import Annotated, Any

from pydantic import Json, StrictBool

from graphmem.model.interval import BEGIN
from graphmem.model.session import Session
from graphmem.model.summary import (
    CitedBelief,
    Place,
    QuotedSpan,
    StoredSummary,
    SummaryContent,
    SummaryOutline,
    SummarySentence,
    SummaryText,
)
from graphmem.store.instants import Instant, as_text
from graphmem.store.rows import Row, otherwise
from graphmem.store.rows.session import SessionRecord


class _Sentence(Row):
    words: str
    said_on: date
    place: tuple[Instant, int, str]
    spans: tuple[tuple[str, int, int], ...]
    when: str
    row_id: str | None
    belief_id: str | None
    rows: tuple[str, ...]
    beliefs: tuple[str, ...]
    claims: tuple[str, ...]
    importance: float


class SummaryRecord(Row):
    id: str
    summary_id: str
    group_id: str
    session_id: str
    session: str
    user: str
    agent: str | None
    subject: str | None
    tier: int
    content: str
    lines: tuple[str, ...]
    sentences: Json[tuple[_Sentence, ...]]
    tokens: int
    said: int
    first_turn: int
    turns: int
    covers: tuple[str, ...]
    model: str
    prompt: str
    material: str
    asked: StrictBool
    drift: float | None
    first_at: Instant
    first_sequence: int
    first_id: str
    last_at: Instant
    last_sequence: int
    last_id: str
    stale_at: Instant | None
    was_stale: tuple[Instant, ...]
    recorded_at: Instant
    superseded_at: Instant

    def to_domain(self) -> StoredSummary:
        return StoredSummary(
            id=self.id,
            summary_id=self.summary_id,
            group_id=self.group_id,
            session_id=self.session_id,
            session=self.session,
            user=self.user,
            agent=self.agent,
            subject=self.subject,
            tier=self.tier,
            text=SummaryText(
                content=self.content,
                tokens=self.tokens,
                lines=self.lines,
                sentences=tuple(map(_sentence, self.sentences)),
                model=self.model,
                prompt=self.prompt,
            ),
            said=self.said,
            first_turn=self.first_turn,
            turns=self.turns,
            first=Place(self.first_at, self.first_sequence, self.first_id),
            last=Place(self.last_at, self.last_sequence, self.last_id),
            covers=self.covers,
            drift=self.drift,
            stale_at=self.stale_at,
            was_stale=self.was_stale,
            recorded_at=self.recorded_at,
            superseded_at=self.superseded_at,
            material=self.material,
            asked=self.asked,
        )


class AskedSummaryRow(Row):
    summary: SummaryRecord


class WrittenSummaryRow(Row):
    recorded_at: Instant


class OutlineRow(Row):
    """Only the summaries that are shown are read whole, and named where they cannot be."""

    id: str
    summary_id: Annotated[str, otherwise("")]
    tier: Annotated[int, otherwise(1)]
    covers: Annotated[tuple[str, ...], otherwise(())]
    last_at: Annotated[Instant, otherwise(BEGIN)]
    last_sequence: Annotated[int, otherwise(-1)]
    last_id: Annotated[str, otherwise("")]

    def to_domain(self) -> SummaryOutline:
        return SummaryOutline(
            id=self.id,
            summary_id=self.summary_id or self.id,
            tier=self.tier,
            last=Place(self.last_at, self.last_sequence, self.last_id),
            covers=self.covers,
        )


class CoveringRow(Row):
    id: str
    turn: str


class RowIdRow(Row):
    id: str


class CitedBeliefRow(Row):
    id: str
    belief_id: str
    believed: StrictBool
    contradicted_by: tuple[str, ...]

    def to_domain(self) -> CitedBelief:
        return CitedBelief(belief_id=self.belief_id, believed=self.believed, contradicted_by=self.contradicted_by)


class ContentRow(Row):
    id: str
    summary_id: str
    tier: int
    content: str
    vector: tuple[float, ...] | None

    def to_domain(self) -> SummaryContent:
        return SummaryContent(
            id=self.id,
            summary_id=self.summary_id,
            tier=self.tier,
            content=self.content,
            vector=None if self.vector is None else list(self.vector),
        )


class WithdrawnSpanRow(Row):
    episode: str
    start: int
    end: int

    def to_domain(self) -> QuotedSpan:
        return QuotedSpan(self.episode, self.start, self.end)


class CountableTurnRow(Row):
    id: str
    occurred_at: Instant
    sequence: int
    read: StrictBool

    @property
    def place(self) -> Place:
        return Place(self.occurred_at, self.sequence, self.id)


class DueSessionRow(Row):
    session: SessionRecord
    due: Instant
    withdrawn_at: str | None
    attempts: int
    now: Instant

    def to_domain(self) -> Session:
        return self.session.to_domain()


def sentences_json(text: SummaryText) -> str:
    """The sentences of a summary, as it is stored."""
    return json.dumps([_written(sentence) for sentence in text.sentences])


def _written(sentence: SummarySentence) -> dict[str, Any]:
    place = sentence.place
    return {
        "words": sentence.words,
        "said_on": sentence.said_on.isoformat(),
        "place": [as_text(place.occurred_at), place.sequence, place.episode_id],
        "spans": [[span.episode_id, span.start, span.end] for span in sentence.spans],
        "when": sentence.when,
        "row_id": sentence.row_id,
        "belief_id": sentence.belief_id,
        "rows": list(sentence.rows),
        "beliefs": list(sentence.beliefs),
        "claims": list(sentence.claims),
        "importance": sentence.importance,
    }


def _sentence(read: _Sentence) -> SummarySentence:
    return SummarySentence(
        words=read.words,
        said_on=read.said_on,
        place=Place(*read.place),
        spans=tuple(QuotedSpan(*span) for span in read.spans),
        when=read.when,
        row_id=read.row_id,
        belief_id=read.belief_id,
        rows=read.rows,
        beliefs=read.beliefs,
        claims=read.claims,
        importance=read.importance,
    )
