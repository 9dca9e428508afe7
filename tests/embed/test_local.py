"""Every call of the embedder ends, and a query passes the batches that wait."""

import asyncio
import threading
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from graphmem.embed import local
from graphmem.embed.encoders import Encoder, Vectors
from graphmem.embed.local import LocalEmbedder
from graphmem.errors import ModelUnavailable, NotEmbeddable
from graphmem.settings.recall import EmbeddingSettings

POISON = "poison"
BATCH = 4


class RecordingEncoder:
    """Writes down the batches that it is given; raises for texts that hold ``POISON``; waits while it is held."""

    max_tokens = 8

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken
        self.batches: list[list[str]] = []
        self.started = threading.Event()
        self.held = threading.Event()
        self.held.set()

    def encode(self, texts: Sequence[str], *, batch_size: int, threads: int) -> Vectors:
        del batch_size, threads
        self.batches.append(list(texts))
        self.started.set()
        assert self.held.wait(30)
        if self.broken or any(POISON in text for text in texts):
            raise RuntimeError("the session is broken")
        return np.array([[len(text) + 1.0, 1.0] for text in texts], dtype=np.float32)


Embedding = Callable[[Callable[[EmbeddingSettings], Encoder]], LocalEmbedder]


@pytest.fixture
def embedding(monkeypatch: pytest.MonkeyPatch) -> Embedding:
    """An embedder whose model is loaded by the given function."""

    def opened(load: Callable[[EmbeddingSettings], Encoder]) -> LocalEmbedder:
        monkeypatch.setattr(local, "load", load)
        return LocalEmbedder(EmbeddingSettings(model="all-mpnet-base-v2", batch_size=BATCH))

    return opened


@pytest.mark.parametrize("error", [ImportError("no such library"), RuntimeError("onnxruntime: out of memory")])
async def test_unforeseen_error_of_loading_ends_every_call_and_the_next_one_tries_again(
    embedding: Embedding, error: Exception
) -> None:
    errors = [error] * 4

    def load(settings: EmbeddingSettings) -> Encoder:
        del settings
        if errors:
            raise errors.pop()
        return RecordingEncoder()

    embedder = embedding(load)
    for call in (embedder.embed(["one", "two"]), embedder.embed_query("one"), asyncio.to_thread(embedder.warm)):
        with pytest.raises(ModelUnavailable, match=str(error)) as raised:
            await asyncio.wait_for(call, 10)
        assert raised.value.__cause__ is error
    errors.clear()
    assert len(await embedder.embed(["one", "two"])) == 2


async def test_text_that_breaks_the_model_fails_alone(embedding: Embedding) -> None:
    embedder = embedding(lambda _: RecordingEncoder())
    calls = [embedder.embed([text]) for text in ("one", POISON, "two")]
    one, poisoned, two = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 10)  # noqa: TID251
    assert isinstance(poisoned, NotEmbeddable)
    assert isinstance(poisoned.__cause__, RuntimeError)
    assert [one, two] == [await embedder.embed(["one"]), await embedder.embed(["two"])]


async def test_a_model_that_fails_at_every_text_is_unavailable(embedding: Embedding) -> None:
    embedder = embedding(lambda _: RecordingEncoder(broken=True))
    with pytest.raises(ModelUnavailable, match="the session is broken"):
        await asyncio.wait_for(embedder.embed(["one"]), 10)


@pytest.mark.parametrize("length", [0.0, np.nan, np.inf])
async def test_a_text_whose_vector_has_no_length_is_no_fault_of_the_model(embedding: Embedding, length: float) -> None:
    class Lengthless(RecordingEncoder):
        def encode(self, texts: Sequence[str], *, batch_size: int, threads: int) -> Vectors:
            del batch_size, threads
            return np.array([[length, 0.0] for _ in texts], dtype=np.float32)

    with pytest.raises(NotEmbeddable):
        await asyncio.wait_for(embedding(lambda _: Lengthless()).embed(["one"]), 10)


async def test_few_texts_that_are_long_wait_like_many(embedding: Embedding) -> None:
    encoder = RecordingEncoder()
    encoder.held.clear()
    embedder = embedding(lambda _: encoder)
    first = asyncio.create_task(embedder.embed(["first"]))
    await asyncio.to_thread(encoder.started.wait, 10)
    long = asyncio.create_task(embedder.embed(["x " * local.FEW_CHARS]))
    await asyncio.sleep(0)
    short = asyncio.create_task(embedder.embed(["short"]))
    await asyncio.sleep(0)
    encoder.held.set()
    await asyncio.wait_for(asyncio.wait({first, long, short}), 30)

    assert encoder.batches[1][0] == "short"


