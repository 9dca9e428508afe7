"""How much is asked of providers of language models, and what that took."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Protocol

from aiolimiter import AsyncLimiter

from graphmem.extract.llm.schema import Filled
from graphmem.model.fragment import Usage, usage_of


def logged(usage: Usage) -> dict[str, str | float | None]:
    """What logs say of calls."""
    read = usage.input_tokens + usage.cached_tokens
    counts = {"calls": usage.calls, "input_tokens": read, "output_tokens": usage.output_tokens}
    return {"model": usage.model, **counts, "cost": usage.cost}


class UsageTotal:
    """What models took for a prompt since the last ``take``, whether or not it led to an answer."""

    def __init__(self, prompt: str) -> None:
        self.prompt = prompt
        self._usages: list[Usage] = []

    def add(self, usage: Usage) -> None:
        if usage.calls:
            self._usages.append(usage)

    def take(self, fallback: str = "") -> Usage:
        """The total so far, which starts anew. ``model`` is the one that answered last; "" with a ``fallback``."""
        usages, self._usages = self._usages, []
        usage = usage_of(usages) or Usage(model="", prompt=self.prompt)
        return replace(usage, model="" if fallback else usage.model, fallback=fallback)


class FormModels(Protocol):
    """One or more language models that fill in a form (``graphmem.extract.llm.models.Chain``)."""

    async def fill(self, form: type[Filled], system: str, document: str, usage: UsageTotal) -> Filled: ...

    async def aclose(self) -> None: ...


class Limits:
    """How many calls each provider takes at once and in a minute: all its models, and all extractors, share that."""

    def __init__(self, at_once: int, per_minute: int) -> None:
        """``per_minute`` 0: no limit."""
        self._at_once = at_once
        self._per_minute = per_minute
        self._of: dict[str, tuple[asyncio.Semaphore, AsyncLimiter | None]] = {}

    @asynccontextmanager
    async def of(self, model: str) -> AsyncGenerator[None]:
        """Wait for one's turn to call a model, by instructor's name for it, and have it."""
        provider = model.partition("/")[0]
        if provider not in self._of:
            limiter = AsyncLimiter(self._per_minute, 60.0) if self._per_minute else None
            self._of[provider] = (asyncio.Semaphore(self._at_once), limiter)
        at_once, per_minute = self._of[provider]
        async with AsyncExitStack() as turn:
            await turn.enter_async_context(at_once)
            if per_minute is not None:
                await turn.enter_async_context(per_minute)
            yield
