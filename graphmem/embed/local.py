"""Embedding in this process, off the event loop: on ONNX Runtime, or with PyTorch by a model that has no export.

For one short text, ONNX Runtime takes a third of PyTorch's time, and it is imported in a tenth; the vectors are the
same to seven digits. See docs/decisions/0019-packaged-model-without-pytorch.md.

One thread encodes, a batch at a time. Before each batch it looks for queries, then for calls of few texts, so that
these wait for one batch at most, however many texts wait. Calls that wait together share batches. Only a full batch is
worth more than one thread of the model's: on a busy machine, a short text on two is slower than on one.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from graphmem.embed.encoders import Encoder, TransformerEncoder, Vectors
from graphmem.embed.exported import exported_model
from graphmem.embed.onnx import OnnxEncoder
from graphmem.embed.packaged import PACKAGED, packaged_model, prefixes
from graphmem.embed.requests import EmbeddingRequest
from graphmem.errors import GraphmemError, ModelUnavailable, NotEmbeddable
from graphmem.model.embedding import Vector
from graphmem.settings.recall import EmbeddingSettings

FEW, FEW_CHARS = 4, 8_000
"""Texts of a request that does not wait for those of many, and their characters: as an episode that came alone has."""


def load(settings: EmbeddingSettings) -> Encoder:
    """The model, loaded.

    Raises:
        ModelUnavailable: it is not there, or cannot be read.
    """
    if settings.path is not None:
        exported = exported_model(settings.path, settings.dimensions)
        return OnnxEncoder(*exported) if exported else TransformerEncoder(settings.path, settings.dimensions)
    model = packaged_model(settings)
    if model is None:
        raise ModelUnavailable(
            f"The model {settings.model!r} is not packaged. Set embedding.path to a folder that holds it, "
            f"or use one of {', '.join(PACKAGED)}."
        )
    return OnnxEncoder(model, model.find())


@dataclass(frozen=True, slots=True)
class _BatchPart:
    """Texts of one request, as part of a batch."""

    request: EmbeddingRequest
    texts: list[str]


class LocalEmbedder:
    """A model in this process, loaded on first use or by ``warm``. A load that failed is tried again by the next call.

    Every call ends: with vectors, or with ``ModelUnavailable``, or ``NotEmbeddable`` where the model works for other
    texts. Their ``__cause__`` is what the model raised.
    """

    def __init__(self, settings: EmbeddingSettings) -> None:
        self._settings, self._prefixes = settings, prefixes(settings)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embed")
        self._lock = threading.Lock()
        self._queries, self._few, self._many = (deque[EmbeddingRequest]() for _ in range(3))
        self._closed = False

    @property
    def model(self) -> str:
        return self._settings.model

    @property
    def dimensions(self) -> int:
        """Known without loading for the models we know, and where the settings say; else the model is asked, once."""
        model = packaged_model(self._settings)
        known = model.dimensions if model else self._settings.path and self._settings.dimensions
        return known or self._asked_dimensions

    @cached_property
    def _asked_dimensions(self) -> int:
        return len(self._ask(["dimensions"], self._queries).result()[0])

    def warm(self) -> None:
        """Load the model, which takes seconds.

        Raises:
            ModelUnavailable: it is not where the settings say, or a library that it needs is broken.
        """
        self._ask(["warm"], self._queries).result()

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        if not texts:
            return []
        few = len(texts) <= FEW and sum(map(len, texts)) <= FEW_CHARS
        wanted = [f"{self._prefixes.text}{text}" for text in texts]
        return await asyncio.wrap_future(self._ask(wanted, self._few if few else self._many))

    async def embed_query(self, text: str) -> Vector:
        return (await asyncio.wrap_future(self._ask([f"{self._prefixes.query}{text}"], self._queries)))[0]

    def close(self) -> None:
        """End every call that waits. A batch that is being encoded ends by itself."""
        with self._lock:
            self._closed = True
        self._fail_all(ModelUnavailable("The embedding model is closed: the service is stopping."))
        self._thread.shutdown(wait=False)

    async def aclose(self) -> None:
        self.close()

    def _ask(self, texts: Sequence[str], line: deque[EmbeddingRequest]) -> "Future[list[Vector]]":
        request = EmbeddingRequest(list(texts))
        with self._lock:
            if self._closed:
                raise ModelUnavailable("The embedding model is closed: the service is stopping.")
            line.append(request)
            self._thread.submit(self._work)
        return request.answer

    def _work(self) -> None:
        """Encode until nothing waits; what nobody foresaw ends everything that does."""
        try:
            with _as_unavailable():
                self._drain()
        except ModelUnavailable as error:
            self._fail_all(error)

    def _drain(self) -> None:
        _ = self._encoder  # if it cannot be loaded, that is no fault of a text
        while parts := self._next_batch():
            self._answer(parts)

    @cached_property
    def _encoder(self) -> Encoder:
        return load(self._settings)

    def _next_batch(self) -> list[_BatchPart]:
        """At most ``batch_size`` texts: of queries, or if there are none of requests of few texts, then of many."""
        with self._lock:
            for line in (self._queries, self._few, self._many):
                while line and line[0].ended:
                    line.popleft()
            return _fill(self._queries or chain(self._few, self._many), self._settings.batch_size)

    def _answer(self, parts: Sequence[_BatchPart]) -> None:
        """Encode a batch. One that fails is encoded again request by request: what breaks the model fails alone."""
        try:
            with _as_unavailable():
                vectors = iter(self._encode([text for part in parts for text in part.texts]))
        except ModelUnavailable as error:
            if len(parts) == 1:
                parts[0].request.fail(self._whose_fault(error))
            else:
                for part in parts:
                    self._answer([part])
            return
        for part in parts:
            part.request.put([next(vectors) for _ in part.texts])

    def _whose_fault(self, error: ModelUnavailable) -> GraphmemError:
        """The error of the model; that of the text, if the model works for another text."""
        try:
            with _as_unavailable():
                self._encode(["text"])
        except ModelUnavailable:
            return error
        fault = NotEmbeddable(f"The model raised {type(error.__cause__).__name__}, and works for other texts.")
        fault.__cause__ = error.__cause__
        return fault

    def _encode(self, texts: Sequence[str]) -> Vectors:
        size = self._settings.batch_size
        threads = self._settings.batch_threads if len(texts) >= size else self._settings.query_threads
        return self._encoder.encode(texts, batch_size=size, threads=threads)

    def _fail_all(self, error: ModelUnavailable) -> None:
        with self._lock:
            waiting = [*self._queries, *self._few, *self._many]
            for line in (self._queries, self._few, self._many):
                line.clear()
        for request in waiting:
            request.fail(error)


def _fill(line: Iterable[EmbeddingRequest], size: int) -> list[_BatchPart]:
    parts: list[_BatchPart] = []
    for request in line:
        if request.ended:
            continue
        texts = request.next(size)
        parts.append(_BatchPart(request, texts))
        size -= len(texts)
        if size <= 0:
            break
    return parts


@contextmanager
def _as_unavailable() -> Generator[None]:
    """Whatever a model's library raises becomes ours, with its cause; Rust's panics are no ``Exception``."""
    try:
        yield
    except ModelUnavailable:
        raise
    except BaseException as error:
        raise ModelUnavailable(f"The embedding model failed: {type(error).__name__}: {error}") from error
