"""Who reads episodes: the steps of the pipeline, and providers of language models."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from graphmem.model.episode import EpisodeRole
from graphmem.settings.strategies import RESERVED, STRATEGIES, Composition, ProviderName, ProviderSwitch, with_packaged
from graphmem.settings.tables import SecretOrNone, Table, TextOrNone


class ProviderSettings(Table):
    """Where a provider of language models is, and the key for it. Without ``base_url`` it is the provider's own."""

    api_key: SecretOrNone = None
    base_url: TextOrNone = None


OPENAI_URL = "https://api.openai.com/v1"
"""Of OpenAI's own server, where no ``base_url`` names another."""


class OpenAISettings(ProviderSettings):
    """OpenAI, or with ``base_url`` a server that speaks its format; not each of them can be made to call a tool."""

    mode: Literal["tools", "json_schema"] = "tools"
    """How the form is asked for; json_schema for llama.cpp's server and the like."""


class PriceSettings(Table):
    """US dollars for a million tokens of a model: read, read from the provider's cache, and written."""

    input: float = Field(ge=0)
    cached: float = Field(ge=0)
    output: float = Field(ge=0)


class StepSettings(Table):
    """One step of the pipeline that may ask language models."""

    strategy: str = "auto"
    """``auto``: the language model if there is a key for it, else accurate; off; or one of the strategies."""
    models: tuple[str, ...] = Field(default=("anthropic/claude-haiku-4-5",), min_length=1)
    """Asked one after the other until one answers; instructor's names: openai/…, ollama/…"""
    prompt: str | None = None
    """Version of the prompt; the newest, if none is given."""
    temperature: float | None = Field(default=None, ge=0, le=2)
    """The provider's own, if none is given."""
    max_tokens: int = Field(default=4096, gt=0)
    """Tokens an answer may have."""
    timeout: float = Field(default=30.0, gt=0)
    """Seconds to wait for an answer."""
    attempts: int = Field(default=3, gt=0)
    """How often a model is asked that is away or busy."""
    backoff_seconds: float = Field(default=1.0, ge=0)
    """Pause before the second attempt; doubles, by chance."""
    reasks: int = Field(default=2, ge=0, le=2)
    """How often a model is asked to mend an answer."""
    concurrency: int = Field(default=16, gt=0)
    """Calls at once to one provider."""
    requests_per_minute: int = Field(default=0, ge=0)
    """Calls a minute to one provider; 0: no limit."""
    fallback: Literal["offline", "fail"] = "offline"
    """Where no model gives an answer."""
    claims_from: tuple[EpisodeRole, ...] = (EpisodeRole.USER, EpisodeRole.PARTICIPANT)
    """Whose turns make claims; others give mentions, so that no model quotes itself."""
    least_confidence: Literal["high", "medium", "low"] = "medium"
    """What a model is less sure of is dropped."""
    turns_per_call: int = Field(default=1, ge=1, le=50)
    """Turns of a session that came alone and wait, read in one call."""
    bulk_turns_per_call: int = Field(default=10, ge=1, le=50)
    """Turns of a session that came in one request, read in one call."""
    latency_budget_ms: int = Field(default=0, ge=0)
    """After so long what is read offline stands until the model answers; 0: never."""
    context_turns: int = Field(default=6, ge=0)
    """Earlier turns of the session that a model is shown."""
    context_chars: int = Field(default=6_000, ge=0)
    """Characters of earlier turns that a model is shown."""
    context_turn_chars: int = Field(default=2_000, ge=0)
    """Of each of those turns the last so many."""
    piece_chars: int = Field(default=20_000, ge=1_000, le=50_000)
    """Characters read in one call; longer texts are read in pieces."""


class PipelineSettings(Table):
    """The steps, a table each: ``[pipeline.entity_extraction]``; strategies, and switches of their providers."""

    entity_extraction: StepSettings = StepSettings()
    strategies: Annotated[dict[str, Composition], AfterValidator(with_packaged)] = Field(
        default_factory=lambda: dict(STRATEGIES)
    )
    """Beside the packaged ones, or instead."""
    providers: dict[ProviderName, ProviderSwitch] = Field(default_factory=dict[ProviderName, ProviderSwitch])
    """Each on or off in all strategies, with its seconds."""

    @model_validator(mode="after")
    def _knows_the_strategy(self) -> Self:
        known = {*self.strategies, *RESERVED}
        if self.entity_extraction.strategy not in known:
            raise ValueError(
                f"There is no strategy {self.entity_extraction.strategy!r}. There is: {', '.join(sorted(known))}."
            )
        return self


PACKAGED_PRICES = {"anthropic/claude-haiku-4-5": PriceSettings(input=1.0, cached=0.1, output=5.0)}
