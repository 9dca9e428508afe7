"""Summaries and reflections written by a language model, one call for each; of turns also facts that they state."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, cast

import structlog
from pydantic import BeforeValidator, Field, ValidationError

from graphmem.extract.llm.prompts import summary_prompt, week_prompt
from graphmem.extract.llm.proposing import propose, source_turn
from graphmem.extract.llm.schema import LONGEST, ExtractedEntity, ExtractedFact, Extraction, Filled, ModelForm, Sureness
from graphmem.extract.llm.usage import FormModels, UsageTotal, logged
from graphmem.model.cited_writing import (
    MOST_SENTENCES,
    ReflectionTask,
    Spent,
    WritingTask,
    WrittenSentence,
    WrittenSummary,
    WrittenText,
)
from graphmem.model.claim import AssertedBy
from graphmem.model.episode import EpisodeRole
from graphmem.model.fragment import ALONE, BESIDE_SUMMARY, Fragment
from graphmem.model.ontology import Ontology
from graphmem.model.summary import SummarySentence

log = structlog.get_logger(__name__)

_LONGEST = 2_000
"""Characters of a sentence."""
_MOST_CITED = 200
_WORDS_OF_TOKENS = 2 / 3
"""So many words have room in a token, as a rule: models do not count tokens, and less those of another model."""


class SummedUp(ModelForm):
    """One sentence of the summary."""

    text: str = Field(min_length=1, max_length=_LONGEST, description="One plain sentence that can be read alone.")
    cites: list[Annotated[int, Field(ge=1)]] = Field(
        min_length=1, max_length=_MOST_CITED, description="The numbers of everything that the sentence rests on."
    )


class Summary(ModelForm):
    """What is worth remembering of the document, in 2 to 4 sentences."""

    sentences: list[SummedUp] = Field(min_length=1, max_length=MOST_SENTENCES)

    @property
    def written(self) -> tuple[WrittenSentence, ...]:
        return tuple(WrittenSentence(words=each.text, cites=tuple(each.cites)) for each in self.sentences)


async def filled_in(
    models: FormModels,
    form: type[Filled],
    prompt: tuple[str, str],
    document: str,
    spent: Spent,
    event: str,
    **details: int,
) -> tuple[Filled, str]:
    """The form, and the model that filled it in by a ``prompt``, given as its version and its words.

    ``spent`` is told what that took, also in vain; the log has it as the ``event``, with the ``details``.

    Raises:
        ModelUnavailable: no model answers.
        UnusableAnswer: a model refused, or did not fill in the form, though asked again.
        ConfigurationError: a model refuses the request as such.
    """
    version, system = prompt
    usage = UsageTotal(version)
    try:
        filled = await models.fill(form, system, document, usage)
    finally:
        took = usage.take()
        if took.calls:
            spent(took)
            log.info(event, **details, prompt=took.prompt, **logged(took))
    return filled, took.model


def most_words(tokens: int) -> int:
    """How many words a model is told that there is room for."""
    return int(tokens * _WORDS_OF_TOKENS)


def _those_that_fit(facts: object) -> object:
    """A model that fills in a fact amiss loses that, and not the summary."""
    return [fact for fact in cast("list[object]", facts) if _fits(fact)] if isinstance(facts, list) else []


def _fits(fact: object) -> bool:
    try:
        ExtractedFact.model_validate(fact)
    except ValidationError:
        return False
    return True


class SummaryWithFacts(Summary):
    """What is worth remembering of the document, in 2 to 4 sentences, and the facts that its beliefs leave out."""

    facts: Annotated[list[ExtractedFact], BeforeValidator(_those_that_fit)] = Field(default=[])


class LanguageModelSummaryWriter:
    """A ``SummaryWriter`` that asks a chain of models."""

    def __init__(
        self,
        models: FormModels,
        ontology: Ontology,
        claims_from: Collection[EpisodeRole],
        least: Sureness = Sureness.MEDIUM,
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
        version, _ = prompt = summary_prompt(task.tier)
        form = Summary if task.tier > 1 else SummaryWithFacts
        asked = {"tier": task.tier, "sources": len(task.sources)}
        filled, model = await filled_in(self._models, form, prompt, _document(task), spent, "summary.asked", **asked)
        stated = filled.facts if isinstance(filled, SummaryWithFacts) else ()
        facts = self._grounded(task, stated, f"{version} {model}")
        return WrittenSummary(sentences=filled.written, model=model, prompt=version, facts=facts)

    def _grounded(self, task: WritingTask, stated: Iterable[ExtractedFact], version: str) -> Mapping[str, Fragment]:
        """The facts that stand on a quote of their turn, by the id of that, and whose value is in its words.

        The rest is dropped: a value that another turn tells would outlive that.
        """
        places = [source.place.episode_id for source in task.sources if source.row_id is None]
        facts = defaultdict[str, list[ExtractedFact]](list)
        for fact in stated:
            if 1 <= fact.turn <= len(places) and places[fact.turn - 1] in task.episodes:
                facts[places[fact.turn - 1]].append(fact.model_copy(update={"turn": 0}))
        ontology = task.ontology or self._ontology
        fragments = {id_: self._fragment(task, id_, stated, ontology, version) for id_, stated in facts.items()}
        return {id_: fragment for id_, fragment in fragments.items() if fragment.claims}

    def _fragment(
        self, task: WritingTask, id_: str, facts: list[ExtractedFact], ontology: Ontology, version: str
    ) -> Fragment:
        episode = task.episodes[id_]
        turn = source_turn(episode, ALONE, claims=episode.role in self._claims_from)
        (proposal,) = propose(Extraction(entities=_people(facts), facts=facts), [turn], ALONE, ontology, self._least)
        return Fragment(
            mentions=tuple(proposal.mentions),
            claims=tuple(claim for claim in proposal.claims if claim.asserted_by is not AssertedBy.MODEL),
            extractor=BESIDE_SUMMARY,
            version=version,
        )

    async def aclose(self) -> None:
        await self._models.aclose()


def _people(facts: Iterable[ExtractedFact]) -> list[ExtractedEntity]:
    """Whom facts are about, but for the speaker."""
    names = dict.fromkeys(fact.about for fact in facts if fact.about and len(fact.about) <= LONGEST)
    return [ExtractedEntity(name=name, type="person", confidence=Sureness.HIGH) for name in names]


def _document(task: WritingTask) -> str:
    """JSON, in which no text can end its own string."""
    numbered = [(_shown(number, source), source) for number, source in enumerate(task.sources, 1)]
    document: dict[str, object] = {"most_words": most_words(task.most_tokens)}
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


class LanguageModelReflectionWriter:
    """A ``ReflectionWriter`` that asks a chain of models."""

    def __init__(self, models: FormModels) -> None:
        self._models = models

    async def write(self, task: ReflectionTask, spent: Spent) -> WrittenText:
        """What a model wrote; ``spent`` is told what that took, also in vain.

        Raises:
            ModelUnavailable: no model answers.
            UnusableAnswer: a model refused, or did not fill in the form, though asked again.
            ConfigurationError: a model refuses the request as such.
        """
        version, _ = prompt = week_prompt()
        document, sources = _week_document(task), len(task.sources)
        filled, model = await filled_in(
            self._models, Summary, prompt, document, spent, "reflection.asked", sources=sources
        )
        return WrittenText(sentences=filled.written, model=model, prompt=version)

    async def aclose(self) -> None:
        await self._models.aclose()


def _week_document(task: ReflectionTask) -> str:
    """JSON, in which no text can end its own string."""
    document: dict[str, object] = {
        "most_words": most_words(task.most_tokens),
        "from": task.week.since.date().isoformat(),
        "to": task.week.day.isoformat(),
        "statements": [{"number": number, "text": source.text} for number, source in enumerate(task.sources, 1)],
    }
    if task.refused:
        document["refused"] = list(task.refused)
    return json.dumps(document, ensure_ascii=False)
