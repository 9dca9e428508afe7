"""A second provider of the model gives the vectors of texts while the first is away or slow, and of no question."""

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AsyncExitStack
from time import monotonic
from typing import Any

import pytest
import structlog

from graphmem.embed import fallback, http
from graphmem.embed.fallback import FallbackEmbedder, portions
from graphmem.embed.providers import ClosableEmbedder, embedder_of
from graphmem.errors import ConfigurationError, ModelUnavailable, NotEmbeddable
from graphmem.settings.extraction import OpenAISettings
from graphmem.settings.recall import EmbeddingSettings
from tests.fake_embeddings import KEY, POISON, FakeEmbeddings, fake_embeddings

MODEL, DIMENSIONS = "e5-made", 64
ENOUGH = 30.0
"""Seconds that nobody is to wait."""
Open = Callable[..., ClosableEmbedder]


@pytest.fixture
def first() -> Generator[FakeEmbeddings]:
    with fake_embeddings() as opened:
        yield opened


@pytest.fixture
def second() -> Generator[FakeEmbeddings]:
    with fake_embeddings() as opened:
        yield opened


@pytest.fixture
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that failed is asked again at once, unless the fall-back knows better."""
    monkeypatch.setattr(http, "AWAY_SECONDS", 0.0)


@pytest.fixture
async def both(first: FakeEmbeddings, second: FakeEmbeddings) -> AsyncGenerator[Open]:
    """Opens embedders on both servers; they are closed after the test."""
    async with AsyncExitStack() as stack:

        def opened(**changed: Any) -> ClosableEmbedder:
            server: dict[str, Any] = {"provider": "openai", "api_key": KEY, "attempts": 1}
            given = server | {"model": MODEL, "dimensions": DIMENSIONS, "timeout": ENOUGH, "base_url": first.url}
            given["fallback"] = server | {"base_url": second.url, "timeout": ENOUGH}
            made = embedder_of(EmbeddingSettings.model_validate(given | changed), OpenAISettings())
            stack.push_async_callback(made.aclose)
            return made

        yield opened


def slow(server: FakeEmbeddings) -> None:
    server.seconds = 1.0


def away(server: FakeEmbeddings) -> None:
    server.status = 503


def logged(entries: list[Any]) -> list[str]:
    return [entry["event"] for entry in entries if entry["event"].startswith("embedding.")]


async def test_while_the_first_answers_the_second_is_not_asked(
    both: Open, first: FakeEmbeddings, second: FakeEmbeddings
) -> None:
    embedder = both()
    (vector,) = await embedder.embed(["a"])
    assert vector == pytest.approx(first.embedding("a", DIMENSIONS), abs=1e-6)
    assert (embedder.model, embedder.dimensions, second.requests) == (MODEL, DIMENSIONS, [])


@pytest.mark.parametrize("fails", [slow, away])
async def test_where_the_first_fails_texts_get_the_vectors_of_the_second(
    both: Open, first: FakeEmbeddings, second: FakeEmbeddings, fails: Callable[[FakeEmbeddings], None]
) -> None:
    fails(first)
    vectors = await both(text_prefix="passage: ", timeout=0.2).embed(["a", "b"])
    assert vectors == [pytest.approx(second.embedding(f"passage: {text}", DIMENSIONS), abs=1e-6) for text in "ab"]


async def test_attempts_at_the_first_end_with_its_time(both: Open, first: FakeEmbeddings) -> None:
    first.status, first.wish = 503, ENOUGH
    began = monotonic()
    assert len(await both(attempts=9, timeout=0.2).embed(["a"])) == 1
    assert monotonic() - began < ENOUGH


@pytest.mark.parametrize("fails", [slow, away])
async def test_a_question_is_not_for_the_second(
    both: Open, first: FakeEmbeddings, second: FakeEmbeddings, fails: Callable[[FakeEmbeddings], None]
) -> None:
    fails(first)
    with pytest.raises(ModelUnavailable):
        await both(timeout=0.2).embed_query("a")
    assert second.requests == []


@pytest.mark.usefixtures("no_rest")
async def test_a_first_that_failed_rests_and_each_switch_is_logged_once(
    both: Open, first: FakeEmbeddings, second: FakeEmbeddings, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = both()
    away(first)
    with structlog.testing.capture_logs() as entries:
        for text in "abc":
            await embedder.embed([text])
        assert (len(first.requests), len(second.requests), logged(entries)) == (1, 3, ["embedding.fallback"])
        first.status = 200
        monkeypatch.setattr(fallback, "monotonic", lambda: monotonic() + fallback.REST_SECONDS)
        await embedder.embed(["d"])
    assert (len(first.requests), logged(entries)) == (2, ["embedding.fallback", "embedding.first_again"])


@pytest.mark.usefixtures("no_rest")
async def test_while_the_first_rests_it_is_asked_where_the_second_is_away_too(
    both: Open, first: FakeEmbeddings, second: FakeEmbeddings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fallback, "AGAIN_SECONDS", 0.0)
    embedder = both()
    away(first)
    await embedder.embed(["a"])
    first.status, second.status = 200, 503
    (vector,) = await embedder.embed(["b"])
    assert vector == pytest.approx(first.embedding("b", DIMENSIONS), abs=1e-6)


@pytest.mark.usefixtures("no_rest")
async def test_while_both_are_away_the_first_is_not_asked_for_each_text(
    both: Open, first: FakeEmbeddings, second: FakeEmbeddings
) -> None:
    embedder = both()
    away(first)
    away(second)
    for text in "abc":
        with pytest.raises(ModelUnavailable, match="Both embedding providers"):
            await embedder.embed([text])
    assert len(first.requests) == 1


async def test_both_away(both: Open, first: FakeEmbeddings, second: FakeEmbeddings) -> None:
    away(first)
    away(second)
    with pytest.raises(ModelUnavailable, match="Both embedding providers"):
        await both().embed(["a"])


async def test_vectors_of_another_length_are_refused(both: Open, first: FakeEmbeddings, second: FakeEmbeddings) -> None:
    away(first)
    second.body = {"data": [{"index": 0, "embedding": [1.0, 0.0]}]}
    with pytest.raises(ModelUnavailable, match=r"\[2\] dimensions"):
        await both().embed(["a"])


async def test_what_no_server_has_looked_at_is_refused_too(both: Open, second: FakeEmbeddings) -> None:
    """A model in this process looks at no length itself."""
    wide, narrow = both(fallback=None), both(fallback=None, dimensions=8, base_url=second.url)
    embedder = FallbackEmbedder(both(fallback=None, base_url="http://127.0.0.1:9/v1"), narrow, timeout=1.0, texts=4)
    with pytest.raises(ModelUnavailable, match="another length than 64"):
        await embedder.embed(["a"])
    assert len(await wide.embed(["a"])) == 1


async def test_a_text_that_the_first_refuses_is_not_for_the_second(both: Open, second: FakeEmbeddings) -> None:
    with pytest.raises(NotEmbeddable):
        await both().embed([POISON])
    assert second.requests == []


def test_portions_are_bounded_and_hold_each_text_once_in_order() -> None:
    texts = ["a", "b", "c", "x" * 30_000, "d", "y" * 15_000, "z" * 15_000]
    parts = [list(part) for part in portions(texts, 2)]
    assert [text for part in parts for text in part] == texts
    assert [len(part) for part in parts] == [2, 1, 1, 2, 1]
    assert list(portions([], 2)) == []


SERVER = {"provider": "openai", "model": "text-embedding-3-small"}
OTHER = {"provider": "openai", "base_url": "http://127.0.0.1:9/v1"}
E5 = {"model": "e5-small-v2", "dimensions": 384}


@pytest.mark.parametrize(
    ("given", "second", "what_to_do"),
    [
        (SERVER, {"provider": "local", "model": "e5-small-v2"}, "do not mix"),
        (SERVER, OTHER | {"dimensions": 512}, "Leave it out"),
        (SERVER | {"dimensions": 512}, OTHER | {"dimensions": 256}, "have 512"),
        (SERVER, {"provider": "openai"}, "another provider, base_url or path"),
        (SERVER, {"provider": "openai", "path": "/srv/m"}, "path is of models"),
        (SERVER | {"base_url": "http://127.0.0.1:9/v1/"}, OTHER, "another provider, base_url or path"),
        (SERVER, {"provider": "local"}, "no packaged model"),
        (SERVER, {"provider": "local", "path": "/srv/m", "base_url": "http://127.0.0.1:9"}, "is of provider openai"),
        ({"model": "mine", "path": "/srv/m"}, {"provider": "openai"}, r"set embedding\.dimensions"),
        (E5 | {"provider": "openai"}, {"provider": "local"}, r"Set embedding\.text_prefix"),
        (E5 | {"provider": "openai", "dimensions": 128, "text_prefix": "passage: "}, {"provider": "local"}, "be cut"),
    ],
)
def test_a_fall_back_that_would_give_other_vectors_is_refused_at_start(
    given: dict[str, Any], second: dict[str, Any], what_to_do: str
) -> None:
    settings = EmbeddingSettings.model_validate(given | {"fallback": second})
    with pytest.raises(ConfigurationError, match=what_to_do):
        embedder_of(settings, OpenAISettings())


def test_a_server_that_stands_in_for_a_packaged_model_gets_its_dimensions_and_prefix() -> None:
    given = {"model": "e5-small-v2", "fallback": OTHER}
    assert embedder_of(EmbeddingSettings.model_validate(given), OpenAISettings()).dimensions == 384
