"""Language models by instructor's provider strings, asked one after the other until one gives an answer.

Only here are instructor and the SDKs of providers known. Their own retries are off: what is tried again, how often and
after which pause is decided in one place, for every provider alike. instructor re-asks where an answer does not parse.

https://python.useinstructor.com/  https://docs.anthropic.com/en/api/errors
"""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from time import perf_counter
from typing import Any, cast

import anthropic
import instructor
import openai
import structlog
from instructor.core.exceptions import IncompleteOutputException, InstructorRetryException
from instructor.core.hooks import HookName, Hooks
from openai.types.chat import ChatCompletion
from pydantic import BaseModel, ValidationError
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt, wait_random_exponential

from graphmem.errors import ConfigurationError, GraphmemError, ModelUnavailable, UnusableAnswer
from graphmem.extract.llm.schema import Filled
from graphmem.extract.llm.usage import Limits, UsageTotal
from graphmem.model.fragment import Usage
from graphmem.settings.extraction import OpenAISettings, PriceSettings, ProviderSettings, StepSettings

log = structlog.get_logger(__name__)
logging.getLogger("instructor").setLevel(logging.CRITICAL)  # it logs what models answered: content


@cache
def _form(of: type[BaseModel]) -> Any:
    """Made once: of a form that is not its own kind, instructor makes one with every call, and its JSON schema."""
    return instructor.response_schema(of)


@cache
def _schema(of: type[BaseModel]) -> str:
    return json.dumps(of.model_json_schema())


_LONGEST_PAUSE = 20.0
_BUSY = frozenset({408, 409, 429, *range(500, 600)})
_NOT_PARSED = (ValidationError, ValueError)
_TOO_LONG = ("prompt is too long", "context_length_exceeded", "maximum context length", "exceed_context_size")
"""What an answer of 400 says of a text that is too long: Anthropic, OpenAI, servers of its format, llama.cpp."""


@dataclass(slots=True)
class Tally:
    """What the calls of one reading took, whether or not they led to an answer."""

    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    refused: bool = False

    def add(self, response: object) -> None:
        """Count a response of either wire format."""
        usage = getattr(response, "usage", None)
        self.calls += 1
        if isinstance(response, anthropic.types.Message):
            self.input_tokens += response.usage.input_tokens + (response.usage.cache_creation_input_tokens or 0)
            self.cached_tokens += response.usage.cache_read_input_tokens or 0
            self.output_tokens += response.usage.output_tokens
            self.refused = response.stop_reason == "refusal"
        elif isinstance(usage, openai.types.CompletionUsage):
            details = usage.prompt_tokens_details
            cached = (details.cached_tokens if details else 0) or 0
            self.input_tokens += usage.prompt_tokens - cached
            self.cached_tokens += cached
            self.output_tokens += usage.completion_tokens
        if isinstance(response, ChatCompletion):
            self.refused = any(
                choice.message.refusal or choice.finish_reason == "content_filter" for choice in response.choices
            )


