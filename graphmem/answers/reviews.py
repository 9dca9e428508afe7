"""Pairs of which somebody is to say whether they are the same: why they look it, and both side by side."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from graphmem.answers.answer import Answer, JoinedAnswer, TextOrNull, Warned, attribute
from graphmem.answers.beliefs import EntityRef, Referred
from graphmem.answers.entities import Counted
from graphmem.model.claim import Scalar
from graphmem.model.recall import PROFILE_LIMIT


class ProfileBeliefOut(Answer):
    """What is believed of an entity: the other end of a relationship (its subject ``as_object``), or a value."""

    predicate: str
    as_object: bool
    entity: EntityRef | None
    value: Scalar


class ProfileOut(JoinedAnswer, EntityRef):
    """An entity with what is known of it now, and of all that it is the same as.

    ``beliefs_total`` counts what is believed of it. What is ``protected`` is merged by hand only.
    """

    joins: ClassVar = ("cluster", "cluster.entity")

    qualifier: str
    aliases: list[str]
    first_seen: datetime
    protected: bool
    mentions: Counted
    beliefs: Annotated[list[ProfileBeliefOut], Field(description=f"The {PROFILE_LIMIT} most important ones.")]
    beliefs_total: Annotated[Counted, attribute("total")]


class NeighbourOut(JoinedAnswer, EntityRef):
    """An entity to which both have relationships, with the predicates of those of the first and of the second."""

    joins: ClassVar = ("entity",)

    of_first: list[str]
    of_second: list[str]


class SideBySideOut(Warned):
    """The ``profiles`` of the first and of the second, and entities to which both have a relationship."""

    profiles: Annotated[list[ProfileOut], Field(min_length=2, max_length=2)]
    shared_neighbours: Annotated[
        list[NeighbourOut], attribute("neighbours"), Field(description=f"The first {PROFILE_LIMIT} by id.")
    ]


class PartOut(Answer):
    """What one thing says about a pair: how far the two agree in it, and its weight in bits (log2 of the odds).

    ``refined``: pairs of the group taught the weight.
    """

    part: str
    level: str
    weight: float
    first: Annotated[str, attribute("of_a")]
    second: Annotated[str, attribute("of_b")]
    refined: bool


class JudgedOut(Answer):
    """What is thought of two entities, and why; the weights of the parts sum to the score.

    ``stage`` is what first proposed the pair, ``method`` what decided. ``vetoes`` say what keeps the two apart.
    """

    first: Annotated[Referred, attribute("a")]
    second: Annotated[Referred, attribute("b")]
    verdict: Literal["same", "review", "different"]
    method: str
    stage: str | None
    score: float
    probability: Annotated[float, Field(ge=0, le=1)]
    parts: Annotated[list[PartOut], attribute("contributions")]
    vetoes: list[str]


class PairOut(JudgedOut, SideBySideOut):
    """``proposed``: the two share a key in the indexes, so that the dedup job compares them."""

    proposed: bool


class ReviewOut(JoinedAnswer, JudgedOut):
    """A pair to decide, or decided; ``refused`` says why two that are taken for the same are not merged."""

    joins: ClassVar = ("judgement",)

    id: str
    user: TextOrNull
    refused: TextOrNull
    pending: bool


class ReviewInFull(ReviewOut, SideBySideOut):
    """A pair with what is known of both."""


class ReviewPage(Warned):
    """Pairs to decide, those that look most alike first."""

    reviews: list[ReviewOut]
    next_cursor: str | None
