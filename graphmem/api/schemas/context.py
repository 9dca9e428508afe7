"""What a context takes."""

from dataclasses import fields
from typing import Annotated, Self

from pydantic import Field, model_validator

from graphmem.api.schemas.words import Instant, Name, Request, ShortText
from graphmem.model.composed import MOST_TOKENS, ContextLimits, ContextQuery

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
        beside = {"valid_at", "known_at", "user", "agent", "open"}
        given = self.model_dump(exclude=beside, exclude_none=True)
        limits = {limit.name: getattr(defaults, limit.name) for limit in fields(ContextLimits)}
        return ContextQuery(**{**limits, **given})
