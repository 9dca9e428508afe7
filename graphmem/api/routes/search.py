"""What is found about a question, and what should go into the next prompt, at a point in time."""

from dataclasses import fields, replace
from typing import Annotated, Self

from pydantic import Field, model_validator

from graphmem.answers.search import ContextOut, HitKind, SearchOut
from graphmem.api.deps import (
    ArchivedAtDep,
    ClockDep,
    GroupPath,
    MemoryDep,
    ServicesDep,
    SettingsDep,
    asked_of,
    entity_id,
    read_body,
)
from graphmem.api.openapi import CallRouter
from graphmem.api.schemas.words import EntityType, Id, Instant, Name, Request, Share, ShortText
from graphmem.errors import as_value_errors
from graphmem.model.composed import MOST_TOKENS, ContextLimits, ContextQuery
from graphmem.model.damage import damage_warnings
from graphmem.model.episode import EpisodeRole
from graphmem.model.hits import Fusion
from graphmem.model.search import HIT_KINDS, NO_PREFERENCES, SEARCHED, Filters, Preferences

router = CallRouter(prefix="/v1/groups/{group}", tags=["core"])

Names = Annotated[tuple[Name, ...], Field(min_length=1, max_length=64)]


class SearchIn(Request):
    """A question in words, asked of what was believed at ``known_at`` to be true at ``valid_at``.

    With a ``user``, of what everybody and that user may see. ``open`` leaves out open beliefs (false), or takes of
    beliefs only them (true). ``include_history`` also finds beliefs that had ended by ``valid_at``, or were no longer
    believed at ``known_at``: these hits are not ``held``, and what replaced something stands above it. ``fusion`` says
    how what the indexes find becomes one list: by calibrated weights, or by ranks alone (reciprocal rank fusion,
    k = 60). ``kinds`` are relationships, facts, episodes, summaries (of sessions and of entities) and paths (of
    beliefs, each of which leads to what the next is about), unless it says otherwise; entities and reflections are
    found where it asks for them.

    All else narrows down what is found; lists take any of theirs. ``session``, ``exclude_session``, ``roles``,
    ``speakers``, ``sources`` and ``tags`` are of episodes, and of beliefs that rest on an episode that has them all;
    the first two also of summaries.
    ``entity``, an id or a name, is at an end of a belief or mentioned in an episode; so are entities of ``types``.
    From ``since`` to before ``until`` an episode occurred, an event happened, or something else held for a while.
    ``predicates`` and ``categories`` find beliefs only; summaries pass no other filter, and reflections pass none.
    ``least_confidence`` is of beliefs, ``least_score`` and ``least_relevance`` are of all.

    Three shares from 0, which is off, to 1 change the order, each as a reason of its own in ``explain``. With
    ``diversity`` a hit is lowered that is like one above it (maximal marginal relevance, λ = 1 - diversity). With
    ``recency`` what occurred, or began to hold, at ``valid_at`` gets this share of the best score, and half as much for
    every ``half_life_days`` before. With ``confidence`` a belief loses this share of the best score times what it lacks
    of certainty.

    ``why_not`` are ids of beliefs, or of versions of them, and of episodes: the answer tells where each was lost.
    """

    query: ShortText
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    kinds: Annotated[list[HitKind], Field(min_length=1, max_length=len(HIT_KINDS))] | None = None
    valid_at: Instant | None = None
    known_at: Instant | None = None
    user: Name | None = None
    session: Name | None = None
    exclude_session: Name | None = None
    entity: Name | None = None
    types: Annotated[tuple[EntityType, ...], Field(min_length=1, max_length=64)] | None = None
    predicates: Names | None = None
    categories: Names | None = None
    roles: Annotated[tuple[EpisodeRole, ...], Field(min_length=1, max_length=len(EpisodeRole))] | None = None
    speakers: Names | None = None
    sources: Names | None = None
    tags: Names | None = None
    since: Instant | None = None
    until: Instant | None = None
    least_confidence: Share = 0.0
    least_score: float | None = None
    least_relevance: Share = 0.0
    diversity: Share = 0.0
    recency: Share = 0.0
    half_life_days: Annotated[float, Field(ge=0.001, le=36_500)] = NO_PREFERENCES.half_life_days
    confidence: Share = 0.0
    open: bool | None = None
    include_history: bool = False
    fusion: Fusion = Fusion.WEIGHTED
    explain: bool = False
    why_not: Annotated[list[Id], Field(min_length=1, max_length=20)] | None = None

    @model_validator(mode="after")
    def _is_not_empty(self) -> Self:
        with as_value_errors():
            self.filters(None)
        return self

    def filters(self, entity_id: str | None) -> Filters:
        return self.into(Filters, entity=entity_id)


