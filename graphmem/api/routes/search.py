"""Search: full text and vectors over beliefs and episodes, at a point in time."""

from dataclasses import replace
from typing import Annotated, Self

from fastapi import APIRouter, Depends
from pydantic import Field, model_validator

from graphmem.answers.search import HitKind, SearchOut
from graphmem.api.bodies import json_body
from graphmem.api.deps import ClockDep, GroupPath, MemoryDep, PrincipalDep, SettingsDep, asked_of
from graphmem.api.naming import entity_id
from graphmem.api.openapi import documented, takes
from graphmem.api.schemas.words import ID_PATTERN, EntityType, Instant, Name, Request, Share, ShortText
from graphmem.errors import as_value_errors
from graphmem.model.episode import EpisodeRole
from graphmem.model.hits import Fusion
from graphmem.model.search import NO_PREFERENCES, SEARCHED, Filters, Preferences

Names = Annotated[tuple[Name, ...], Field(min_length=1, max_length=64)]


class SearchIn(Request):
    """A question in words, asked of what was believed at ``known_at`` to be true at ``valid_at``.

    With a ``user``, of what everybody and that user may see. ``open`` leaves out open beliefs (false), or takes of
    beliefs only them (true). ``include_history`` also finds beliefs that had ended by ``valid_at``, or were no longer
    believed at ``known_at``: these hits are not ``held``, and what replaced something stands above it. ``fusion`` says
    how what the indexes find becomes one list: by calibrated weights, or by ranks alone (reciprocal rank fusion,
    k = 60). ``kinds`` are relationships, facts and episodes, unless it says otherwise; entities, summaries (of
    sessions and of entities) and reflections are found where it asks for them.

    All else narrows down what is found; lists take any of theirs. ``session``, ``exclude_session``, ``roles``,
    ``speakers``, ``sources`` and ``tags`` are of episodes, and of beliefs that rest on an episode that has them all.
    ``entity``, an id or a name, is at an end of a belief or mentioned in an episode; so are entities of ``types``.
    From ``since`` to before ``until`` an episode occurred, an event happened, or something else held for a while.
    ``predicates`` and ``categories`` find beliefs only; summaries and reflections pass none of these.
    ``least_confidence`` is of beliefs, ``least_score`` of all.

    Three shares from 0, which is off, to 1 change the order, each as a reason of its own in ``explain``. With
    ``diversity`` a hit is lowered that is like one above it (maximal marginal relevance, λ = 1 - diversity). With
    ``recency`` what occurred, or began to hold, at ``valid_at`` gets this share of the best score, and half as much for
    every ``half_life_days`` before. With ``confidence`` a belief loses this share of the best score times what it lacks
    of certainty.

    ``why_not`` are ids of beliefs, or of versions of them, and of episodes: the answer tells where each was lost.
    """

    query: ShortText
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    kinds: Annotated[list[HitKind], Field(min_length=1, max_length=6)] | None = None
    valid_at: Instant | None = None
    known_at: Instant | None = None
    user: Name | None = None
    session: Name | None = None
    exclude_session: Name | None = None
    entity: Name | None = None
    types: Annotated[tuple[EntityType, ...], Field(min_length=1, max_length=64)] | None = None
    predicates: Names | None = None
    categories: Names | None = None
    roles: Annotated[tuple[EpisodeRole, ...], Field(min_length=1, max_length=4)] | None = None
    speakers: Names | None = None
    sources: Names | None = None
    tags: Names | None = None
    since: Instant | None = None
    until: Instant | None = None
    least_confidence: Share = 0.0
    least_score: float | None = None
    diversity: Share = 0.0
    recency: Share = 0.0
    half_life_days: Annotated[float, Field(ge=0.001, le=36_500)] = NO_PREFERENCES.half_life_days
    confidence: Share = 0.0
    open: bool | None = None
    include_history: bool = False
    fusion: Fusion = Fusion.WEIGHTED
    explain: bool = False
    why_not: Annotated[list[Annotated[str, Field(pattern=ID_PATTERN)]], Field(min_length=1, max_length=20)] | None = (
        None
    )

    @model_validator(mode="after")
    def _is_not_empty(self) -> Self:
        with as_value_errors():
            self.filters(None)
        return self

    @property
    def preferences(self) -> Preferences:
        return self.into(Preferences)

    def filters(self, entity_id: str | None) -> Filters:
        return self.into(Filters, entity=entity_id)


router = APIRouter(prefix="/v1/groups/{group}/search", tags=["search"])


@router.post(
    "",
    **takes(SearchIn),
    **documented(
        "What was believed and said about a question; `explain` shows contributions that sum to each score",
        *(401, 403, 404, 409, 413, 415, 422, 503),
    ),
)
async def search(
    group: GroupPath,
    posted: Annotated[SearchIn, Depends(json_body(SearchIn))],
    principal: PrincipalDep,
    memory: MemoryDep,
    clock: ClockDep,
    settings: SettingsDep,
) -> SearchOut:
    user = principal.reads(group, posted.user)
    asked = asked_of(group, user, posted.valid_at, posted.known_at, clock(), fades=settings.fading.enabled)
    scope = replace(asked.scope, session=posted.session, open=posted.open, history=posted.include_history)
    kinds = frozenset[str](posted.kinds) if posted.kinds else SEARCHED
    standing = await memory.reader.standing(group, scope.known_at)
    filters = posted.filters(await entity_id(memory, scope, posted.entity) if posted.entity else None)
    recall = await memory.searcher.search(
        scope,
        posted.query,
        kinds=kinds,
        limit=posted.limit,
        fusion=posted.fusion,
        filters=filters,
        preferences=posted.preferences,
        why_not=posted.why_not or (),
    )
    context = asked.context(recall.entities, explain=posted.explain)
    return SearchOut.of(recall, asked, standing, hits=recall.found, context=context)
