"""Context: what should go into the next prompt, under a budget of tokens, at a point in time."""

from dataclasses import fields, replace
from typing import Annotated, Self

from fastapi import APIRouter, Depends
from pydantic import Field, model_validator

from graphmem.answers.search import ContextOut
from graphmem.api.bodies import json_body
from graphmem.api.deps import ClockDep, ContextsDep, GroupPath, MemoryDep, PrincipalDep, SettingsDep, asked_of
from graphmem.api.openapi import documented, takes
from graphmem.api.schemas.words import Instant, Name, Request, ShortText
from graphmem.model.composed import MOST_TOKENS, ContextLimits, ContextQuery
from graphmem.model.damage import told

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

    def to_domain(self, defaults: ContextLimits) -> ContextQuery:
        """What is asked for, with every limit: what a request leaves out is as the settings say."""
        beside = {"valid_at", "known_at", "user", "agent", "open"}
        given = self.model_dump(exclude=beside, exclude_none=True)
        limits = {limit.name: getattr(defaults, limit.name) for limit in fields(ContextLimits)}
        return ContextQuery(**{**limits, **given})


router = APIRouter(prefix="/v1/groups/{group}/context", tags=["search"])


@router.post(
    "",
    **takes(ContextIn),
    **documented(
        "What goes into the next prompt, within `max_tokens`: what is known about who is named or speaks, what is "
        "relevant, and the last turns of the session",
        *(401, 403, 404, 409, 413, 415, 422, 503),
    ),
)
async def context(
    group: GroupPath,
    posted: Annotated[ContextIn, Depends(json_body(ContextIn))],
    principal: PrincipalDep,
    memory: MemoryDep,
    contexts: ContextsDep,
    settings: SettingsDep,
    clock: ClockDep,
) -> ContextOut:
    user = principal.reads(group, posted.user)
    at = asked_of(group, user, posted.valid_at, posted.known_at, clock(), fades=settings.fading.enabled)
    scope = replace(at.scope, open=posted.open)
    agent = posted.agent
    if agent is None and posted.window is None and settings.windows_with:
        agent = await contexts.agent_of(scope, posted.session)
    asked = posted.to_domain(settings.context_of(agent))
    standing = await memory.reader.standing(group, scope.known_at)
    composed = await contexts.context(scope, asked)
    return ContextOut.of(
        composed,
        at,
        standing,
        max_tokens=asked.max_tokens,
        tokenizer=contexts.tokenizer,
        warnings=list(dict.fromkeys([*composed.warnings, *told()])),
        context=at.context(),
    )
