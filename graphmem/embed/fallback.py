"""Two providers of one embedding model: the second gives the vectors of texts while the first is away or slow.

Questions are the first's alone: a search would rather go by full text than wait for two.
See docs/decisions/0101-a-second-provider.md.
"""

import asyncio
from collections.abc import Generator, Sequence
from time import monotonic
from typing import Protocol

import structlog

from graphmem.errors import ModelUnavailable
from graphmem.model.embedding import Embedder, Vector, Warmable

REST_SECONDS = 30.0
"""After it failed the first is left alone for so long; then one call tries it."""
AGAIN_SECONDS = 5.0
"""Where the second is away too, the first is tried before it has rested, but not more often than this."""
PORTION_CHARS = 20_000
"""The most characters in one call of the first provider."""

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class ClosableEmbedder(Embedder, Protocol):
    async def aclose(self) -> None:
        """End every call that waits."""
        ...


class FallbackEmbedder:
    """The model of ``first``, with ``second`` in its place at ingest; vectors of another length are refused.

    ``first`` has ``timeout`` seconds for each portion, of at most ``texts`` texts, and as many times that as there are
    portions at once: they may wait for each other.
    """

    def __init__(self, first: ClosableEmbedder, second: ClosableEmbedder, *, timeout: float, texts: int) -> None:
        self._first, self._second = first, second
        self._timeout, self._texts = timeout, texts
        self._switched = False
        self._rests_until = 0.0
        self._failed_at = -AGAIN_SECONDS
        self._at_once = 0

    @property
    def model(self) -> str:
        return self._first.model

    @property
    def dimensions(self) -> int:
        return self._first.dimensions

    def warm(self) -> None:
        """Load the first model, if it is in this process. The second is loaded when it is needed."""
        if isinstance(self._first, Warmable):
            self._first.warm()

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of texts.

        Raises:
            ModelUnavailable: both providers are away.
            NotEmbeddable: a provider fails at one of the texts, and at others not.
        """
        return [vector for part in portions(texts, self._texts) for vector in await self._embedded(part)]

    async def embed_query(self, text: str) -> Vector:
        return await self._first.embed_query(text)

    async def aclose(self) -> None:
        try:
            await self._first.aclose()
        finally:
            await self._second.aclose()

    async def _embedded(self, texts: Sequence[str]) -> list[Vector]:
        """Ask one provider, and the other where that is away."""
        prefers_first = self._prefers_first()
        try:
            return await (self._by_first(texts) if prefers_first else self._by_second(texts))
        except ModelUnavailable as error:
            reason = error
        if not prefers_first and monotonic() < self._failed_at + AGAIN_SECONDS:
            raise ModelUnavailable(f"Both embedding providers are away. {reason}") from reason
        try:
            return await (self._by_second(texts) if prefers_first else self._by_first(texts))
        except ModelUnavailable as error:
            raise ModelUnavailable(f"Both embedding providers are away. {reason} {error}") from error

    def _prefers_first(self) -> bool:
        """Whether the first is to be asked before the second: it works, or has rested and nobody else tries it."""
        if not self._switched:
            return True
        if monotonic() < self._rests_until:
            return False
        self._rests_until = monotonic() + REST_SECONDS
        return True

    async def _by_first(self, texts: Sequence[str]) -> list[Vector]:
        self._at_once += 1
        seconds = self._timeout * self._at_once
        try:
            async with asyncio.timeout(seconds):
                vectors = await self._first.embed(texts)
        except TimeoutError as error:
            failure = ModelUnavailable(f"The embedding model took longer than {seconds:g} s.")
            self._switch_to_second(failure)
            raise failure from error
        except ModelUnavailable as error:
            self._switch_to_second(error)
            raise
        finally:
            self._at_once -= 1
        self._switch_back()
        return vectors

    async def _by_second(self, texts: Sequence[str]) -> list[Vector]:
        vectors = await self._second.embed(texts)
        if {len(vector) for vector in vectors} != {self.dimensions}:
            raise ModelUnavailable(
                f"The fall-back gives vectors of another length than {self.dimensions}: it has another model. "
                "See embedding.fallback."
            )
        return vectors

    def _switch_to_second(self, reason: ModelUnavailable) -> None:
        self._failed_at = monotonic()
        self._rests_until = self._failed_at + REST_SECONDS
        if not self._switched:
            self._switched = True
            log.warning("embedding.fallback", model=self.model, reason=str(reason))

    def _switch_back(self) -> None:
        if self._switched:
            self._switched = False
            log.info("embedding.first_again", model=self.model)


def portions(texts: Sequence[str], most: int) -> Generator[Sequence[str]]:
    """The texts in order, at most so many and ``PORTION_CHARS`` at a time; a longer text comes alone."""
    start = chars = 0
    for end, text in enumerate(texts):
        if end > start and (end - start == most or chars + len(text) > PORTION_CHARS):
            yield texts[start:end]
            start, chars = end, 0
        chars += len(text)
    if texts:
        yield texts[start:]