async def test_query_goes_before_the_rest_of_a_batch(embedding: Embedding) -> None:
    encoder = RecordingEncoder()
    encoder.held.clear()
    embedder = embedding(lambda _: encoder)
    texts = [f"text {number}" for number in range(10 * BATCH)]
    batch = asyncio.create_task(embedder.embed(texts))
    await asyncio.to_thread(encoder.started.wait, 30)
    query = asyncio.create_task(embedder.embed_query("query"))
    await asyncio.sleep(0)
    encoder.held.set()
    await query
    assert len(await batch) == len(texts)
    assert encoder.batches[1] == ["query"]
    assert max(map(len, encoder.batches)) == BATCH


async def test_a_call_of_one_text_goes_before_the_rest_of_one_of_many(embedding: Embedding) -> None:
    encoder = RecordingEncoder()
    encoder.held.clear()
    embedder = embedding(lambda _: encoder)
    texts = [f"text {number}" for number in range(10 * BATCH)]
    many = asyncio.create_task(embedder.embed(texts))
    await asyncio.to_thread(encoder.started.wait, 30)
    one = asyncio.create_task(embedder.embed(["one"]))
    await asyncio.sleep(0)
    encoder.held.set()
    await one
    assert len(await many) == len(texts)
    assert encoder.batches[1][0] == "one"
    assert len(encoder.batches[1]) == BATCH


async def test_vectors_come_in_the_order_of_their_texts(embedding: Embedding) -> None:
    """Texts are encoded by length."""
    embedder = embedding(lambda _: RecordingEncoder())
    texts = ["word " * (number * 7 % 23) for number in range(3 * BATCH)]
    together = await embedder.embed(texts)
    assert together == [(await embedder.embed([text]))[0] for text in texts]


async def test_call_given_up_is_not_worked_on(embedding: Embedding) -> None:
    encoder = RecordingEncoder()
    encoder.held.clear()
    embedder = embedding(lambda _: encoder)
    given_up = asyncio.create_task(embedder.embed(["long text"] * 10 * BATCH))
    await asyncio.to_thread(encoder.started.wait, 30)
    given_up.cancel()
    with pytest.raises(asyncio.CancelledError):
        await given_up
    encoder.held.set()
    await embedder.embed(["next"])
    assert len(encoder.batches) == 2


async def test_closing_ends_what_waits(embedding: Embedding) -> None:
    encoder = RecordingEncoder()
    encoder.held.clear()
    embedder = embedding(lambda _: encoder)
    batch = asyncio.create_task(embedder.embed(["one"] * 3 * BATCH))
    query = asyncio.create_task(embedder.embed_query("two"))
    await asyncio.to_thread(encoder.started.wait, 30)
    embedder.close()
    encoder.held.set()
    with pytest.raises(ModelUnavailable, match="closed"):
        await asyncio.wait_for(batch, 10)
    with pytest.raises(ModelUnavailable, match="closed"):
        await asyncio.wait_for(query, 10)
    with pytest.raises(ModelUnavailable, match="closed"):
        await embedder.embed(["three"])


async def test_texts_of_several_calls_become_one_batch(embedding: Embedding) -> None:
    encoder = RecordingEncoder()
    encoder.held.clear()
    embedder = embedding(lambda _: encoder)
    first = asyncio.create_task(embedder.embed(["first"]))
    await asyncio.to_thread(encoder.started.wait, 30)
    rest = [asyncio.create_task(embedder.embed([text])) for text in ("two", "three", "four")]
    await asyncio.sleep(0)
    encoder.held.set()
    for call in (first, *rest):
        await call
    assert encoder.batches == [["first"], ["two", "three", "four"]]


async def test_queries_that_were_given_up_take_no_thread_and_are_left_out(embedding: Embedding) -> None:
    encoder = RecordingEncoder()
    encoder.held.clear()
    embedder = embedding(lambda _: encoder)
    first = asyncio.create_task(embedder.embed_query("first"))
    await asyncio.to_thread(encoder.started.wait, 10)
    threads = set(threading.enumerate())
    for number in range(20):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(embedder.embed_query(f"given up {number}"), 0.01)
    assert set(threading.enumerate()) - threads == set()  # of other tests, threads may end meanwhile
    encoder.held.set()

    assert len(await embedder.embed_query("last")) == len(await first)
    assert encoder.batches == [["first"], ["last"]]
