"""Reviews: pairs of which somebody is to say whether they are the same, and why they look it."""

from typing import Annotated, Literal

from pydantic import Field

from graphmem.answers.answer import Answer, Warned
from graphmem.answers.beliefs import EntityRef
from graphmem.answers.profiles import SideBySideOut


class PartOut(Answer):
    """What one thing says about a pair: how far the two agree in it, and its weight in bits (log2 of the odds).

    ``refined``: pairs of the group taught the weight.
    """

    part: str
    level: str
    weight: float
    first: str
    second: str
    refined: bool


class JudgedOut(Answer):
    """What is thought of two entities, and why; the weights of the parts sum to the score.

    ``stage`` is what first proposed the pair, ``method`` what decided. ``vetoes`` say what keeps the two apart.
    """

    first: EntityRef
    second: EntityRef
    verdict: Literal["same", "review", "different"]
    method: str
    stage: str | None
    score: float
    probability: Annotated[float, Field(ge=0, le=1)]
    parts: list[PartOut]
    vetoes: list[str]


class PairOut(JudgedOut, SideBySideOut):
    """``proposed``: the two share a key in the indexes, so that the dedup job compares them."""

    proposed: bool


class ReviewOut(JudgedOut):
    """A pair to decide, or decided; ``refused`` says why two that are taken for the same are not merged."""

    id: str
    user: str | None
    refused: str | None
    pending: bool


class ReviewInFull(ReviewOut, SideBySideOut):
    """A pair with what is known of both."""


class ReviewPage(Warned):
    """Pairs to decide, those that look most alike first."""

    reviews: list[ReviewOut]
    next_cursor: str | None
