"""The extractors that the settings ask for, and those that an episode is to be digested anew with."""

import sys
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from graphmem.errors import ConfigurationError, InvalidInput, TooLarge
from graphmem.extract.llm.extractor import LanguageModelExtractor
from graphmem.extract.llm.prompts import VERSIONS
from graphmem.extract.llm.reviewer import LanguageModelReviewer
from graphmem.extract.llm.schema import Filled, Sureness
from graphmem.extract.llm.usage import Limits, UsageTotal
from graphmem.extract.llm.writers import LanguageModelReflectionWriter, LanguageModelSummaryWriter
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.model.embedding import Closable
from graphmem.model.episode import AS_CONFIGURED, CloserReader, Episode, Reprocessing
from graphmem.model.fragment import ALONE, Context, Extractor, Fragment, Trace
from graphmem.settings import Settings
from graphmem.settings.extraction import ProviderSettings, StepSettings
from graphmem.settings.strategies import STRATEGIES, Composition, ProviderSwitch, seconds_each, switched_off

if TYPE_CHECKING:
    from graphmem.extract.llm.models import Chain

_SHARE_OF_MODELS = 0.75
"""Of the time that a digest has; the rest is for reading offline, embedding and writing."""


class NothingExtractor:
    """An ``Extractor`` that reads nothing."""

    context_turns = 0
    piece_chars = sys.maxsize
    context_chars = 0
    uses_ontology = False

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        del episode, context
        return Fragment(mentions=(), claims=(), extractor="off", version="1")


