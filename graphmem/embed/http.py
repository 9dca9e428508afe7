"""Embedding on a server that speaks OpenAI's format, of OpenAI or anybody else.

https://platform.openai.com/docs/api-reference/embeddings
"""

import asyncio
from collections.abc import Sequence
from time import monotonic

import numpy as np
import openai
from pydantic import BaseModel, ValidationError

from graphmem.embed.encoders import Vectors
from graphmem.embed.requests import EmbeddingRequest
from graphmem.errors import ConfigurationError, GraphmemError, ModelUnavailable, NotEmbeddable
from graphmem.model.embedding import Vector
from graphmem.settings.extraction import OPENAI_URL, OpenAISettings
from graphmem.settings.recall import EmbeddingSettings

DIMENSIONS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}
"""Of OpenAI's own models, where none are asked for."""
READ_CHARS = 8_000
"""So many characters of a text are sent: of some scripts each is a token, and models refuse more than 8,191."""
CALL_CHARS = 100_000
"""Characters of one call: OpenAI takes 300,000 tokens."""
AT_ONCE = 4
"""Calls at once, but for questions, which do not wait."""
AWAY_SECONDS = 5.0
"""After calls in vain nothing but questions is sent for so long: else each text would wait for the time-outs again."""
LONGEST_PAUSE = 20.0
"""Seconds between two attempts, at the mean: a server may wish for more, and is not waited for then."""
_NO_KEY = "none"
"""The client demands a key; servers of one's own take any."""
_TEXT = frozenset({400, 413, 422})
"""What may be the fault of a text."""


class _Embedding(BaseModel):
    index: int
    embedding: list[float]


class _VectorsAnswer(BaseModel):
    """What is needed of an answer: servers other than OpenAI's leave the rest out."""

    data: list[_Embedding]


class _Refused(GraphmemError):
    """The server takes the request for a wrong one."""


class HttpEmbedder:
    """A model on a server. What ``LocalEmbedder`` raises, it raises."""

    def __init__(self, settings: EmbeddingSettings, provider: OpenAISettings) -> None:
        """The server and the key are those of ``settings``, else of ``provider``.

        Raises:
            ConfigurationError: nothing says how many dimensions the model's vectors have.
        """
        dimensions = settings.dimensions or DIMENSIONS.get(settings.model)
        if dimensions is None:
            raise ConfigurationError(
                f"How many dimensions vectors of {settings.model!r} have is not known. Set embedding.dimensions."
            )
        key = settings.api_key or provider.api_key
        self._dimensions = dimensions
        self._settings = settings
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._away_until = 0.0
        self._client = openai.AsyncOpenAI(
            api_key=key.get_secret_value() if key else _NO_KEY,
            base_url=settings.base_url or provider.base_url or OPENAI_URL,
            timeout=settings.timeout,
            max_retries=settings.attempts - 1,
        )

    @property
    def model(self) -> str:
        return self._settings.model

    @property
    def dimensions(self) -> int:
        return self._dimensions

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of texts.

        Raises:
            ModelUnavailable: the server does not answer, refuses the key, or does not know the model.
            NotEmbeddable: it refuses one of the texts, and takes others.
        """
        if not texts:
            return []
        if monotonic() < self._away_until:
            raise ModelUnavailable(f"The embedding server did not answer some seconds ago; {AWAY_SECONDS:g} s of rest.")
        request = EmbeddingRequest([f"{self._settings.text_prefix}{text}"[:READ_CHARS] for text in texts])
        async with self._at_once:
            try:
                while some := self._next(request):
                    request.put(list(await self._encoded(some)))
            except ModelUnavailable:
                self._away_until = monotonic() + AWAY_SECONDS
                raise
        return request.answer.result()

    async def embed_query(self, text: str) -> Vector:
        request = EmbeddingRequest([f"{self._settings.query_prefix}{text}"[:READ_CHARS]])
        request.put(list(await self._encoded(request.next(1))))
        return request.answer.result()[0]

    async def aclose(self) -> None:
        await self._client.close()

    def _next(self, request: EmbeddingRequest) -> list[str]:
        """Texts for one call: the longest of those left come first."""
        longest = request.next(1)
        if not longest:
            return []
        return request.next(max(1, min(self._settings.request_texts, CALL_CHARS // max(1, len(longest[0])))))

    async def _encoded(self, texts: Sequence[str]) -> Vectors:
        try:
            return self._read(await self._answer(texts), len(texts))
        except _Refused as error:
            fault = error
        try:
            await self._answer(["text"])
        except _Refused as error:
            raise ModelUnavailable(f"The embedding server refuses every request: {error}") from error
        raise NotEmbeddable(f"The embedding server refuses it, and takes other texts: {fault}") from fault

    async def _answer(self, texts: Sequence[str]) -> bytes:
        """The body of an answer. What a server says of an error may hold the text, and is not repeated.

        Raises:
            _Refused, ModelUnavailable: there is none.
        """
        patience = self._settings.attempts * (self._settings.timeout + LONGEST_PAUSE)
        try:
            async with asyncio.timeout(patience):
                answer = await self._client.embeddings.with_raw_response.create(
                    model=self.model,
                    input=list(texts),
                    encoding_format="float",
                    dimensions=self._settings.dimensions or openai.omit,
                )
        except openai.APIStatusError as error:
            if error.status_code in _TEXT:
                raise _Refused(f"status {error.status_code}") from None
            raise ModelUnavailable(
                f"The embedding server answers with status {error.status_code}. Where that lasts, look at "
                "embedding.base_url, embedding.api_key and embedding.model."
            ) from None
        except openai.APIConnectionError as error:
            problem = type(error.__cause__).__name__
            raise ModelUnavailable(f"The embedding server does not answer: {problem}.") from error
        except TimeoutError as error:
            raise ModelUnavailable(f"The embedding server is busy for longer than {patience:g} s.") from error
        return answer.content

    def _read(self, answer: bytes, texts: int) -> Vectors:
        """The vectors in the order of the texts.

        Raises:
            ModelUnavailable: there are none.
        """
        try:
            vectors = sorted(_VectorsAnswer.model_validate_json(answer).data, key=lambda vector: vector.index)
        except ValidationError as error:
            raise ModelUnavailable("The embedding server answers in another format than OpenAI's.") from error
        lengths = {len(vector.embedding) for vector in vectors}
        if len(vectors) != texts or lengths != {self._dimensions}:
            raise ModelUnavailable(
                f"The embedding server gives {len(vectors)} vectors of {sorted(lengths)} dimensions for {texts} texts; "
                f"{self._dimensions} are expected. Set embedding.dimensions."
            )
        return np.array([vector.embedding for vector in vectors], dtype=np.float32)
