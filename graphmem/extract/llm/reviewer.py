"""Pairs that computation leaves open, shown to a language model: one call for a batch."""

import json
from collections.abc import Sequence

import structlog
from pydantic import Field

from graphmem.errors import UnusableAnswer
from graphmem.extract.llm.prompts import PAIRS_VERSION, pairs_prompt
from graphmem.extract.llm.schema import ModelForm, ModelWord
from graphmem.extract.llm.usage import FormModels, UsageTotal, logged
from graphmem.model.matching import MatchProfile, ModelAnswer, Says

log = structlog.get_logger(__name__)

_NO_ANSWER = "gave no answer of use for this pair"


class PairVerdict(ModelForm):
    """What is thought of one pair."""

    pair: int = Field(ge=0, description="The number of the pair.")
    reason: ModelWord = Field(description="One short sentence that names what decides.")
    verdict: Says = Field(description="same, different, or unsure.")


class PairVerdicts(ModelForm):
    """One verdict for each pair of the document."""

    verdicts: list[PairVerdict]


class LanguageModelReviewer:
    """A ``PairReviewer`` that asks a chain of models."""

    def __init__(self, models: FormModels) -> None:
        self._models = models

    async def review(self, pairs: Sequence[tuple[MatchProfile, MatchProfile]]) -> list[ModelAnswer]:
        """An answer for each pair, in order. A batch that gets no answer of use is asked about in halves.

        Raises:
            ModelUnavailable: no model answers.
            ConfigurationError: a model refuses the request as such.
        """
        usage = UsageTotal(PAIRS_VERSION)
        try:
            filled = await self._models.fill(PairVerdicts, pairs_prompt(), _document(pairs), usage)
        except UnusableAnswer as error:
            log.warning("review.unusable", pairs=len(pairs), reason=str(error))
            if len(pairs) == 1:
                return [ModelAnswer(says=Says.UNSURE, reason=_NO_ANSWER, model="no model")]
            half = len(pairs) // 2
            return [*await self.review(pairs[:half]), *await self.review(pairs[half:])]
        took = usage.take()
        log.info("review.asked", pairs=len(pairs), **logged(took))
        return [_answer(filled, number, took.model) for number in range(len(pairs))]

    async def aclose(self) -> None:
        await self._models.aclose()


def _document(pairs: Sequence[tuple[MatchProfile, MatchProfile]]) -> str:
    """JSON, in which no text can end its own string."""
    shown = [{"pair": number, "first": a.shown, "second": b.shown} for number, (a, b) in enumerate(pairs)]
    return json.dumps({"pairs": shown}, ensure_ascii=False)


def _answer(filled: PairVerdicts, number: int, model: str) -> ModelAnswer:
    """What was said of a pair; unsure, where nothing was, or two things."""
    verdicts = [verdict for verdict in filled.verdicts if verdict.pair == number]
    if len({verdict.verdict for verdict in verdicts}) != 1:
        return ModelAnswer(says=Says.UNSURE, reason=_NO_ANSWER, model=model)
    return ModelAnswer(says=verdicts[0].verdict, reason=verdicts[0].reason, model=model)
