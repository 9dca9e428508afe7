"""Summaries written by a language model: one call for a run of turns, or of summaries."""

import json
from typing import Annotated, Protocol

import structlog
from pydantic import BaseModel, ConfigDict, Field

from graphmem.extract.llm.prompts import summary_prompt
from graphmem.extract.llm.schema import Filled
from graphmem.extract.llm.usage import UsageTotal
from graphmem.model.summary import SummarySentence
from graphmem.model.summary_writing import MOST_SENTENCES, Spent, WritingTask, WrittenSentence, WrittenSummary

log = structlog.get_logger(__name__)

_LONGEST = 2_000
"""Characters of a sentence."""
_MOST_CITED = 200
_WORDS_OF_TOKENS = 2 / 3
"""So many words have room in a token, as a rule: models do not count tokens, and less those of another model."""


class SummedUp(BaseModel):
    """One sentence of the summary."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str = Field(min_length=1, max_length=_LONGEST, description="One plain sentence that can be read alone.")
    cites: list[Annotated[int, Field(ge=1)]] = Field(
        min_length=1, max_length=_MOST_CITED, description="The numbers of everything that the sentence rests on."
    )


class Summary(BaseModel):
    """What is worth remembering of the document, in 2 to 4 sentences."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    sentences: list[SummedUp] = Field(min_length=1, max_length=MOST_SENTENCES)


class Models(Protocol):
    """One or more language models that fill in a form (``graphmem.extract.llm.models.Chain``)."""

    async def fill(self, form: type[Filled], system: str, document: str, usage: UsageTotal) -> Filled: ...

    async def aclose(self) -> None: ...


class LanguageModelSummaryWriter:
    """A ``SummaryWriter`` that asks a chain of models."""

    def __init__(self, models: Models) -> None:
        self._models = models

    async def write(self, task: WritingTask, spent: Spent) -> WrittenSummary:
        """What a model wrote; ``spent`` is told what that took, also in vain.

        Raises:
            ModelUnavailable: no model answers.
            UnusableAnswer: a model refused, or did not fill in the form, though asked again.
            ConfigurationError: a model refuses the request as such.
        """
        version, system = summary_prompt(task.tier)
        usage = UsageTotal(version)
        try:
            filled = await self._models.fill(Summary, system, _document(task), usage)
        finally:
            took = usage.take()
            if took.calls:
                spent(took)
                log.info(
                    "summary.asked",
                    tier=task.tier,
                    sources=len(task.sources),
                    model=took.model,
                    prompt=took.prompt,
                    calls=took.calls,
                    input_tokens=took.input_tokens + took.cached_tokens,
                    output_tokens=took.output_tokens,
                    cost=took.cost,
                )
        sentences = tuple(WrittenSentence(words=one.text, cites=tuple(one.cites)) for one in filled.sentences)
        return WrittenSummary(sentences=sentences, model=took.model, prompt=version)

    async def aclose(self) -> None:
        await self._models.aclose()


def _document(task: WritingTask) -> str:
    """JSON, in which no text can end its own string."""
    numbered = [(_shown(number, source), source) for number, source in enumerate(task.sources, 1)]
    document: dict[str, object] = {"most_words": int(task.most_tokens * _WORDS_OF_TOKENS)}
    if task.tier == 1:
        document["turns"] = [shown for shown, source in numbered if source.row_id is None]
        document["beliefs"] = [shown for shown, source in numbered if source.row_id is not None]
    else:
        document["summaries"] = [shown for shown, _ in numbered]
    if task.refused:
        document["refused"] = list(task.refused)
    return json.dumps(document, ensure_ascii=False)


def _shown(number: int, source: SummarySentence) -> dict[str, object]:
    return {"number": number, "day": source.said_on.isoformat(), "text": source.text(dated=False)}
