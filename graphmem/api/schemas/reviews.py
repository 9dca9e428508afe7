"""Reviews: pairs of which somebody is to say whether they are the same, and why they look it."""

from collections.abc import Mapping
from typing import Any, Literal

from graphmem.answers.reviews import PairOut, PartOut, ReviewInFull, ReviewOut
from graphmem.api.schemas.beliefs import entity_ref
from graphmem.api.schemas.profiles import side_by_side_out
from graphmem.api.schemas.words import Request, ShortText
from graphmem.model.matching import Judgement
from graphmem.model.merge import Opinion
from graphmem.model.recall import KnownEntity, SideBySide


class DecisionIn(Request):
    """Whether the two are the same, and why."""

    verdict: Literal["same", "different"]
    reason: ShortText


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
