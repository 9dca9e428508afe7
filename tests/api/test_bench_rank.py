"""Weights fitted to questions whose answers are known, against the service: what they gain, and what is said if not."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from bench.rank.__main__ import main
from graphmem.errors import ModelUnavailable
from graphmem.model.embedding import Vector
from graphmem.retrieve.weights import packaged, weights_of
from tests.api.conftest import OpenService, Service
from tests.fakes import HashEmbedder

PEOPLE = ("Ann", "Bo", "Cleo", "Dov", "Eve", "Fay", "Gus", "Hal", "Ivo", "Joy")


class Away(HashEmbedder):
    async def embed_query(self, text: str) -> Vector:
        raise ModelUnavailable(f"No vector of {text!r}.")


def train(service: Service, file: Path, out: Path, *more: str) -> None:
    main([str(file), "--url", service.url, "--token", service.token, "--out", str(out), *more])


def refused(service: Service, file: Path, out: Path, *more: str) -> str:
    before = out.exists()
    with pytest.raises(SystemExit) as caught:
        train(service, file, out, *more)
    assert out.exists() == before
    return str(caught.value)


def said(service: Service, group: str) -> None:
    """Ten people say what they like; nine ask about what the tenth does."""
    likes = [
        {
            "content": f"I like {name.lower()}berries.",
            "speaker": name,
            "external_id": f"{group}/{name}",
            "session": name,
        }
        for name in PEOPLE
    ]
    turns = [{**one, "occurred_at": f"2025-05-{day:02}T10:00:00Z"} for day, one in enumerate(likes, start=1)]
    service.post(f"/v1/groups/{group}/episodes", turns, wait=60)


def lines(path: Path, questions: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in questions), "utf-8")
    return path


@pytest.fixture(scope="module")
def questions(service: Service) -> list[dict[str, Any]]:
    groups = (f"train-{uuid4().hex[:8]}", f"train-{uuid4().hex[:8]}")
    for one in groups:
        said(service, one)
    return [
        {"question": f"Who likes {name.lower()}berries?", "group": one, "external_ids": [f"{one}/{name}"]}
        for one in groups
        for name in PEOPLE
    ]


def test_it_writes_weights_that_are_read_and_says_what_they_find(
    service: Service, questions: list[dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "weights.toml"
    train(service, lines(tmp_path / "asked.jsonl", questions), out)

    printed = capsys.readouterr().out
    assert "20 questions, 2 groups." in printed
    assert "after, each of 2 parts of the groups left out" in printed
    found, text = weights_of(out), out.read_text("utf-8")
    assert (found.beliefs, found.entities, found.kinds) == (packaged().beliefs, packaged().entities, packaged().kinds)
    assert "# They go with hash." in text
    assert "from the packaged ones on" in text
    assert str(tmp_path) not in text


def test_by_id_and_of_one_group(
    service: Service, questions: list[dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    group = questions[0]["group"]
    ids = {one["external_id"]: one["id"] for one in service.get(f"/v1/groups/{group}/episodes").json()["episodes"]}
    by_id = [
        {"question": one["question"], "group": group, "ids": [ids[one["external_ids"][0]]], "valid_at": at}
        for one in questions[:10]
        for at in ("2025-06-01T00:00:00Z", "2025-06-02T00:00:00Z")
    ]
    train(service, lines(tmp_path / "asked.jsonl", by_id), tmp_path / "weights.toml")

    assert "after, each of 5 parts of the questions left out" in capsys.readouterr().out


def test_a_service_with_other_weights_is_told_apart(
    open_service: OpenService, questions: list[dict[str, Any]], tmp_path: Path
) -> None:
    """A weight of 0 hides no reason: what it would count is seen, and fitted."""
    file, out, other = lines(tmp_path / "asked.jsonl", questions), tmp_path / "out.toml", tmp_path / "other.toml"
    other.write_text("[turns]\ntext = 2.0\nsurroundings = 0\n", "utf-8")
    with open_service(weights=other) as changed:
        assert "Give --weights" in refused(changed, file, out)
        train(changed, file, out, "--weights", str(other))
        asked = {"query": questions[0]["question"], "kinds": ["episode"], "explain": True}
        hits = changed.post(f"/v1/groups/{questions[0]['group']}/search", asked).json()["hits"]
    parts = {part["channel"]: part for part in hits[0]["contributions"]}
    assert parts["text"]["contribution"] == pytest.approx(2.0 * 0.35 * parts["text"]["score"])
    assert parts["surroundings"]["contribution"] == 0
    assert parts["surroundings"]["score"] > 0
    assert weights_of(out).turns.text == 2.0
    assert "from other.toml on" in out.read_text("utf-8")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"group": "nobody"}, r"asked\.jsonl:1: .*nobody"),
        ({"external_ids": ["x"], "ids": []}, "None of the first 100 hits"),
        ({"external_ids": []}, r"asked\.jsonl:1: name the episodes"),
        ({"ids": "x"}, "`ids` is a list of strings"),
        ({"question": ""}, "a question is an object with at least"),
        ({"answer": "Porto"}, r"unknown keys \['answer'\]"),
        ({"valid_at": "yesterday"}, r"asked\.jsonl:1: .*valid_at"),
    ],
)
def test_what_cannot_be_learnt_from_is_said(
    service: Service, questions: list[dict[str, Any]], tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    file = lines(tmp_path / "asked.jsonl", [{**one, **change} for one in questions])
    with pytest.raises(AssertionError, match=told):
        raise AssertionError(refused(service, file, tmp_path / "weights.toml"))


def test_too_few_questions_no_json_and_a_file_that_is_there_are_said(service: Service, tmp_path: Path) -> None:
    asked = {"question": "Who?", "group": "g", "ids": ["x"]}
    out, there = tmp_path / "weights.toml", tmp_path / "there.toml"
    there.touch()
    file = lines(tmp_path / "asked.jsonl", [asked] * 19)
    assert "has 19 questions, and it takes at least 20" in refused(service, file, out)
    assert "--force" in refused(service, file, there)
    assert "no folder" in refused(service, file, tmp_path / "none" / "out.toml")
    file.write_text("{", "utf-8")
    assert "asked.jsonl:1: not JSON" in refused(service, file, out)
    assert "cannot be read" in refused(service, tmp_path / "absent.jsonl", out)


def test_lists_without_vectors_are_not_learnt_from(
    open_service: OpenService, questions: list[dict[str, Any]], tmp_path: Path
) -> None:
    with open_service(embedder=Away()) as degraded:
        told = refused(degraded, lines(tmp_path / "asked.jsonl", questions), tmp_path / "weights.toml")
    assert "went without a channel" in told
