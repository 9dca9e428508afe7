"""Hits of a search, and what it went without."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, ValidationInfo, model_validator

from graphmem.answers.answer import Answer, AsOf, Joined, context_of
from graphmem.answers.beliefs import BeliefOut, EntityOut
from graphmem.answers.episodes import EpisodeOut
from graphmem.answers.reflections import ReflectionOut
from graphmem.answers.summaries import EntitySummaryOut, SummaryOut
from graphmem.model.hits import Lost, SearchHit, WhyDegraded

HitKind = Literal["relationship", "fact", "episode", "entity", "summary", "reflection"]


class ContributionOut(Answer):
    """One reason's part of a score: a list of hits, with the ``rank`` in it, or a rule. ``score`` is what it says.

    ``raw`` is what the index says: of full text BM25, of vectors the cosine.
    """

    channel: str
    rank: int | None
    score: float
    contribution: float
    raw: float | None


def _explained(contributions: Any, info: ValidationInfo) -> Any:
    return contributions if info.context is None or context_of(info).explain else None


Contributions = Annotated[list[ContributionOut] | None, BeforeValidator(_explained)]
"""The reasons of a score; null unless the search is to explain itself."""


class RankedOut(Answer):
    """What every hit says of itself.

    ``held``: it was believed at ``known_at`` to be true at ``valid_at``; what was not had ended (``valid_to``), or was
    no longer believed (``superseded_at``). ``other_wordings``: ids of open beliefs that say the same, for which this
    one stands.

    ``carried_out``: of a plan or a wish, what its subject did since that says nearly the same, on days that are known.
    """

    id: str
    score: float
    held: bool
    contributions: Contributions
    other_wordings: list[str]
    carried_out: list[BeliefOut]

    @model_validator(mode="before")
    @classmethod
    def _of_found(cls, found: object, info: ValidationInfo) -> object:
        if not isinstance(found, SearchHit):
            return found
        return Joined(found, found.ranked, held=found.held_at(context_of(info).valid_at))


class BeliefHit(RankedOut):
    kind: Literal["relationship", "fact"]
    thing: BeliefOut


class EpisodeHit(RankedOut):
    kind: Literal["episode"]
    thing: EpisodeOut


class EntityHit(RankedOut):
    kind: Literal["entity"]
    thing: EntityOut


def _summarised(summary: Any) -> str:
    of_entity = "entity_id" in summary if isinstance(summary, dict) else hasattr(summary, "entity_id")
    return "entity" if of_entity else "session"


class SummaryHit(RankedOut):
    """A summary of a session, or of an entity: this one has an ``entity_id``."""

    kind: Literal["summary"]
    thing: Annotated[
        Annotated[SummaryOut, Tag("session")] | Annotated[EntitySummaryOut, Tag("entity")], Discriminator(_summarised)
    ]


class ReflectionHit(RankedOut):
    kind: Literal["reflection"]
    thing: ReflectionOut


HitOut = Annotated[
    BeliefHit | EpisodeHit | EntityHit | SummaryHit | ReflectionHit,
    Field(discriminator="kind", description="The `kind` says what `thing` is."),
]
"""A hit of a search: a thing, by its kind."""


class DegradedOut(Answer):
    """What a search went without, a channel or one of its ``hits``, and why; ``detail`` says it to people."""

    channel: str
    why: WhyDegraded
    detail: str


class WhyNotOut(Answer):
    """Where something was ``lost``, null where it is among the hits; ``detail`` says it to people.

    ``unknown``: no belief and no episode of this id that the reader may see. ``time``: not yet known or no longer
    believed at ``known_at``, not yet or no longer true at ``valid_at``. ``faded``: nobody used it for long. ``filter``:
    the ``filters`` that it does not pass. ``wording``: ``instead``, the same in other words or a newer version of it,
    stands for it. ``rank``: it has this ``rank``, beyond ``limit``. ``not_found``: no channel has it among its best.
    ``contributions`` are there with ``explain``.
    """

    id: str
    kind: HitKind | None
    lost: Lost | None
    detail: str
    filters: list[str]
    rank: int | None
    score: float | None
    contributions: Contributions
    instead: str | None


class SearchOut(AsOf):
    """``degraded`` is empty where nothing was left out; what was found besides is there all the same.

    ``why_not`` tells of what was asked for by id where it was lost.
    """

    hits: list[HitOut]
    entities: list[EntityOut]
    degraded: list[DegradedOut]
    why_not: list[WhyNotOut]