class Extractors:
    """Built once each, when first asked for, and closed together."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._providers = {"anthropic": settings.anthropic, "openai": settings.openai}
        self._switches = settings.pipeline.providers
        self._strategies = _enabled(settings)
        self._ontology = settings.ontology.to_domain()
        self.accurate = self._offline("accurate")
        step = settings.pipeline.entity_extraction
        self._limits = Limits(step.concurrency, step.requests_per_minute)
        self._built: dict[Reprocessing, Extractor] = {}
        self.reviewer = self._reviewer() if settings.matching.model_reviews else None
        self.summary_writer = self._summary_writer()
        self.reflection_writer = self._reflection_writer()

    def of(self, asked: Reprocessing = AS_CONFIGURED) -> Extractor:
        """The extractor of the settings, or the one that an episode is to be digested anew with."""
        if asked not in self._built:
            self._built[asked] = self._build(self._step(asked))
        return self._built[asked]

    async def trace(self, asked: Reprocessing, episode: Episode, context: Context = ALONE) -> Trace:
        """What would be read of an episode, and why not more, by the extractor of the settings or another one.

        Raises:
            InvalidInput: see ``check``.
            TooLarge: the text is longer than what is read at once.
        """
        self.check(asked)
        extractor = self.of(asked)
        if len(episode.content) > extractor.piece_chars:
            raise TooLarge(f"Up to {extractor.piece_chars} characters are read to try it out. Shorten the text.")
        if isinstance(extractor, OfflineExtractor):
            return await extractor.trace(episode, context)
        return Trace(fragment=await extractor.extract(episode, context))

    @property
    def upgrade(self) -> tuple[str, str]:
        """The strategy that reads again what an older version read, and its version.

        It is the configured one, where that parses and asks no model; else the accurate one.
        """
        configured = self._settings.pipeline.entity_extraction.strategy
        composed = self._strategies.get(configured)
        if composed is None or composed.asks_model or not composed.parses:
            return "accurate", self.accurate.version
        return configured, self._offline(configured).version

    @property
    def closer(self) -> CloserReader | None:
        """Who reads again what was read offline: a language model, where the settings ask one, else ``upgrade``.

        None where nothing is to be read at all.
        """
        step = self._step(AS_CONFIGURED)
        if step.strategy == "off":
            return None
        if self._asks_model(step):
            return CloserReader(name=f"{step.strategy} {step.models[0]}", how=Reprocessing(strategy=step.strategy))
        strategy, version = self.upgrade
        return CloserReader(name=version, how=Reprocessing(strategy=strategy), version=version)

    def check(self, asked: Reprocessing) -> None:
        """Say what keeps an episode from being digested anew in this way.

        Raises:
            InvalidInput: the model is none of the settings', has no key here, or goes with another strategy; or there
                is no such prompt.
        """
        step, known = self._step(asked), {*self._settings.prices, *self._settings.pipeline.entity_extraction.models}
        if step.strategy not in self._strategies:
            raise InvalidInput(
                f"There is no strategy {step.strategy!r}. There is: {', '.join(sorted(self._strategies))}."
            )
        asks_model = self._strategies[step.strategy].asks_model
        if (asked.model or asked.prompt) and not asks_model:
            raise InvalidInput(f"The strategy {step.strategy!r} asks no language model. Leave out model and prompt.")
        if asked.model is not None and asked.model not in known:
            raise InvalidInput(
                f"The settings do not name the model {asked.model!r}: neither [pipeline.entity_extraction] models "
                f"nor [prices] do. There is: {', '.join(sorted(known))}."
            )
        if asked.prompt is not None and asked.prompt not in VERSIONS:
            raise InvalidInput(f"There is no prompt {asked.prompt!r}. There is: {', '.join(VERSIONS)}.")
        if asks_model and not any(self._usable(name) for name in step.models):
            raise InvalidInput(f"There is no key for {' or '.join(step.models)}. Set ANTHROPIC_API_KEY or the like.")

    async def aclose(self) -> None:
        for extractor in self._built.values():
            if isinstance(extractor, Closable):
                await extractor.aclose()
        for asked in (self.reviewer, self.summary_writer, self.reflection_writer):
            if asked is not None:
                await asked.aclose()

    def _reviewer(self) -> LanguageModelReviewer:
        step = self._settings.pipeline.entity_extraction
        if not any(self._usable(name) for name in step.models):
            raise ConfigurationError(
                f"matching.model_reviews is on, and there is no key for {' or '.join(step.models)}. Set "
                "ANTHROPIC_API_KEY or the like, or switch it off."
            )
        return LanguageModelReviewer(self._models(step))

    def _summary_writer(self) -> LanguageModelSummaryWriter | None:
        """The language model that reads episodes; None where none does, or summaries are to be made offline."""
        models, step = self._writing_models(), self._step(AS_CONFIGURED)
        if models is None or self._settings.summaries.writer == "offline":
            return None
        claims_from = step.claims_from if "llm" in self._strategies[step.strategy].claiming else ()
        return LanguageModelSummaryWriter(models, self._ontology, claims_from, Sureness(step.least_confidence))

    def _reflection_writer(self) -> LanguageModelReflectionWriter | None:
        """The language model that reads episodes; None where none does, or reflections are to be made offline."""
        models = self._writing_models()
        if models is None or self._settings.reflection.writer == "offline":
            return None
        return LanguageModelReflectionWriter(models)

    def _writing_models(self) -> "_Late | None":
        """The models that read episodes, to write with; None where none does."""
        step = self._step(AS_CONFIGURED)
        if not self._asks_model(step):
            return None
        return self._models(step.model_copy(update={"temperature": self._settings.summaries.temperature}))

    def _models(self, step: StepSettings) -> "_Late":
        """The models of a step. Their libraries are imported when they are warmed or first asked."""

        def build() -> "Chain":
            from graphmem.extract.llm.models import Chain  # noqa: PLC0415 - it takes seconds

            return Chain(step, self._providers, self._settings.prices, self._limits)

        return _Late(build)

    def _asks_model(self, step: StepSettings) -> bool:
        """Whether a step asks language models one of which can be asked."""
        composed = self._strategies.get(step.strategy)
        return composed is not None and composed.asks_model and any(self._usable(model) for model in step.models)

    def _step(self, asked: Reprocessing) -> StepSettings:
        step = self._settings.pipeline.entity_extraction
        strategy = asked.strategy or ("llm" if asked.model or asked.prompt else step.strategy)
        if strategy == "auto":
            strategy = "llm" if any(self._keyed(name) for name in step.models) else "accurate"
        models = (asked.model,) if asked.model else step.models
        return step.model_copy(update={"strategy": strategy, "models": models, "prompt": asked.prompt or step.prompt})

    def _build(self, step: StepSettings) -> Extractor:
        if step.strategy == "off":
            return NothingExtractor()
        composed = self._strategies.get(step.strategy)
        if composed is None or not composed.claiming:
            making = " that makes claims" if composed else ""
            raise ConfigurationError(
                f"No provider of the strategy {step.strategy!r}{making} is switched on. Switch one on in "
                "[pipeline.providers]."
            )
        if not composed.asks_model:
            return self.accurate if step.strategy == "accurate" else self._offline(step.strategy)
        return LanguageModelExtractor(
            self._models(step),
            self.accurate,
            step,
            self._ontology,
            seconds=self._seconds_of_models(),
            beside=self._beside(composed),
            claims="llm" in composed.claiming,
        )

    def _offline(self, strategy: str) -> OfflineExtractor:
        """The reader of a strategy that asks no model; as it is packaged, unless the settings compose it otherwise."""
        composed = self._strategies.get(strategy) or STRATEGIES[strategy]
        if composed.asks_model:  # what reads where no model does
            composed = composed.without({"llm"}) or STRATEGIES["accurate"]
        changed = None if composed == STRATEGIES.get(strategy) else composed
        return OfflineExtractor(strategy, changed, seconds=seconds_each(self._switches), ontology=self._ontology)

    def _beside(self, composed: Composition) -> OfflineExtractor | None:
        """What reads beside a language model."""
        others = composed.without({"llm"})
        return others and OfflineExtractor(
            "beside", others, seconds=seconds_each(self._switches), ontology=self._ontology
        )

    def _seconds_of_models(self) -> float:
        """What models have for a call, with all attempts and pauses.

        Raises:
            ConfigurationError: that is more than a digest leaves them.
        """
        timeout = self._settings.jobs.digest_timeout
        most, given = _SHARE_OF_MODELS * timeout, self._switches.get("llm", ProviderSwitch()).timeout
        if given is not None and given > most:
            raise ConfigurationError(
                f"The timeout in [pipeline.providers.llm] is {given:g} seconds, and of the {timeout:g} of a digest "
                f"models have {most:g} at most. Lower it, or raise jobs.digest_timeout."
            )
        return most if given is None else given

    def _keyed(self, model: str) -> bool:
        return self._provider(model).api_key is not None

    def _usable(self, model: str) -> bool:
        """Whether a provider has its key, or needs none that we know of."""
        return self._keyed(model) or model.partition("/")[0] not in self._providers

    def _provider(self, model: str) -> ProviderSettings:
        return self._providers.get(model.partition("/")[0], ProviderSettings())


def _enabled(settings: Settings) -> dict[str, Composition]:
    """The strategies of the settings, as far as any of their providers is switched on."""
    off = switched_off(settings.pipeline.providers)
    compositions = {name: composed.without(off) for name, composed in settings.pipeline.strategies.items()}
    return {name: composed for name, composed in compositions.items() if composed}


class _Late:
    """Models that are built when they are warmed or first asked: their libraries take seconds to load.

    So who never asks them does without, as the API does.
    """

    def __init__(self, build: Callable[[], "Chain"]) -> None:
        self._build = build

    def warm(self) -> None:
        _ = self._chain

    async def fill(self, form: type[Filled], system: str, document: str, usage: UsageTotal) -> Filled:
        return await self._chain.fill(form, system, document, usage)

    async def aclose(self) -> None:
        if "_chain" in self.__dict__:
            await self._chain.aclose()

    @cached_property
    def _chain(self) -> "Chain":
        return self._build()
