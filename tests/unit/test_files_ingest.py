"""``graphmem ingest``: what it says before anything is stored, and how it hands in what is refused in part."""

import json
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from zipfile import ZipFile

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from graphmem.client.cli import app
from graphmem.client.cli.ingest import IngestCounts, load
from graphmem.client.synchronous import GraphmemClient
from graphmem.errors import Conflict, InvalidInput, NotFound, QuotaUsed, UserRequired
from graphmem.files.episodes import look_through
from graphmem.files.handing import PART
from graphmem.files.turns import ReadingOptions

AT = "2025-01-07T09:00:00Z"
CHAT = "31/12/24, 09:00 - Ines: I ski.\n31/12/24, 09:01 - Tom: <Media omitted>\n31/12/24, 09:01 - Tom: I don't.\n"


def run(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["ingest", str(path), "--group", "g", *arguments], env={"COLUMNS": "200"})


def written(folder: Path, text: str) -> Path:
    path = folder / "chat.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_dry_run_asks_no_service_and_shows_who_said_what_when_and_where(tmp_path: Path) -> None:
    said = run(written(tmp_path, CHAT), "--dry-run", "--as", "Ines", "--time-zone", "Europe/Lisbon")

    assert said.exit_code == 0
    assert said.stdout.startswith("WhatsApp chat: 1 conversation, 2 messages, 2024-12 to 2024-12\n")
    assert "2024-12-31T09:00:00+00:00" in said.stdout
    for word in ("nothing is stored", "whatsapp/chat", "Ines", "user", "participant", "I don't."):
        assert word in said.stdout
    assert "2 times without a zone are of Europe/Lisbon." in said.stderr
    assert "Left out: 1 messages without text, and of WhatsApp itself." in said.stderr


def test_a_zip_is_shown_as_what_is_in_it(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("chat.txt", f"{CHAT}{CHAT}")
        archive.writestr("talk.jsonl", f"{json.dumps({'content': 'Hi.', 'time': AT})}\n{{")
    said = run(tmp_path / "export.zip", "--dry-run")
    assert "The first turns of export.zip; nothing is stored" in said.stdout
    assert "whatsapp/chat" in said.stdout
    assert "Not read: export.zip/talk.jsonl:2: a JSON object was expected" in said.stderr
    assert "graphmem-" not in said.output


def test_what_is_taken_for_granted_is_said(tmp_path: Path) -> None:
    lines = [{"content": "I ski.", "time": "2025-01-07T09:00:00"}, {"content": "Yes.", "time": None}]
    said = run(written(tmp_path, "".join(f"{json.dumps(line)}\n" for line in lines * 10) + "{\n" * 30), "--dry-run")
    for word in ("gets that of the message before it", "UTC (--time-zone", "--as says", ":21: a JSON", "10 more."):
        assert word in said.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--at", "soon"], "--at: 'soon' is no time"),
        (["--time-zone", "Mars"], "'Mars' is no time zone"),
        (["--columns", "text"], "--columns: 'text' says no column"),
        (["--as", "Ann"], "Nobody in"),
    ],
)
def test_a_wrong_option_is_told_before_any_service_is_asked(tmp_path: Path, arguments: list[str], told: str) -> None:
    said = run(written(tmp_path, CHAT), *arguments)
    assert isinstance(said.exception, InvalidInput)
    assert told in str(said.exception)


SAID = [("a", "old"), ("edited", "old"), ("b", "new"), ("long", "new"), ("forgotten", "gone"), ("c", "gone")]
"""Texts with their sessions; the ids are their places."""


