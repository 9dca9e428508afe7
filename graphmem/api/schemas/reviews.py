"""Reviews: pairs of which somebody is to say whether they are the same, and why they look it."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from graphmem.api.schemas.beliefs import EntityRef, entity_ref
from graphmem.api.schemas.profiles import SideBySideOut, side_by_side_out
from graphmem.api.schemas.words import Answer, Request, ShortText
from graphmem.model.matching import Judgement
from graphmem.model.merge import Opinion
from graphmem.model.recall import KnownEntity, SideBySide


class DecisionIn(Request):
    """Whether the two are the same, and why."""

    verdict: Literal["same", "different"]
    reason: ShortText


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


class ReviewPage(Answer):
    """Pairs to decide, those that look most alike first."""

    reviews: list[ReviewOut]
    next_cursor: str | None


def pair_out(judgement: Judgement, both: SideBySide, *, proposed: bool) -> PairOut:
    return PairOut(**_judged(judgement, both.entities), **side_by_side_out(both), proposed=proposed)


def review_in_full(opinion: Opinion, both: SideBySide) -> ReviewInFull:
    return ReviewInFull(**dict(review_out(opinion, both.entities)), **side_by_side_out(both))


def review_out(opinion: Opinion, entities: Mapping[str, KnownEntity]) -> ReviewOut:
    return ReviewOut(
        id=opinion.id,
        user=opinion.user or None,
        **_judged(opinion.judgement, entities),
        refused=opinion.refused or None,
        pending=opinion.pending,
    )


def _judged(judgement: Judgement, entities: Mapping[str, KnownEntity]) -> dict[str, Any]:
    return {
        "first": entity_ref(entities[judgement.a]),
        "second": entity_ref(entities[judgement.b]),
        "verdict": judgement.verdict.value,
        "method": judgement.method,
        "stage": judgement.stage,
        "score": judgement.score,
        "probability": judgement.probability,
        "parts": [
            PartOut(
                part=one.part,
                level=one.level,
                weight=one.weight,
                first=one.of_a,
                second=one.of_b,
                refined=one.refined,
            )
            for one in judgement.contributions
        ],
        "vetoes": list(judgement.vetoes),
    }