@router.call("POST", "/search", 409, takes=SearchIn)
async def search(
    group: GroupPath,
    posted: Annotated[SearchIn, read_body(SearchIn)],
    memory: MemoryDep,
    clock: ClockDep,
    settings: SettingsDep,
    archived_at: ArchivedAtDep,
) -> SearchOut:
    """What was believed and said about a question; `explain` shows contributions that sum to each score."""
    times, fades = (posted.valid_at, posted.known_at, clock()), settings.fading.enabled
    asked = asked_of(group, posted.user, *times, fades=fades, archived_at=archived_at)
    scope = replace(asked.scope, session=posted.session, open=posted.open, history=posted.include_history)
    standing = await memory.reader.standing(group, scope.known_at)
    recall = await memory.searcher.search(
        scope,
        posted.query,
        kinds=frozenset[str](posted.kinds) if posted.kinds else SEARCHED,
        limit=posted.limit,
        fusion=posted.fusion,
        filters=posted.filters(await entity_id(memory, scope, posted.entity) if posted.entity else None),
        preferences=posted.into(Preferences),
        why_not=posted.why_not or (),
    )
    context = asked.context(recall.entities, explain=posted.explain)
    warnings = list(dict.fromkeys([*recall.warnings, *damage_warnings()]))
    return SearchOut.of(recall, asked, standing, hits=recall.hits, warnings=warnings, context=context)


AtMost = Annotated[int, Field(ge=0, le=100)]
Turns = Annotated[int, Field(ge=0, le=200)]


class ContextIn(Request):
    """A query, a session, or both; without a query, what a user said last in the session is searched for.

    Profiles are of the user, of whom the session is about, of who speaks in it, and of those whom the query names;
    right after the user's comes that of `about`, an id or a name. A profile has all facts that must be known, of the
    categories identity, constraint and instruction; and, chosen by importance, use and nearness to the query, so many
    `facts` beside them, from `least_importance` on, within `facts_share` of the tokens that are left. Limits that are
    left out are as the settings say: so many `beliefs` and `passages` that a search brings, of these from `least_score`
    on ((1 + cosine) / 2; those from which no claims were read because of their language come after these, of any
    score); so many `summaries` of the session, the newest, and so many `near_summaries` of any session, from
    `least_summary_score` on, likewise; its last turns as its `window`, and so many `earlier` ones that no summary
    covers, if there is room. `exclude_window` leaves the window out, for callers that have it in their prompt;
    `exclude_session` the turns of a session, its summaries, and what only it says, however important that is: a belief
    that rests on another session too stays; `left_out` counts the others. `weekly_insight`: whether the newest
    reflection is in it. `agent`: which of the caller's agents it is for, by default that of the session; the settings
    may say another `window` for it.
    """

    query: ShortText | None = None
    session: Name | None = None
    about: Name | None = None
    max_tokens: Annotated[int, Field(ge=1, le=MOST_TOKENS)] | None = None
    facts: AtMost | None = None
    least_importance: Share | None = None
    facts_share: Share | None = None
    beliefs: AtMost | None = None
    passages: AtMost | None = None
    least_score: Share | None = None
    summaries: AtMost | None = None
    near_summaries: AtMost | None = None
    least_summary_score: Share | None = None
    window: Turns | None = None
    earlier: Turns | None = None
    exclude_window: bool = False
    exclude_session: Name | None = None
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

    def to_domain(self, defaults: ContextLimits) -> ContextQuery:
        """What is asked for, with every limit: what a request leaves out is as the settings say."""
        beside = {"valid_at", "known_at", "user", "agent", "open"}
        given = self.model_dump(exclude=beside, exclude_none=True)
        limits = {limit.name: getattr(defaults, limit.name) for limit in fields(ContextLimits)}
        return ContextQuery(**{**limits, **given})


@router.call("POST", "/context", 409, takes=ContextIn)
async def context(
    group: GroupPath,
    posted: Annotated[ContextIn, read_body(ContextIn)],
    services: ServicesDep,
    settings: SettingsDep,
    archived_at: ArchivedAtDep,
) -> ContextOut:
    """What goes into the next prompt, within `max_tokens`: what is known about who is named or speaks, what is
    relevant, and the last turns of the session.
    """
    contexts, now = services.contexts, services.clock()
    times, fades = (posted.valid_at, posted.known_at, now), settings.fading.enabled
    at = asked_of(group, posted.user, *times, fades=fades, archived_at=archived_at)
    scope = replace(at.scope, open=posted.open)
    agent = posted.agent
    if agent is None and posted.window is None and settings.windows_with:
        agent = await contexts.agent_of(scope, posted.session)
    asked = posted.to_domain(settings.context_of(agent))
    standing = await services.memory.reader.standing(group, scope.known_at)
    composed = await contexts.context(scope, asked)
    return ContextOut.of(
        composed,
        at,
        standing,
        max_tokens=asked.max_tokens,
        tokenizer=contexts.tokenizer,
        warnings=list(dict.fromkeys([*composed.warnings, *damage_warnings()])),
        context=at.context(),
    )
