"""What a search takes."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from graphmem.answers.search import HitKind
from graphmem.api.schemas.words import ID_PATTERN, EntityType, Instant, Name, Request, Share, ShortText
from graphmem.errors import as_value_errors
from graphmem.model.episode import EpisodeRole
from graphmem.model.filters import Filters
from graphmem.model.interval import BEGIN, END
from graphmem.model.preferences import NO_PREFERENCES, Preferences
from graphmem.model.recall import Fusion

Names = Annotated[list[Name], Field(min_length=1, max_length=64)]


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
    types: Annotated[list[EntityType], Field(min_length=1, max_length=64)] | None = None
    predicates: Names | None = None
    categories: Names | None = None
    roles: Annotated[list[EpisodeRole], Field(min_length=1, max_length=4)] | None = None
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
        return Preferences(
            diversity=self.diversity,
            recency=self.recency,
            half_life_days=self.half_life_days,
            confidence=self.confidence,
        )

    def filters(self, entity_id: str | None) -> Filters:
        return Filters(
            session=self.session,
            exclude_session=self.exclude_session,
            entity=entity_id,
            types=tuple(self.types or ()),
            predicates=tuple(self.predicates or ()),
            categories=tuple(self.categories or ()),
            roles=tuple(self.roles or ()),
            speakers=tuple(self.speakers or ()),
            sources=tuple(self.sources or ()),
            tags=tuple(self.tags or ()),
            since=self.since or BEGIN,
            until=self.until or END,
            least_confidence=self.least_confidence,
            least_score=self.least_score,
        )
