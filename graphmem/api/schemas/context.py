"""What goes into the next prompt: Markdown under a budget of tokens, and the same in parts."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Self

from pydantic import Field, model_validator

from graphmem.answers.context import (
    ContextBelief,
    ContextEpisode,
    ContextLine,
    ContextOut,
    ContextPart,
    ContextReflection,
    ContextSummary,
    LeftOutOut,
)
from graphmem.api.schemas.beliefs import entity_ref
from graphmem.api.schemas.words import Instant, Name, Request, ShortText, stands
from graphmem.model.belief import BeliefRow
from graphmem.model.composed import MOST_TOKENS, Composed, ContextQuery, Line, Part
from graphmem.model.damage import told
from graphmem.model.interval import shown
from graphmem.model.reflection import StoredReflection
from graphmem.model.summary import StoredSummary
from graphmem.reading import Standing
from graphmem.settings import ContextSettings

AtMost = Annotated[int, Field(ge=0, le=100)]
Turns = Annotated[int, Field(ge=0, le=200)]
Share = Annotated[float, Field(ge=0, le=1)]


class ContextIn(Request):
    """A query, a session, or both; without a query, what a user said last in the session is searched for.

    `about` is the id or the name of whom the profile is of; by default of those whom the query names, of whom the
    session is about, and of who speaks in it. Limits that are left out are as the settings say: so many `facts` of a
    profile, from `least_importance` on; so many `beliefs` and `passages` that a search brings, of these from
    `least_score` on ((1 + cosine) / 2); so many `summaries` of the session, the newest; its last turns as its `window`,
    and so many `earlier` ones that no summary covers, if there is room. `exclude_window` leaves the window out, for
    callers that have it in their prompt. `weekly_insight`: whether the newest reflection is in it. `agent`: which of
    the caller's agents it is for, by default that of the session; the settings may say another `window` for it.
    """

    query: ShortText | None = None
    session: Name | None = None
    about: Name | None = None
    max_tokens: Annotated[int, Field(ge=1, le=MOST_TOKENS)] | None = None
    facts: AtMost | None = None
    least_importance: Share | None = None
    beliefs: AtMost | None = None
    passages: AtMost | None = None
    least_score: Share | None = None
    summaries: AtMost | None = None
    window: Turns | None = None
    earlier: Turns | None = None
    exclude_window: bool = False
    weekly_insight: bool | None = None
    valid_at: Instant | None = None
    known_at: Instant | None = None
    user: Name | None = None
    agent: Name | None = None
    open: bool | None = None

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if self.query is None and self.session is None:
            raise ValueError("has neither a query nor a session; give one of them, or both")
        return self

    def to_domain(self, defaults: ContextSettings) -> ContextQuery:
        beside = {"valid_at", "known_at", "user", "agent", "open"}
        given = self.model_dump(exclude=beside, exclude_none=True)
        return ContextQuery(**{**defaults.model_dump(exclude={"tokenizer"}), **given})


def context_out(
    context: Composed,
    asked: ContextQuery,
    tokenizer: str,
    valid_at: datetime,
    known_at: datetime,
    *,
    standing: Standing,
) -> ContextOut:
    return ContextOut(
        valid_at=valid_at,
        known_at=known_at,
        **stands(standing),
        markdown=context.markdown,
        tokens=context.tokens,
        max_tokens=asked.max_tokens,
        tokenizer=tokenizer,
        parts=[_part(part, known_at) for part in context.parts],
        left_out=[LeftOutOut(kind=one.kind, count=one.count, because=one.because) for one in context.left_out],
        warnings=list(dict.fromkeys([*context.warnings, *told()])),
    )


def _part(part: Part, known_at: datetime) -> ContextPart:
    return ContextPart(
        heading=part.heading,
        entity=entity_ref(part.entity) if part.entity else None,
        lines=[_line(line, known_at) for line in part.lines],
    )


def _line(line: Line, known_at: datetime) -> ContextLine:
    thing = line.thing
    if isinstance(thing, BeliefRow):
        return ContextLine(
            kind=line.kind,
            id=thing.id,
            text=thing.statement,
            markdown=line.written,
            user=thing.user or None,
            episode_ids=sorted({evidence.episode_id for evidence in thing.evidence}),
            belief=_belief(thing, line.carried_out),
            episode=None,
            summary=None,
            reflection=None,
        )
    if isinstance(thing, StoredReflection):
        return _reflection_line(line, thing, known_at)
    if isinstance(thing, StoredSummary):
        return ContextLine(
            kind=line.kind,
            id=thing.id,
            text=line.text or "",
            markdown=line.written,
            user=thing.user or None,
            episode_ids=sorted({span.episode_id for one in thing.text.sentences for span in one.spans}),
            belief=None,
            episode=None,
            summary=_summary(thing.as_known(known_at)),
            reflection=None,
        )
    said = thing.episode
    return ContextLine(
        kind=line.kind,
        id=thing.id,
        text=said.content,
        markdown=line.written,
        user=said.user or None,
        episode_ids=[thing.id],
        belief=None,
        episode=ContextEpisode(
            occurred_at=said.occurred_at,
            session=said.session or None,
            role=said.role,
            speaker=said.speaker,
            withdrawn=list(line.withdrawn),
        ),
        summary=None,
        reflection=None,
    )


def _reflection_line(line: Line, reflection: StoredReflection, known_at: datetime) -> ContextLine:
    return ContextLine(
        kind=line.kind,
        id=reflection.id,
        text=line.text or "",
        markdown=line.written,
        user=reflection.user or None,
        episode_ids=[],
        belief=None,
        episode=None,
        summary=None,
        reflection=ContextReflection(
            reflection_id=reflection.reflection_id,
            day=reflection.week.day,
            since=reflection.week.since,
            until=reflection.week.until,
            claim_ids=list(reflection.claims),
            stale_at=reflection.as_known(known_at).stale_at,
        ),
    )


def _summary(summary: StoredSummary) -> ContextSummary:
    return ContextSummary(
        summary_id=summary.summary_id,
        tier=summary.tier,
        first_turn=summary.first_turn,
        turns=summary.turns,
        last_at=summary.last.occurred_at,
        stale_at=summary.stale_at,
    )


def _belief(belief: BeliefRow, carried_out: Iterable[BeliefRow]) -> ContextBelief:
    return ContextBelief(
        belief_id=belief.belief_id,
        predicate=belief.predicate,
        category=belief.category or None,
        importance=belief.importance,
        confidence=belief.confidence,
        contested=belief.contested,
        open=belief.open,
        status=belief.status,
        valid_from=shown(belief.valid_from),
        valid_to=shown(belief.valid_to),
        carried_out=[deed.belief_id for deed in carried_out],
    )
