"""At ingest a second provider gives the vectors while the first is slow or away; searches do not wait for it."""

from collections.abc import Callable, Generator, Iterator
from typing import Any, NamedTuple

import pytest

from graphmem.settings.recall import EmbeddingSettings
from tests.api.conftest import OpenService, Service
from tests.fake_embeddings import KEY, FakeEmbeddings, fake_embeddings

SLOW = 2.0
SAID = {"content": "Maya lives_in Porto", "occurred_at": "2025-05-03T00:00:00Z"}


class Setup(NamedTuple):
    service: Service
    first: FakeEmbeddings
    second: FakeEmbeddings

    def post(self, group: str) -> dict[str, Any]:
        posted = self.service.post(f"/v1/groups/{group}/episodes", SAID, wait=30)
        assert posted.status_code == 200, posted.text
        return posted.json()["episodes"][0]

    def search(self, group: str) -> dict[str, Any]:
        answer = self.service.post(f"/v1/groups/{group}/search", {"query": "Porto"})
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture
def servers_of_models() -> Generator[tuple[FakeEmbeddings, FakeEmbeddings]]:
    with fake_embeddings() as first, fake_embeddings() as second:
        yield first, second


@pytest.fixture
def setup(open_service: OpenService, servers_of_models: tuple[FakeEmbeddings, FakeEmbeddings]) -> Iterator[Setup]:
    """A service of its own: an embedder remembers which provider failed."""
    first, second = servers_of_models
    server: dict[str, Any] = {"provider": "openai", "api_key": KEY, "attempts": 1}
    given = server | {"model": "made", "dimensions": 64, "base_url": first.url, "timeout": 0.3}
    given["fallback"] = server | {"base_url": second.url, "timeout": 30}
    with open_service(embedding=EmbeddingSettings.model_validate(given)) as service:
        yield Setup(service, first, second)


def slow(server: FakeEmbeddings) -> None:
    server.seconds = SLOW


def away(server: FakeEmbeddings) -> None:
    server.status = 503


def of_another_length(server: FakeEmbeddings) -> None:
    server.body = {"data": [{"index": 0, "embedding": [1.0, 0.0]}]}


@pytest.mark.parametrize("fails", [slow, away])
def test_texts_have_their_vectors_and_searches_go_by_full_text(
    setup: Setup, group: str, fails: Callable[[FakeEmbeddings], None]
) -> None:
    fails(setup.first)
    assert not setup.post(group)["vectors_pending"]
    asked = len(setup.second.requests)
    degraded = setup.search(group)
    setup.first.seconds, setup.first.status = 0.0, 200

    assert [entry["channel"] for entry in degraded["degraded"]] == ["vector"]
    assert {hit["kind"] for hit in degraded["hits"]} == {"relationship", "episode"}
    assert len(setup.second.requests) == asked > 0


@pytest.mark.parametrize("fails", [away, of_another_length])
def test_where_the_second_has_no_vectors_either_they_come_late(
    setup: Setup, group: str, fails: Callable[[FakeEmbeddings], None]
) -> None:
    away(setup.first)
    fails(setup.second)

    episode = setup.post(group)

    assert (episode["status"], episode["vectors_pending"]) == ("digested", True)
