"""Files over HTTP: looked through, shown, stored, sent again, grown, refused in part or whole, and by whose key."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import httpx
import pytest

from graphmem.client import AsyncGraphmemClient, GraphmemClient
from graphmem.errors import InvalidInput
from graphmem.files import source as source_module
from tests.api.conftest import OpenService, Service

MOST_BYTES = 200_000
AT = "2025-01-07T09:00:00Z"
CHAT = "31/12/24, 09:00 - Maya: I ski.\n31/12/24, 09:01 - Tom: <Media omitted>\n31/12/24, 09:01 - Tom: I don't.\n"


@pytest.fixture(scope="module")
def taking(open_service: OpenService) -> Iterator[Service]:
    with open_service(max_file_bytes=MOST_BYTES) as opened:
        yield opened


def hand_in(
    service: Service, group: str, content: str | bytes, name: str = "talk.jsonl", key: str | None = None, **asked: Any
) -> httpx.Response:
    headers = {"Content-Type": "application/octet-stream", **({"Authorization": f"Bearer {key}"} if key else {})}
    path = f"/v1/groups/{group}/files"
    return service.http.post(path, content=content, params={"name": name, **asked}, headers=headers)


def lines(*said: Mapping[str, Any]) -> str:
    return "".join(f"{json.dumps({'time': AT, **one})}\n" for one in said)


def zipped(**files: str | bytes) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def episodes(service: Service, group: str) -> list[dict[str, Any]]:
    return service.get(f"/v1/groups/{group}/episodes").raise_for_status().json()["episodes"]


def test_a_dry_run_says_what_it_is_and_shows_who_said_what_and_stores_nothing(taking: Service, group: str) -> None:
    asked: dict[str, Any] = {"as": "maya", "time_zone": "Europe/Lisbon", "dry_run": True}
    answer = hand_in(taking, group, CHAT, "chat.txt", **asked)

    assert answer.status_code == 200, answer.text
    said = answer.json()
    assert said["found"] == {
        "formats": {"WhatsApp chat": 1},
        "conversations": 1,
        "messages": 2,
        "first": "2024-12-31T09:00:00Z",
        "last": "2024-12-31T09:01:00Z",
        "untimed": 0,
        "zoneless": 2,
        "unnamed": 0,
        "left_out": {"messages without text, and of WhatsApp itself": 1},
        "not_read_total": 0,
        "not_read": [],
        "guessed": {},
    }
    assert [(turn["speaker"], turn["role"], turn["session"], turn["content"]) for turn in said["first_turns"]] == [
        ("Maya", "user", "whatsapp/chat", "I ski."),
        ("Tom", "participant", "whatsapp/chat", "I don't."),
    ]
    assert (said["new"], said["known"]) == (0, 0)
    assert taking.get(f"/v1/groups/{group}").status_code == 404


def test_a_file_is_stored_its_session_closed_and_what_came_to_it_since_is_added(taking: Service, group: str) -> None:
    first = hand_in(taking, group, CHAT, "chat.txt", **{"as": "Maya"})
    again = hand_in(taking, group, CHAT, "chat (1).txt", **{"as": "Maya"})
    grown = hand_in(taking, group, f"{CHAT}31/12/24, 09:01 - Tom: I don't.\n", "chat.txt", **{"as": "Maya"})

    assert [answer.status_code for answer in (first, again, grown)] == [202, 202, 202]
    counts = [(answer.json()["new"], answer.json()["known"]) for answer in (first, again, grown)]
    assert counts == [(2, 0), (0, 2), (1, 2)]
    assert (first.json()["first_turns"], first.json()["queued"]) == ([], True)
    stored = episodes(taking, group)
    assert [(one["speaker"], one["role"], one["source"]) for one in stored[:2]] == [
        ("Maya", "user", "whatsapp"),
        ("Tom", "participant", "whatsapp"),
    ]
    assert len(stored) == 3
    (session,) = taking.get(f"/v1/groups/{group}/sessions").json()["sessions"]
    assert (session["session"], session["closed_by"]) == ("whatsapp/chat", "call")


def test_what_cannot_be_read_or_is_refused_is_listed_and_the_rest_is_stored(taking: Service, group: str) -> None:
    assert hand_in(taking, group, lines({"content": "As it was.", "id": "1"})).json()["new"] == 1
    taking.http.put(f"/v1/groups/{group}/users/cy/opt_out").raise_for_status()
    said = [
        {"content": "Edited.", "id": "1"},
        {"content": "One."},
        {"content": "Private.", "user": "cy"},
        {"content": "Long.", "metadata": {"a": "x" * 70_000}},
        {"content": "Two.", "session": "s"},
    ]
    answer = hand_in(taking, group, f"{lines(*said)}{{broken\n").json()

    assert (answer["new"], answer["edited"], answer["known"], answer["refused_total"]) == (3, 1, 0, 2)
    reasons = {refused["place"]: refused["reason"] for refused in answer["refused"]}
    assert sorted(reasons) == ["talk.jsonl:3", "talk.jsonl:4"]
    assert "/metadata" in reasons["talk.jsonl:4"]
    assert answer["found"]["not_read"] == ["talk.jsonl:6: a JSON object was expected, and not '{broken'"]
    assert {one["content"] for one in episodes(taking, group)} == {"Edited.", "One.", "Two."}


def test_a_text_that_another_one_replaced_is_counted_and_two_of_one_id_in_a_file_are_not_both_taken(
    taking: Service, group: str
) -> None:
    first, second = lines({"content": "A.", "id": "1"}), lines({"content": "B.", "id": "1"})
    answers = [hand_in(taking, group, content).json() for content in (first, second, first, second)]
    counts = [(answer["new"], answer["edited"], answer["known"], answer["replaced"]) for answer in answers]
    assert counts == [(1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 1, 1), (0, 0, 1, 0)]
    both = hand_in(taking, group, f"{second}{first}{second}").json()
    assert (both["known"], [turn["place"] for turn in both["refused"]]) == (2, ["talk.jsonl:2"])


def test_a_zip_is_read_as_its_folder(taking: Service, group: str) -> None:
    packed = zipped(**{"chat.txt": CHAT, "notes/talk.jsonl": lines({"content": "Hi."}), "photo.png": b"\x89PNG"})
    found = hand_in(taking, group, packed, "export.zip").json()["found"]
    assert (found["formats"], found["messages"]) == ({"WhatsApp chat": 1, "graphmem messages": 1}, 3)
    assert found["left_out"]["files of no known format"] == 1


@pytest.mark.parametrize(
    ("name", "content", "asked", "status", "said"),
    [
        ("x", "hello", {}, 422, "x:1: no format is known that begins with 'hello'. Known are: Slack export"),
        ("x", "", {}, 422, "x has no messages: it is empty"),
        ("x", '{"a": 1}', {}, 422, "docs/files.md"),
        ("chat.txt", "05/06/24, 09:00 - Maya: Hi\n", {}, 422, "Say it: `date_order` dmy, mdy or ymd"),
        ("chat.txt", CHAT, {"as": "Ann"}, 422, "Nobody in chat.txt is called 'Ann'"),
        ("chat.txt", CHAT, {"time_zone": "Mars"}, 422, "'Mars' is no time zone"),
        ("chat.txt", CHAT, {"since": "soon"}, 422, "`since`: 'soon' is no time"),
        ("../chat.txt", CHAT, {}, 422, "/name"),
        ("é" * 200, CHAT, {}, 422, "/name"),
        ("big.txt", "x" * (MOST_BYTES + 1), {}, 413, f"{MOST_BYTES} bytes (api.max_file_bytes)"),
        ("bomb.zip", zipped(**{"a.txt": bytes(MOST_BYTES + 1)}), {}, 413, f"more than {MOST_BYTES} bytes once"),
        ("out.zip", zipped(**{"../chat.txt": CHAT}), {}, 422, "out.zip: '../chat.txt' cannot be unpacked"),
        ("cut.zip", zipped(**{"chat.txt": CHAT})[:-30], {}, 422, "cut.zip cannot be read as ZIP"),
    ],
)
def test_what_is_no_file_that_can_be_read_is_refused_and_leaves_nothing(
    taking: Service,
    group: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    content: str | bytes,
    asked: dict[str, str],
    status: int,
    said: str,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    answer = hand_in(taking, group, content, name, **asked)
    assert answer.status_code == status, answer.text
    assert said in json.dumps(answer.json(), ensure_ascii=False)
    assert str(tmp_path) not in answer.text
    assert list(tmp_path.iterdir()) == []
    assert taking.get(f"/v1/groups/{group}").status_code == 404


def test_a_file_comes_as_one_and_a_format_whose_library_is_missing_says_what_to_install(
    taking: Service, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(name: str) -> object:
        raise ModuleNotFoundError(name=name)

    as_json = taking.post(f"/v1/groups/{group}/files", {}, name="x")
    assert (as_json.status_code, "octet-stream" in as_json.json()["detail"]) == (415, True)
    headers = {"Content-Type": "application/octet-stream"}
    elsewhere = taking.http.post(f"/v1/groups/{group}/search", content=b'{"query": "x"}', headers=headers)
    assert elsewhere.status_code == 415
    monkeypatch.setattr(source_module, "import_module", absent)
    subtitles = hand_in(taking, group, "WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n", "talk.vtt", at=AT)
    assert subtitles.status_code == 415
    assert "pip install 'graphmem[files]'" in subtitles.json()["detail"]


def test_a_key_of_users_hands_in_for_them_alone(taking: Service, group: str) -> None:
    def key(*users: str, **more: Any) -> str:
        body = {"label": "of a test", "groups": [group], "rights": ["write"], "users": users, **more}
        return taking.post("/v1/keys", body).raise_for_status().json()["secret"]

    ann, both = key("ann", agents=["bot"]), key("ann", "bo")
    mixed = lines({"content": "One."}, {"content": "Two.", "user": "bo"})
    assert hand_in(taking, group, mixed, key=ann).status_code == 403
    assert hand_in(taking, group, mixed, key=ann, dry_run=True).status_code == 403
    assert hand_in(taking, group, lines({"content": "One."}), key=ann, agent="other").status_code == 403
    assert hand_in(taking, group, mixed, key=both).json()["type"].endswith("user-required")
    assert taking.get(f"/v1/groups/{group}").status_code == 404

    assert hand_in(taking, group, mixed, key=both, user="ann").json()["new"] == 2
    assert hand_in(taking, group, lines({"content": "Three.", "session": "s"}), key=ann).json()["new"] == 1
    users = {one["content"]: one["user"] for one in episodes(taking, group)}
    assert users == {"One.": "ann", "Two.": "bo", "Three.": "ann"}
    (session,) = taking.get(f"/v1/groups/{group}/sessions", user="ann").json()["sessions"]
    assert (session["agent"], session["closed_by"]) == ("bot", "call")


def test_a_group_that_imports_takes_no_file(taking: Service, group: str) -> None:
    taking.post("/v1/groups", {"id": group, "importing": True}).raise_for_status()
    answer = hand_in(taking, group, lines(*({"content": f"{number}"} for number in range(300))))
    assert (answer.status_code, "is importing" in answer.json()["detail"]) == (409, True)


async def test_both_clients_send_a_file(taking: Service, group: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f"when,who,said\n2025-01-07 09:00,Maya,Hi\n{AT},Tom,Ho\n", encoding="utf-8")
    path.with_name("hello").write_text("hello", encoding="utf-8")
    columns = {"content": "said", "speaker": "who", "time": "when"}
    with GraphmemClient(taking.url, taking.token) as client:
        shown = client.post_file(group, path, columns=columns, as_="Maya", time_zone="Asia/Tokyo", dry_run=True)
        assert [(turn.speaker, turn.occurred_at.hour) for turn in shown.first_turns] == [("Maya", 9), ("Tom", 9)]
        assert client.post_file(group, path, columns=columns, user="maya").new == 2
        with pytest.raises(InvalidInput, match="no format is known"):
            client.post_file(group, path.with_name("hello"), name="x", since="2025-01-01")
    async with AsyncGraphmemClient(taking.url, taking.token) as client:
        assert (await client.post_file(group, path, columns=columns, user="maya")).known == 2
