"""How chats are read and answers scored, as the benchmark does it."""

import json
import lzma
from pathlib import Path
from typing import Any

import httpx
import pytest

from bench.beam import Answered, Question, ask, by_category, dump_line, figures, is_newest_above_stale, read, recall


def message(id_: int, text: str, date: str | None, role: str = "user", batch: int = 1) -> dict[str, Any]:
    return {"id": id_, "role": role, "batch": batch, "date": date, "type": None, "text": text}


def asked(category: str, evidence: list[int], sources: object) -> dict[str, Any]:
    return {"category": category, "question": "Q?", "answer": "A.", "evidence": evidence, "source_chat_ids": sources}


CHAT = {
    "id": "c",
    "messages": [
        message(0, "I have 2 cats.", "March-15-2024"),
        message(1, "Nice.", None, role="assistant"),
        message(2, "I have 3 cats.", "April-05-2024", batch=2),
    ],
    "questions": [
        asked("knowledge_update", [0, 2], {"original_info": [0], "updated_info": [2]}),
        asked("temporal_reasoning", [2, 7], {"first_event": [2], "second_event": [7]}),
        asked("abstention", [], None),
    ],
}


def update(*, original: set[str], updated: set[str]) -> Question:
    return Question("Q?", "knowledge_update", frozenset(original | updated), frozenset(original), frozenset(updated))


def answered(evidence: set[str], found: list[str], category: str = "a") -> Answered:
    question = Question("Q?", category, frozenset(evidence), frozenset(), frozenset())
    return Answered("c", question, tuple(found), degraded=False)


@pytest.mark.parametrize("packed", [False, True])
def test_a_message_is_an_episode_on_the_last_known_date_and_in_its_place(tmp_path: Path, *, packed: bool) -> None:
    text = json.dumps([CHAT]).encode()
    path = tmp_path / ("chats.json.xz" if packed else "chats.json")
    path.write_bytes(lzma.compress(text) if packed else text)

    [chat] = read(path)

    assert chat.messages[1] == {
        "content": "Nice.",
        "occurred_at": "2024-03-15T00:00:01+00:00",
        "role": "assistant",
        "session": "c/1",
        "sequence": 1,
        "external_id": "c/1",
    }
    assert chat.messages[2]["occurred_at"] == "2024-04-05T00:00:02+00:00"
    assert chat.messages[2]["session"] == "c/2"


def test_only_questions_about_updates_have_original_and_updated_ids(tmp_path: Path) -> None:
    (tmp_path / "chats.json").write_text(json.dumps([CHAT]), "utf-8")

    [chat] = read(tmp_path / "chats.json")

    change, other, unanswerable = chat.questions
    assert (change.original, change.updated, change.is_update) == ({"c/0"}, {"c/2"}, True)
    assert (other.evidence, other.is_update, chat.dropped) == ({"c/2"}, False, 1)
    assert not unanswerable.evidence


def test_a_chat_without_any_date_is_refused(tmp_path: Path) -> None:
    undated = {**CHAT, "messages": [message(0, "Hi.", None)]}
    (tmp_path / "chats.json").write_text(json.dumps([undated]), "utf-8")

    with pytest.raises(SystemExit, match="No message of c has a date"):
        read(tmp_path / "chats.json")


def test_recall_is_the_mean_share_of_evidence_over_questions_that_have_any() -> None:
    answers = [answered({"a", "b"}, ["a", *"vwxyz", "b"]), answered({"c"}, [], "b"), answered(set(), ["a"])]

    assert recall(answers) == {"5": 0.25, "10": 0.5, "20": 0.5}
    assert by_category(answers) == {
        "a": {"5": 0.5, "10": 1.0, "20": 1.0, "n": 1},
        "b": {"5": 0.0, "10": 0.0, "20": 0.0, "n": 1},
    }


@pytest.mark.parametrize(
    ("found", "right"),
    [
        (["x", "new", "old"], True),
        (["old", "new"], False),
        (["x", "both", "old"], True),
        (["x"], False),
        ([*(f"x{place}" for place in range(20)), "new"], False),
    ],
)
def test_the_newest_is_above_the_stale(found: list[str], *, right: bool) -> None:
    question = update(original={"old", "both"}, updated={"new", "both"})

    assert is_newest_above_stale(question, found) is right


def test_figures_count_updates_and_degraded_searches() -> None:
    change = update(original={"old"}, updated={"new"})
    same = update(original={"both"}, updated={"both"})
    answers = [
        Answered("c", change, ("new",), degraded=True),
        Answered("c", change, ("old", "new"), degraded=False),
        Answered("c", same, (), degraded=False),
        answered(set(), []),
    ]

    measured = figures(answers, dropped=2)

    assert measured["newest_above_stale"] == 0.5
    assert [measured[name] for name in ("n_updates", "n", "evidence_dropped", "degraded")] == [2, 3, 2, 1]
    assert figures([answers[2]], dropped=0)["newest_above_stale"] is None


def test_every_question_is_asked_alike(tmp_path: Path) -> None:
    (tmp_path / "chats.json").write_text(json.dumps([CHAT]), "utf-8")
    [chat] = read(tmp_path / "chats.json")
    requests = list[tuple[str, Any]]()

    def service(request: httpx.Request) -> httpx.Response:
        requests.append((request.url.path, json.loads(request.read())))
        hits = [{"thing": {"external_id": "c/2"}}, {"thing": {"external_id": "c/0"}}]
        return httpx.Response(200, json={"hits": hits, "degraded": [{"channel": "vector"}]})

    with httpx.Client(base_url="http://bench", transport=httpx.MockTransport(service)) as client:
        answers = [ask(client, chat, question) for question in chat.questions]

    body = {"query": "Q?", "kinds": ["episode"], "limit": 50}
    assert requests == [("/v1/groups/beam-c/search", body)] * 3
    assert (answers[0].found, answers[0].degraded) == (("c/2", "c/0"), True)
    assert json.loads(dump_line(answers[0]))["original"] == ["c/0"]
