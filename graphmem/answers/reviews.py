"""Reviews: pairs of which somebody is to say whether they are the same, and why they look it."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from graphmem.answers.answer import Answer, JoinedAnswer, TextOrNull, Warned, attribute
from graphmem.answers.beliefs import Referred
from graphmem.answers.profiles import SideBySideOut


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
