"""How much is asked of a provider of language models: calls at once, and a minute, whoever asks."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from aiolimiter import AsyncLimiter

_MINUTE = 60.0


class Limits:
    """Of each provider the same: models of one provider, and extractors that ask the same ones, share them."""

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
            limiter = AsyncLimiter(self._per_minute, _MINUTE) if self._per_minute else None
            self._of[provider] = (asyncio.Semaphore(self._at_once), limiter)
        at_once, per_minute = self._of[provider]
        async with AsyncExitStack() as turn:
            await turn.enter_async_context(at_once)
            if per_minute is not None:
                await turn.enter_async_context(per_minute)
            yield
