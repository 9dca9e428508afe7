"""Summaries written by a language model: one call for a run of turns, with facts that they state, or of summaries."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Protocol

import structlog
from pydantic import BaseModel, ConfigDict, Field

from graphmem.extract.llm.prompts import summary_prompt
from graphmem.extract.llm.proposing import SourceTurn, propose
from graphmem.extract.llm.schema import LONGEST, ExtractedEntity, ExtractedFact, Extraction, Filled, Sureness
from graphmem.extract.llm.usage import UsageTotal
from graphmem.extract.speakers import speaker_of
from graphmem.model.episode import Role
from graphmem.model.fragment import ALONE, BESIDE_SUMMARY, Fragment
from graphmem.model.ontology import Ontology
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


class SummaryWithFacts(Summary):
    """What is worth remembering of the document, in 2 to 4 sentences, and the facts that its beliefs leave out."""

    facts: list[ExtractedFact] = []


class Models(Protocol):
    """One or more language models that fill in a form (``graphmem.extract.llm.models.Chain``)."""

    async def fill(self, form: type[Filled], system: str, document: str, usage: UsageTotal) -> Filled: ...

    async def aclose(self) -> None: ...


class LanguageModelSummaryWriter:
    """A ``SummaryWriter`` that asks a chain of models."""

    def __init__(
        self, models: Models, ontology: Ontology, claims_from: Collection[Role], least: Sureness = Sureness.MEDIUM
    ) -> None:
        """Turns of the roles ``claims_from`` may state facts, of which the model is at least so sure.

        ``ontology`` is that of groups which have none of their own.
        """
        self._models = models
        self._ontology = ontology
        self._claims_from = frozenset(claims_from)
        self._least = least

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
            filled, stated = await self._filled(task, system, usage)
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
        facts = self._grounded(task, stated, f"{version} {took.model}")
        return WrittenSummary(sentences=sentences, model=took.model, prompt=version, facts=facts)

    async def _filled(
        self, task: WritingTask, system: str, usage: UsageTotal
    ) -> tuple[Summary, Iterable[ExtractedFact]]:
        if task.tier > 1:
            return await self._models.fill(Summary, system, _document(task), usage), ()
        filled = await self._models.fill(SummaryWithFacts, system, _document(task), usage)
        return filled, filled.facts

    def _grounded(self, task: WritingTask, stated: Iterable[ExtractedFact], version: str) -> Mapping[str, Fragment]:
        """The facts that stand on a quote of their turn, by the id of that; the rest is dropped."""
        places = [source.place.episode_id for source in task.sources if source.row_id is None]
        facts = defaultdict[str, list[ExtractedFact]](list)
        for fact in stated:
            if 1 <= fact.turn <= len(places) and places[fact.turn - 1] in task.episodes:
                facts[places[fact.turn - 1]].append(fact.model_copy(update={"turn": 0}))
        ontology = task.ontology or self._ontology
        fragments = {id_: self._fragment(task, id_, some, ontology, version) for id_, some in facts.items()}
        return {id_: one for id_, one in fragments.items() if one.claims}

    def _fragment(
        self, task: WritingTask, id_: str, facts: list[ExtractedFact], ontology: Ontology, version: str
    ) -> Fragment:
        episode = task.episodes[id_]
        turn = SourceTurn(episode, speaker_of(episode), episode.role in self._claims_from)
        (proposal,) = propose(Extraction(entities=_people(facts), facts=facts), [turn], ALONE, ontology, self._least)
        return Fragment(mentions=(), claims=tuple(proposal.claims), extractor=BESIDE_SUMMARY, version=version)

    async def aclose(self) -> None:
        await self._models.aclose()


def _people(facts: Iterable[ExtractedFact]) -> list[ExtractedEntity]:
    """Whom facts are about, but for the speaker."""
    names = dict.fromkeys(fact.about for fact in facts if fact.about and len(fact.about) <= LONGEST)
    return [ExtractedEntity(name=name, type="person", confidence=Sureness.HIGH) for name in names]


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
