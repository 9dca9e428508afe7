"""An embedding server in OpenAI's format: asked over HTTP, in calls of a bounded size, again where it is busy."""

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AsyncExitStack
from time import monotonic
from typing import Any

import pytest
from pydantic import SecretStr

from graphmem.embed import http
from graphmem.embed.http import HttpEmbedder
from graphmem.embed.providers import embedder_of
from graphmem.errors import ConfigurationError, ModelUnavailable, NotEmbeddable
from graphmem.settings.extraction import OpenAISettings
from graphmem.settings.recall import EmbeddingSettings
from tests.fake_embeddings import KEY, POISON, WHOLE, FakeEmbeddings, fake_embeddings

NO_KEY = OpenAISettings()
Open = Callable[..., HttpEmbedder]


@pytest.fixture
def server() -> Generator[FakeEmbeddings]:
    with fake_embeddings() as opened:
        yield opened


@pytest.fixture
async def embedder(server: FakeEmbeddings) -> AsyncGenerator[Open]:
    """Opens embedders with changed settings; they are closed after the test."""
    async with AsyncExitStack() as stack:

        def opened(**changed: Any) -> HttpEmbedder:
            given = {"provider": "openai", "model": "text-embedding-3-small", "base_url": server.url, "api_key": KEY}
            settings = EmbeddingSettings.model_validate({**given, **changed})
            found = HttpEmbedder(settings, NO_KEY)
            stack.push_async_callback(found.aclose)
            return found

        yield opened


async def test_each_text_gets_its_vector_whatever_the_order_of_the_answer(
    embedder: Open, server: FakeEmbeddings
) -> None:
    texts = ["a", "some more", "b"]

    vectors = await embedder().embed(texts)

    assert vectors == [pytest.approx(server.embedding(text, WHOLE), abs=1e-6) for text in texts]
    assert embedder().dimensions == WHOLE


async def test_dimensions_are_asked_for_and_known(embedder: Open, server: FakeEmbeddings) -> None:
    cut = embedder(dimensions=256)

    vector = await cut.embed_query("a")

    assert (len(vector), cut.dimensions, server.requests[0]["dimensions"]) == (256, 256, 256)


async def test_many_texts_go_in_calls_of_a_bounded_size(embedder: Open, server: FakeEmbeddings) -> None:
    vectors = await embedder(request_texts=10).embed([f"text {number}" for number in range(25)])

    assert [len(call) for call in server.texts] == [10, 10, 5]
    assert len(vectors) == 25


async def test_of_a_long_text_the_beginning_is_sent_in_calls_of_a_bounded_size(
    embedder: Open, server: FakeEmbeddings
) -> None:
    long = "So it was said. " * 20_000
    vectors = await embedder().embed([long] * 20)

    assert {text for call in server.texts for text in call} == {long[: http.READ_CHARS]}
    assert max(sum(map(len, call)) for call in server.texts) <= http.CALL_CHARS
    assert vectors == [await embedder().embed_query(long)] * 20


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_busy_server_is_asked_again(embedder: Open, server: FakeEmbeddings, status: int) -> None:
    server.faults = [status, status]

    assert len(await embedder().embed(["a"])) == 1
    assert len(server.requests) == 3


async def test_it_waits_as_long_as_the_server_wishes(embedder: Open, server: FakeEmbeddings) -> None:
    server.faults, server.wish, began = [429], 0.3, monotonic()

    await embedder().embed(["a"])

    assert monotonic() - began >= 0.3


async def test_a_server_that_wishes_for_too_much_is_not_waited_for(
    embedder: Open, server: FakeEmbeddings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "LONGEST_PAUSE", 0.1)
    server.faults, server.wish = [429], 60.0

    with pytest.raises(ModelUnavailable, match="busy for longer than"):
        await embedder(timeout=0.1).embed(["a"])


async def test_a_server_that_stays_away_is_unavailable_and_left_alone_for_a_while(
    embedder: Open, server: FakeEmbeddings
) -> None:
    server.status = 503
    away = embedder()
    with pytest.raises(ModelUnavailable, match="503"):
        await away.embed(["a"])
    asked = len(server.requests)
    with pytest.raises(ModelUnavailable, match="rest"):
        await away.embed(["a"])
    assert len(server.requests) == asked == 3

    server.status = 200
    assert len(await away.embed_query("questions are sent all the same")) == WHOLE


async def test_an_answer_that_takes_too_long_is_not_waited_for(embedder: Open, server: FakeEmbeddings) -> None:
    server.seconds = 1.0

    with pytest.raises(ModelUnavailable, match="ReadTimeout"):
        await embedder(timeout=0.1, attempts=1).embed(["a"])


async def test_nobody_listening_is_unavailable(embedder: Open) -> None:
    with pytest.raises(ModelUnavailable, match="ConnectError"):
        await embedder(base_url="http://127.0.0.1:9/v1", attempts=1).embed_query("a")


async def test_a_wrong_key_is_said_once_without_the_key(embedder: Open, server: FakeEmbeddings) -> None:
    with pytest.raises(ModelUnavailable, match="401") as raised:
        await embedder(api_key="secret-key").embed(["a"])

    assert len(server.requests) == 1
    assert "secret-key" not in str(raised.value)


async def test_a_text_that_is_refused_is_told_from_a_server_that_refuses_all(
    embedder: Open, server: FakeEmbeddings
) -> None:
    with pytest.raises(NotEmbeddable):
        await embedder().embed([POISON])
    server.status = 400
    with pytest.raises(ModelUnavailable, match="every request"):
        await embedder().embed(["a"])


@pytest.mark.parametrize("body", [{"vectors": []}, {"data": []}, {"data": [{"index": 0, "embedding": [1.0, 0.0]}]}])
async def test_an_answer_in_another_format_or_length_is_unavailable(
    embedder: Open, server: FakeEmbeddings, body: dict[str, Any]
) -> None:
    server.body = body

    with pytest.raises(ModelUnavailable):
        await embedder().embed(["a"])


async def test_prefixes_are_put_before_questions_and_texts(embedder: Open, server: FakeEmbeddings) -> None:
    prefixed = embedder(query_prefix="query: ", text_prefix="passage: ")
    await prefixed.embed(["a"])
    await prefixed.embed_query("b")

    assert server.texts == [["passage: a"], ["query: b"]]


async def test_key_and_server_are_those_of_openai_where_none_are_given(server: FakeEmbeddings) -> None:
    settings = EmbeddingSettings(provider="openai", model="text-embedding-3-small")
    found = embedder_of(settings, OpenAISettings(api_key=SecretStr(KEY), base_url=server.url))

    assert len(await found.embed_query("a")) == WHOLE
    await found.aclose()


@pytest.mark.parametrize(
    "given",
    [
        {"provider": "openai", "model": "unheard-of"},
        {"provider": "openai", "model": "text-embedding-3-small", "path": "/srv/models/x"},
        {"dimensions": 128},
    ],
)
def test_settings_that_contradict_each_other_are_refused_at_start(given: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        embedder_of(EmbeddingSettings.model_validate(given), NO_KEY)
