"""A multilingual model by configuration: what is said in French and German is found by questions in any language."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from graphmem.embed import universal
from graphmem.settings.recall import EmbeddingSettings
from tests.api.conftest import PATIENCE, OpenService, Service
from tests.made_model import write_model
from tests.models import extractor


class Talk(NamedTuple):
    """What a group hears, in its language; and questions about its first turn, in that one and in two others."""

    turns: tuple[str, ...]
    questions: tuple[str, ...]


FRENCH = Talk(
    ("Léa a déménagé dans une autre ville.", "La machine à café est en panne.", "Léa aime la musique."),
    ("Où habite-t-elle, dans quelle ville déménagé ?", "In welche Stadt gezogen?", "Moved to which town?"),
)
GERMAN = Talk(
    ("Die Bahn war am Montag verspätet.", "Jonas liebt seinen Hund.", "Die Schwester ist Ärztin."),
    ("Zug mit Verspätung?", "Le train en retard, lundi ?", "Was the train late?"),
)


MODELS = ("made", universal.NAME)
"""A model in a folder, and a packaged one."""


@pytest.fixture(scope="module", params=MODELS)
def model(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def multilingual(model: str, open_service: OpenService, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = write_model(tmp_path_factory.mktemp("models") / model) if model == "made" else None
    embedding = EmbeddingSettings(model=model, path=folder)
    with open_service(embedding=embedding, extractor=extractor(), patience=PATIENCE) as service:
        yield service


@pytest.fixture(params=[FRENCH, GERMAN], ids=["French", "German"])
def talk(request: pytest.FixtureRequest, multilingual: Service, group: str) -> Talk:
    """Said in the group, a minute after each other, in sessions of their own: no turn is found beside another."""
    said = [
        {"content": content, "occurred_at": f"2025-05-03T10:{minute:02}:00Z", "session": f"{minute}"}
        for minute, content in enumerate(request.param.turns)
    ]
    assert multilingual.post(f"/v1/groups/{group}/episodes", said, wait=30).status_code == 200
    return request.param


def asked(service: Service, group: str, call: str, question: str, **more: Any) -> dict[str, Any]:
    answer = service.post(f"/v1/groups/{group}/{call}", {"query": question, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_turn_is_found_by_its_vector_in_the_same_and_in_other_languages(
    multilingual: Service, talk: Talk, group: str
) -> None:
    for question in talk.questions:
        found = asked(multilingual, group, "search", question, explain=True)
        best = next(hit for hit in found["hits"] if hit["kind"] == "episode")
        assert (best["thing"]["content"], found["degraded"]) == (talk.turns[0], []), question
        assert "vector" in {part["channel"].partition(":")[0] for part in best["contributions"]}


def test_a_context_in_another_language_holds_the_turn(multilingual: Service, talk: Talk, group: str) -> None:
    for question in talk.questions:
        found = asked(multilingual, group, "context", question)
        lines = [line["text"] for part in found["parts"] for line in part["lines"]]
        assert any(talk.turns[0] in line for line in lines), (question, lines)


def test_the_group_remembers_the_model(multilingual: Service, model: str, talk: Talk, group: str) -> None:
    described = multilingual.get(f"/v1/groups/{group}").json()
    assert described["embedding_model"] == model, talk
