"""A search whose question gets no vector answers by full text, and says so."""

from collections.abc import Iterator
from typing import Any, cast

import pytest

from graphmem.model.hits import Degraded, WhyDegraded
from graphmem.recall.vectors import Questions
from graphmem.store.graph import GraphStore
from tests.api.conftest import OpenService, Service
from tests.fakes import UnsteadyEmbedder

SAID = "Maya lives_in Porto"


class Setup:
    """A service, and its embedder, which can be away."""

    def __init__(self, service: Service, embedder: UnsteadyEmbedder) -> None:
        self.service = service
        self.embedder = embedder

    def search(self, group: str, query: str = "Porto") -> dict[str, Any]:
        answer = self.service.post(f"/v1/groups/{group}/search", {"query": query})
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture(scope="module")
def opened(open_service: OpenService) -> Iterator[Setup]:
    embedder = UnsteadyEmbedder()
    with open_service(embedder=embedder) as service:
        yield Setup(service, embedder)


@pytest.fixture
def setup(opened: Setup, group: str) -> Setup:
    """With an episode and its belief in the group."""
    opened.embedder.away, opened.embedder.seconds = False, 0.0
    body = {"content": SAID, "occurred_at": "2025-05-03T00:00:00Z"}
    assert opened.service.post(f"/v1/groups/{group}/episodes", body, wait=10).status_code == 200
    return opened


def kinds(answer: dict[str, Any]) -> set[str]:
    return {hit["kind"] for hit in answer["hits"]}


def why(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["channel"], one["why"]) for one in answer["degraded"]]


def test_a_search_by_every_channel_is_not_degraded(setup: Setup, group: str) -> None:
    assert why(setup.search(group)) == []


@pytest.mark.parametrize("fusion", ["weighted", "rrf"])
def test_without_the_model_full_text_finds_beliefs_and_episodes(setup: Setup, group: str, fusion: str) -> None:
    setup.embedder.away = True

    answer = setup.service.post(f"/v1/groups/{group}/search", {"query": "Porto", "fusion": fusion}).json()

    assert why(answer) == [("vector", "unavailable")]
    assert kinds(answer) == {"relationship", "episode"}
    assert "away" in answer["degraded"][0]["detail"]


def test_a_model_that_takes_longer_than_the_limit_is_not_waited_for(setup: Setup, group: str) -> None:
    setup.embedder.seconds = 30.0

    answer = setup.search(group)

    assert why(answer) == [("vector", "timeout")]
    assert kinds(answer) == {"relationship", "episode"}


def test_vectors_of_another_model_are_not_asked(setup: Setup, group: str) -> None:
    setup.embedder.model = "another"
    try:
        answer = setup.search(group)
    finally:
        setup.embedder.model = "hash"

    assert why(answer) == [("vector", "other_model")]
    assert kinds(answer) == {"relationship", "episode"}


def test_after_another_model_is_configured_episodes_are_stored_and_read(setup: Setup, group: str) -> None:
    setup.embedder.model = "another"
    try:
        body = {"content": "Maya lives_in Rome", "occurred_at": "2025-06-03T00:00:00Z"}
        posted = setup.service.post(f"/v1/groups/{group}/episodes", body, wait=10)
        answer = setup.search(group, "Rome")
        ready = setup.service.get("/health/ready").json()["parts"]["embedding"]
    finally:
        setup.embedder.model = "hash"

    episode = posted.json()["episodes"][0]
    assert (posted.status_code, episode["status"], episode["outcome"]["claims"]) == (200, "digested", 1)
    assert episode["vectors_pending"]
    assert kinds(answer) == {"relationship", "episode"}
    assert f"graphmem admin reembed --group {group}" in answer["degraded"][0]["detail"]
    assert (ready["status"], "graphmem admin reembed" in ready["reason"]) == ("degraded", True)


def test_vectors_of_another_length_are_not_asked(setup: Setup, group: str) -> None:
    setup.embedder.dimensions = 8
    try:
        answer = setup.search(group)
    finally:
        setup.embedder.dimensions = 384

    assert why(answer) == [("vector", "other_model")]


def test_prometheus_sees_how_many_searches_went_without(setup: Setup, group: str) -> None:
    setup.embedder.away = True
    setup.search(group)

    numbers = setup.service.http.get("/metrics").text

    assert 'graphmem_searches_degraded_total{channel="vector",why="unavailable"}' in numbers


def test_a_user_is_not_told_that_texts_of_another_wait_for_vectors(setup: Setup, group: str) -> None:
    setup.embedder.away = True
    claim = {"subject": {"name": "Maya", "type": "person"}, "predicate": "likes", "value": "tea"}
    body = {**claim, "occurred_at": "2025-05-03T00:00:00Z", "user": "ann"}
    assert setup.service.post(f"/v1/groups/{group}/claims", body).status_code == 201
    setup.embedder.away = False

    def told(**user: str) -> list[tuple[str, str]]:
        return why(setup.service.post(f"/v1/groups/{group}/search", {"query": "Porto", **user}).json())

    assert told() == told(user="ann") == [("vector", "vectors_pending")]
    assert told(user="bo") == []


async def test_a_search_has_one_time_limit_however_many_texts_it_embeds() -> None:
    questions = Questions(cast("GraphStore", None), UnsteadyEmbedder(), timeout=0.5)
    assert not isinstance(await questions.embedded("Porto"), Degraded)
    late = await questions.embedded("Porto", spent=0.5)
    assert isinstance(late, Degraded)
    assert late.why is WhyDegraded.TIMEOUT
