import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem.client.transcripts import locomo_time, read_transcript
from graphmem.errors import InvalidInput


def written(folder: Path, text: str) -> Path:
    path = folder / "talk"
    path.write_text(text)
    return path


def test_messages_become_episodes_in_their_order(tmp_path: Path) -> None:
    lines = [
        {"content": "Hi", "time": "2025-01-01T00:00:00Z", "id": "1"},
        {"content": "Ho", "time": "x", "role": "user", "time_zone": "Asia/Tokyo"},
    ]
    path = written(tmp_path, "\n\n".join(json.dumps(line) for line in lines))

    assert read_transcript(path) == [
        {"content": "Hi", "occurred_at": "2025-01-01T00:00:00Z", "external_id": "1", "position": 0},
        {"content": "Ho", "occurred_at": "x", "role": "user", "time_zone": "Asia/Tokyo", "position": 1},
    ]


def test_equal_messages_are_told_apart_wherever_they_stand_in_the_file(tmp_path: Path) -> None:
    said = {"content": "yes", "time": "2025-01-01T00:00:00Z"}
    lines = [said, said | {"content": "no"}, said | {"id": "7"}, said | {"speaker": "Ann"}, *[said] * 2]
    bodies = read_transcript(written(tmp_path, "\n".join(map(json.dumps, lines))))

    assert [body["position"] for body in bodies] == list(range(6))
    assert [body.get("occurrence") for body in bodies] == [None, None, None, None, 1, 2]


def test_every_sitting_of_locomo_keeps_its_time_and_every_turn_its_name(tmp_path: Path) -> None:
    talk = {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "session_2_date_time": "1:14 pm on 25 May, 2023",
            "session_2": [{"speaker": "Ann", "dia_id": "D2:1", "text": "Hi"}],
            "session_1_date_time": "12:05 am on 8 May, 2023",
            "session_1": [{"speaker": "Bo", "dia_id": "D1:1", "text": "Ho"}],
            "session_3_date_time": "1:14 pm on 26 May, 2023",
        },
    }
    first, second = read_transcript(written(tmp_path, json.dumps([talk])))

    assert (first["external_id"], first["occurred_at"]) == ("conv-1/D1:1", "2023-05-08T00:05:00+00:00")
    assert (second["speaker"], second["session"], second["sequence"]) == ("Ann", "conv-1/2", 0)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("{", ":1: not JSON"),
        ('{"content": "Hi"}', ":1: a message is"),
        ('{"content": "Hi", "time": "x", "colour": 1}', "unknown keys"),
        ('[{"a": 1}]', "not LoCoMo"),
    ],
)
def test_a_file_that_cannot_be_read_says_where(tmp_path: Path, text: str, where: str) -> None:
    with pytest.raises(InvalidInput, match=where):
        read_transcript(written(tmp_path, text))


def test_a_line_ends_at_a_line_feed_alone(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text('{"content": "One\u2028two\u0085three.", "time": "2025-01-07T09:00:00Z"}\r\n', encoding="utf-8")
    (episode,) = read_transcript(path)
    assert episode["content"] == "One\u2028two\u0085three."


@pytest.mark.parametrize("text", ["", "\n \n", "[]"])
def test_a_file_without_messages_says_so(tmp_path: Path, text: str) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text(text)
    with pytest.raises(InvalidInput, match="has no messages"):
        read_transcript(path)


def test_a_missing_file_is_no_traceback(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_transcript(tmp_path / "none")


def test_times_of_locomo_are_utc() -> None:
    assert locomo_time("1:56 pm on 8 May, 2023") == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
