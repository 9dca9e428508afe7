"""`graphmem ingest`: files of people, LoCoMo's sittings, which keep their times, handed in repeatedly."""

import json
import signal
import subprocess
from pathlib import Path
from uuid import uuid4

import pytest

from tests.acceptance.service import BIN, START, Service

pytestmark = pytest.mark.timeout(START)

SITTINGS = {"9:00 am on 7 January, 2025": "I live in Ghent.", "9:00 am on 2 June, 2025": "I moved to Oslo yesterday."}


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    conversation: dict[str, object] = {"speaker_a": "Greta"}
    for number, (time, text) in enumerate(SITTINGS.items(), start=1):
        conversation[f"session_{number}_date_time"] = time
        conversation[f"session_{number}"] = [{"speaker": "Greta", "dia_id": f"D{number}:1", "text": text}]
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([{"sample_id": "conv-1", "conversation": conversation}]))
    return path


def command(path: Path, group: str) -> list[str]:
    return [str(BIN / "graphmem"), "ingest", str(path), "--group", group]


def ingest(service: Service, path: Path, group: str, *options: str) -> str:
    asked = [*command(path, group), *options]
    done = subprocess.run(asked, env=service.environment(), capture_output=True, text=True, check=True)
    return done.stdout


def lives_in(service: Service, group: str, valid_at: str) -> list[str]:
    with service.client() as client:
        graph = client.graph(group, entity="Greta", predicate=["lives_in"], valid_at=valid_at)
    return [belief.statement for belief in graph.beliefs]


def test_as_of_graphs_differ_as_the_months_go_by(service: Service, transcript: Path) -> None:
    group = f"ingest-{uuid4().hex[:8]}"
    ingest(service, transcript, group)

    assert lives_in(service, group, "2025-01-06T00:00:00Z") == []
    assert lives_in(service, group, "2025-02-01T00:00:00Z") == ["Greta lives in Ghent."]
    assert lives_in(service, group, "2025-06-03T00:00:00Z") == ["Greta lives in Oslo."]


def test_a_second_time_changes_nothing_and_says_so(service: Service, transcript: Path) -> None:
    group = f"ingest-{uuid4().hex[:8]}"

    assert "2 episodes (2 new)" in ingest(service, transcript, group)
    assert "2 episodes (0 new)" in ingest(service, transcript, group)


def test_a_chat_is_named_before_it_is_stored_goes_on_once_it_grew_and_its_session_is_closed(
    service: Service, tmp_path: Path
) -> None:
    group, chat = f"ingest-{uuid4().hex[:8]}", tmp_path / "WhatsApp Chat with Tom.txt"
    lines = [
        "31/12/24, 09:00 - Greta: I live in Ghent.\n",
        "31/12/24, 09:01 - Tom: ok\n",
        "31/12/24, 09:01 - Tom: ok\n",
    ]
    chat.write_text("".join(lines))
    told = ingest(service, chat, group, "--as", "Greta")

    assert told.startswith("WhatsApp chat: 1 conversation, 3 messages, 2024-12 to 2024-12\n")
    assert "3 episodes (3 new)" in told
    chat.write_text("".join([*lines, "02/01/25, 10:00 - Greta: I moved to Oslo.\n"]))
    assert "4 episodes (1 new)" in ingest(service, chat, group, "--as", "Greta")
    assert lives_in(service, group, "2025-01-01T00:00:00Z") == ["Greta lives in Ghent."]
    with service.client() as client:
        (session,) = client.sessions(group)
        roles = [episode.role for episode in client.episodes(group)]
    assert (session.session, session.closed_by) == ("whatsapp/WhatsApp Chat with Tom", "call")
    assert roles == ["user", "participant", "participant", "user"]


def test_of_a_file_what_was_edited_takes_the_place_of_what_was_said_before(service: Service, tmp_path: Path) -> None:
    group, path = f"ingest-{uuid4().hex[:8]}", tmp_path / "talk.jsonl"
    line = '{"content": "%s", "time": "2025-01-07T09:00:00Z", "id": "%d"}\n'
    path.write_text("".join(line % ("I like jazz.", number) for number in range(3)))
    ingest(service, path, group)
    path.write_text(
        "".join(line % (text, number) for number, text in enumerate(["I like jazz.", "I like it.", *"abc"]))
    )

    assert "5 episodes (4 new, 2 of them edited)" in ingest(service, path, group)
    assert "5 episodes (0 new)" in ingest(service, path, group)
    with service.client() as client:
        assert sorted(episode.content for episode in client.episodes(group)) == ["I like it.", "I like jazz.", *"abc"]


@pytest.mark.full
def test_interrupted_it_goes_on_where_it_was(service: Service, tmp_path: Path) -> None:
    group, path = f"ingest-{uuid4().hex[:8]}", tmp_path / "talk.jsonl"
    line = '{"content": "I like jazz, and this is turn %d.", "speaker": "Greta", "time": "2025-01-07T09:00:00Z"}\n'
    path.write_text("".join(line % number for number in range(300)))
    running = subprocess.Popen(
        command(path, group), env=service.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    with service.client() as client:
        while not [found for found in client.groups() if found.id == group]:
            assert running.poll() is None
    running.send_signal(signal.SIGINT)
    told = running.communicate(timeout=60)[1]

    assert (running.returncode, "Run the same command again" in told) == (130, True)
    assert "300 episodes" in ingest(service, path, group)
    with service.client() as client:
        undone = {"pending": 0, "refining": 0, "failed": 0, "vectors_pending": 0}
        work = undone | {"digested": 300, "redacted": 0, "replaced": 0}
        assert client.group(group).work.model_dump() == work