class Service:
    """Takes what it knows no other content of, and an edited text by itself; lists what was forgotten."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self.contents, self.closed, self.calls = dict(known), list[str](), 0

    def post_episodes(self, group: str, bodies: Sequence[Mapping[str, Any]]) -> object:
        del group
        self.calls += 1
        if any(self.contents.get(body["external_id"], body["content"]) != body["content"] for body in bodies):
            raise Conflict("It has another content.")
        if any(body["content"] == "long" for body in bodies):
            raise InvalidInput("Too long.")
        gone = [item for item, body in enumerate(bodies) if body["content"] == "forgotten"]
        taken = [body for item, body in enumerate(bodies) if item not in gone]
        episodes = [
            SimpleNamespace(
                id=one["external_id"],
                new=one["external_id"] not in self.contents,
                status="replaced" if one["content"] == "put back" else "pending",
            )
            for one in taken
        ]
        self.contents |= {body["external_id"]: body["content"] for body in taken}
        refused = [SimpleNamespace(item=item, problem={"detail": "It was forgotten."}) for item in gone]
        return SimpleNamespace(episodes=episodes, refused=refused)

    def put_episode(self, group: str, external_id: str, body: Mapping[str, Any]) -> object:
        del group
        if body["content"] == "imported":
            raise Conflict("The group imports.")
        before, self.contents[external_id] = self.contents[external_id], body["content"]
        new = before != body["content"]
        return SimpleNamespace(
            id=f"{external_id} {body['content']}", new=new, replaces=external_id if new else None, replaced_by=None
        )

    def group(self, group: str, *, counts: bool = True) -> object:
        del group, counts
        return SimpleNamespace(work=SimpleNamespace(pending=0), entities=1, relationships=2, facts=3)

    def episodes(self, group: str, *, status: str) -> list[object]:
        del group, status
        return []

    def session_id(self, group: str, session: str, *, user: str | None) -> str:
        del group, user
        if session == "gone":
            raise NotFound("There is none.")
        return f"id of {session}"

    def close_session(self, group: str, session_id: str, *, user: str | None) -> None:
        del group, user
        self.closed.append(session_id)


def load_into(service: object, path: Path) -> IngestCounts:
    files = look_through(path, ReadingOptions())
    return load(cast("GraphmemClient", service), files, "g", Console(file=StringIO()))


def test_of_what_is_refused_in_part_the_rest_goes_in_and_sessions_with_something_new_are_closed(tmp_path: Path) -> None:
    said = [
        {"content": content, "time": AT, "id": str(number), "session": session}
        for number, (content, session) in enumerate(
            [
                *(
                    ("a", "old"),
                    ("edited", "talk"),
                    ("b", "new"),
                    ("long", "new"),
                    ("forgotten", "gone"),
                    ("c", "gone"),
                ),
                ("imported", "old"),
                ("put back", "old"),
            ],
            start=1,
        )
    ]
    path = written(tmp_path, "".join(f"{json.dumps(line)}\n" for line in said))
    service = Service({"1": "a", "2": "as it was", "7": "as it was", "8": "put back"})
    counts = load_into(service, path)

    assert (counts.episodes, counts.new, counts.edited, counts.replaced, service.contents["6"]) == (8, 3, 1, 1, "c")
    assert service.contents["2"] == "edited"
    assert "(3 new, 1 of them edited, 3 refused)" in str(counts)
    assert sorted((turn.place, turn.reason) for turn in counts.refusals) == [
        (f"{path}:4", "Too long."),
        (f"{path}:5", "It was forgotten."),
        (f"{path}:7", "The group imports."),
    ]
    assert service.closed == ["id of new", "id of talk"]
    again = load_into(service, path)
    assert (again.new, again.edited, service.closed) == (0, 0, ["id of new", "id of talk"])


def test_where_a_quota_ends_sessions_of_what_came_before_are_closed(tmp_path: Path) -> None:
    class Full(Service):
        def post_episodes(self, group: str, bodies: Sequence[Mapping[str, Any]]) -> object:
            if self.contents:
                raise QuotaUsed("Tomorrow.")
            return super().post_episodes(group, bodies)

    said = [{"content": "a", "time": AT, "id": str(number), "session": "talk"} for number in range(PART + 1)]
    service = Full({})
    with pytest.raises(QuotaUsed):
        load_into(service, written(tmp_path, "".join(f"{json.dumps(turn)}\n" for turn in said)))
    assert (len(service.contents), service.closed) == (PART, ["id of talk"])


def test_a_service_that_wants_a_user_is_asked_once(tmp_path: Path) -> None:
    class Private(Service):
        def post_episodes(self, group: str, bodies: Sequence[Mapping[str, Any]]) -> object:
            del group, bodies
            self.calls += 1
            raise UserRequired("Say for whom.")

    service = Private({})
    with pytest.raises(UserRequired):
        load_into(service, written(tmp_path, CHAT))
    assert service.calls == 1