class LanguageModel:
    """One provider and model."""

    def __init__(
        self, name: str, step: StepSettings, provider: ProviderSettings, price: PriceSettings | None, limits: Limits
    ) -> None:
        self.name = name
        self._step = step
        self._price = price
        self._anthropic = name.startswith("anthropic/")
        self._openai = name.startswith("openai/") and provider.base_url is None
        self._client = _client(name, provider)
        self._limits = limits

    async def fill(self, form: type[Filled], system: str, document: str, usage: UsageTotal) -> Filled:
        """The filled-in form for a document.

        Raises:
            ModelUnavailable: it did not answer, or was busy, as often as it was asked.
            UnusableAnswer: it refused, ran into its token limit, or did not fill in the form, though asked again.
            ConfigurationError: the key, the model's name or a setting is wrong.
        """
        tally, began = Tally(), perf_counter()
        attempts = AsyncRetrying(
            stop=stop_after_attempt(self._step.attempts),
            wait=self._pause,
            retry=retry_if_exception(lambda error: isinstance(error, ModelUnavailable)),
            reraise=True,
        )
        try:
            return cast("Filled", await attempts(self._ask, form, system, document, tally))
        finally:
            usage.add(self._usage(tally, usage.prompt, perf_counter() - began))

    async def aclose(self) -> None:
        close = getattr(self._client.client, "close", None)
        if close is not None:
            await close()

    async def _ask(self, form: type[BaseModel], system: str, document: str, tally: Tally) -> BaseModel:
        hooks = Hooks()
        hooks.on(HookName.COMPLETION_RESPONSE, tally.add)
        again = AsyncRetrying(
            stop=stop_after_attempt(1 + self._step.reasks),
            retry=retry_if_exception(lambda error: isinstance(error, _NOT_PARSED) and not tally.refused),
            reraise=True,
        )
        async with self._limits.of(self.name):
            try:
                return await self._client.create(
                    response_model=_form(form),
                    messages=self._messages(form, system, document),
                    max_retries=again,
                    hooks=hooks,
                    **self._sampling(),
                    **self._limit(),
                    timeout=self._step.timeout,
                )
            except IncompleteOutputException as error:
                raise UnusableAnswer(f"{self.name} ran into its limit of {self._step.max_tokens} tokens.") from error
            except InstructorRetryException as error:
                raise self._meant(error.__cause__ or error, tally) from error

    def _messages(self, form: type[BaseModel], system: str, document: str) -> list[Any]:
        """What stays the same comes first, marked for the provider's cache where that has to be asked for.

        Who is asked for JSON is shown the form, too: servers such as llama.cpp only hold the answer to it, unseen.
        """
        if self._client.mode == instructor.Mode.JSON_SCHEMA:
            system = f"{system}\n\nAnswer in JSON that fits this schema:\n{_schema(form)}"
        cached = [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]
        return [
            {"role": "system", "content": cached if self._anthropic else system},
            {"role": "user", "content": document},
        ]

    def _sampling(self) -> dict[str, Any]:
        """Anthropic's SDK has no parameter for the temperature any more; its API takes it where the model does."""
        if self._step.temperature is None:
            return {}
        chosen = {"temperature": self._step.temperature}
        return {"extra_body": chosen} if self._anthropic else chosen

    def _limit(self) -> dict[str, Any]:
        """OpenAI's newer models refuse the name that all others know."""
        return {"max_completion_tokens" if self._openai else "max_tokens": self._step.max_tokens}

    def _meant(self, error: BaseException, tally: Tally) -> BaseException:
        """The error of ours that a failed call amounts to. Theirs may quote content; it stays the cause."""
        if isinstance(error, (anthropic.APIStatusError, openai.APIStatusError)):
            if _is_too_long(error):
                return UnusableAnswer(f"{self.name} cannot take a text of this length.")
            return self._answered(error.status_code, error.response.headers)
        if isinstance(error, (anthropic.APITimeoutError, openai.APITimeoutError)):
            return ModelUnavailable(f"{self.name} did not answer within {self._step.timeout:g} seconds.")
        if isinstance(error, (anthropic.APIConnectionError, openai.APIConnectionError)):
            return ModelUnavailable(f"{self.name} cannot be reached.")
        if not (tally.refused or isinstance(error, _NOT_PARSED)):  # instructor asserts that tools are not refused
            return error
        how = "refused to read this" if tally.refused else f"did not fill in the form in {tally.calls} answers"
        return UnusableAnswer(f"{self.name} {how}.")

    def _answered(self, status: int, headers: Mapping[str, str]) -> GraphmemError:
        if status in _BUSY:
            return Busy(f"{self.name} answered {status}.", _retry_after(headers))
        return ConfigurationError(f"{self.name} refuses the request ({status}). Check its key and [pipeline].")

    def _pause(self, state: RetryCallState) -> float:
        """As long as the provider asks for, else longer from time to time, by chance."""
        error = state.outcome.exception() if state.outcome else None
        asked = error.seconds if isinstance(error, Busy) else None
        if asked is not None:
            return min(asked, _LONGEST_PAUSE)
        return wait_random_exponential(multiplier=self._step.backoff_seconds, max=_LONGEST_PAUSE)(state)

    def _usage(self, tally: Tally, prompt: str, seconds: float) -> Usage:
        price = self._price
        cost = price and (
            tally.input_tokens * price.input + tally.cached_tokens * price.cached + tally.output_tokens * price.output
        )
        return Usage(
            model=self.name,
            prompt=prompt,
            calls=tally.calls,
            input_tokens=tally.input_tokens,
            cached_tokens=tally.cached_tokens,
            output_tokens=tally.output_tokens,
            cost=None if cost is None else round(cost / 1_000_000, 6),
            milliseconds=round(1000 * seconds, 1),
        )


