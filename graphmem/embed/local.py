"""Embedding in this process, off the event loop.

All work runs on one thread of ours, and calls that wait for it together become one batch. Only a full batch is worth
more than one thread of the model's: on a busy machine, a short text on two is slower than on one.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from graphmem.embed.chunks import chunks
from graphmem.embed.encoders import DIMENSIONS, Encoder, load
from graphmem.errors import ModelUnavailable
from graphmem.model.embedding import Vector
from graphmem.settings import EmbeddingSettings

_CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class _Request:
    texts: list[str]
    answer: "asyncio.Future[list[Vector]]"


class LocalEmbedder:
    """A model in this process, loaded on first use or by ``warm``."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        self._settings = settings
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embed")
        self._waiting: list[_Request] = []
        self._running: asyncio.Task[None] | None = None

    @property
    def model(self) -> str:
        return self._settings.model

    @property
    def dimensions(self) -> int:
        """Known without loading for the models we know; else the model is asked."""
        return DIMENSIONS.get(self.model) or len(self._encode(["dimensions"], 1)[0])

    def warm(self) -> None:
        """Load the model, which takes seconds.

        Raises:
            ModelUnavailable: it is not where the settings say.
        """
        self._thread.submit(self._encode, ["warm"], 1).result()

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        if not texts:
            return []
        request = _Request(list(texts), asyncio.get_running_loop().create_future())
        self._waiting.append(request)
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._drain())
        return await request.answer

    async def embed_query(self, text: str) -> Vector:
        loop = asyncio.get_running_loop()
        vectors = await loop.run_in_executor(self._thread, self._encode, [text], self._settings.query_threads)
        return vectors[0]

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _drain(self) -> None:
        """Answer what waits, a batch at a time; what arrives meanwhile is the next batch."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch = self._take_batch()
            texts = [text for request in batch for text in request.texts]
            full = len(texts) >= self._settings.batch_size
            threads = self._settings.batch_threads if full else self._settings.query_threads
            encoding = loop.run_in_executor(self._thread, self._encode, texts, threads)
            try:
                vectors = iter(await encoding)
            except ModelUnavailable as error:
                _answer(batch, error)
                continue
            for request in batch:
                answer = [next(vectors) for _ in request.texts]
                if not request.answer.done():
                    request.answer.set_result(answer)

    def _take_batch(self) -> list[_Request]:
        batch: list[_Request] = []
        size = 0
        while self._waiting and size < self._settings.batch_size:
            batch.append(self._waiting.pop(0))
            size += len(batch[-1].texts)
        return batch

    @cached_property
    def _encoder(self) -> Encoder:
        return load(self._settings)

    def _encode(self, texts: list[str], threads: int) -> list[Vector]:
        limit = self._encoder.window * _CHARACTERS_PER_TOKEN
        pieces = [chunks(text, limit) or [text] for text in texts]
        flat = [piece for parts in pieces for piece in parts]
        encoded = self._encoder.encode(flat, batch_size=self._settings.batch_size, threads=threads)
        ends = np.cumsum([len(parts) for parts in pieces])[:-1]
        return [_unit(part.mean(axis=0)) for part in np.split(encoded, ends)]


def _answer(batch: Sequence[_Request], error: ModelUnavailable) -> None:
    for request in batch:
        if not request.answer.done():
            request.answer.set_exception(error)


def _unit(vector: np.ndarray) -> Vector:
    """Length one; Neo4j stores a zero vector silently and never finds it."""
    length = float(np.linalg.norm(vector))
    if length == 0:
        raise ModelUnavailable("The embedding model returned a zero vector.")
    return (vector / length).tolist()