class Busy(ModelUnavailable):
    """The language model is busy."""

    def __init__(self, message: str, seconds: float | None) -> None:
        super().__init__(message)
        self.seconds = seconds


class Chain:
    """Models asked one after the other until one answers."""

    def __init__(
        self,
        step: StepSettings,
        providers: Mapping[str, ProviderSettings],
        prices: Mapping[str, PriceSettings],
        limits: Limits | None = None,
    ) -> None:
        """``limits`` are those that others share; without them it has its own."""
        none, limits = ProviderSettings(), limits or Limits(step.concurrency, step.requests_per_minute)
        self.models: Sequence[LanguageModel] = [
            LanguageModel(name, step, providers.get(name.partition("/")[0], none), prices.get(name), limits)
            for name in step.models
        ]

    async def fill(self, form: type[Filled], system: str, document: str, usage: UsageTotal) -> Filled:
        """The first answer; what each of them took is added to ``usage``.

        Raises:
            ModelUnavailable | UnusableAnswer | ConfigurationError: what the last of them said.
        """
        *others, last = self.models
        for model in others:
            try:
                return await model.fill(form, system, document, usage)
            except (ModelUnavailable, UnusableAnswer, ConfigurationError) as error:
                log.warning("model.next", model=model.name, reason=str(error))
        return await last.fill(form, system, document, usage)

    async def aclose(self) -> None:
        for model in self.models:
            await model.aclose()


def _client(name: str, provider: ProviderSettings) -> "instructor.AsyncInstructor":
    """An instructor client that does not retry by itself.

    Raises:
        ConfigurationError: instructor does not know the provider, or lacks its package or key.
    """
    key = provider.api_key.get_secret_value() if provider.api_key else None
    try:
        if name.startswith("anthropic/"):
            client = anthropic.AsyncAnthropic(api_key=key, base_url=provider.base_url, max_retries=0)
            return instructor.from_anthropic(client, model=name.partition("/")[2])
        options: dict[str, Any] = {"base_url": provider.base_url} if provider.base_url else {}
        if isinstance(provider, OpenAISettings):
            options["mode"] = instructor.Mode[provider.mode.upper()]
        return instructor.from_provider(name, async_client=True, cache=None, api_key=key, max_retries=0, **options)
    except Exception as error:
        raise ConfigurationError(f"The model {name!r} cannot be used: {error}") from error


def _is_too_long(error: anthropic.APIStatusError | openai.APIStatusError) -> bool:
    """Whether the text is more than the model can read, which says nothing about the next one."""
    body = str(error.body)
    return error.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or (
        error.status_code == HTTPStatus.BAD_REQUEST and any(words in body for words in _TOO_LONG)
    )


def _retry_after(headers: Mapping[str, str]) -> float | None:
    try:
        return float(headers["retry-after"])
    except (KeyError, ValueError):
        return None
