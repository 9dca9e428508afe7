"""What files have in common: encodings, bad lines, missing times, equal turns, whose they are, and what errors say."""

import codecs
import json
import tracemalloc
from collections.abc import Mapping
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import pytest

from graphmem.errors import InvalidInput, TooLarge
from graphmem.files import archives
from graphmem.files.episodes import FoundFiles, look_through, opened
from graphmem.files.turns import ReadingOptions
from graphmem.model.dates import zone

Body = dict[str, Any]
AT = "2025-01-07T09:00:00Z"


def line(content: str, **more: object) -> str:
    return json.dumps({"content": content, "time": AT, **more}, ensure_ascii=False)


def written(folder: Path, *lines: str, name: str = "talk.jsonl") -> Path:
    path = folder / name
    path.write_bytes("\n".join(lines).encode())
    return path


def read(path: Path, **options: Any) -> tuple[list[Body], FoundFiles]:
    files = look_through(path, ReadingOptions(**options))
    return [placed.body for placed in files.bodies()], files


def zipped(path: Path, files: Mapping[str, str | bytes], packing: int = ZIP_DEFLATED) -> Path:
    with ZipFile(path, "w", packing) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def contents(path: Path, **options: Any) -> list[str]:
    return [body["content"] for body in read(path, **options)[0]]


@pytest.mark.parametrize(
    ("encoding", "bom"),
    [
        ("utf-8", b""),
        ("utf-8", codecs.BOM_UTF8),
        ("utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-16-be", codecs.BOM_UTF16_BE),
        ("utf-16-le", b""),
        ("cp1252", b""),
    ],
)
@pytest.mark.parametrize("kind", ["lines", "list", "table", "chat"])
def test_files_are_read_in_the_encodings_that_programs_write(
    tmp_path: Path, encoding: str, bom: bytes, kind: str
) -> None:
    said = "Zoë wohnt in München – „schön“, sagt sie, über der Bäckerei an der Straße."
    text = {
        "lines": line(said, speaker="Zoë"),
        "list": f"[{line(said, speaker='Zoë')}]",
        "table": f'time,speaker,text\r\n{AT},Zoë,"{said}"\r\n',
        "chat": f"31/12/2024, 09:00 - Zoë: {said}\r\n",
    }[kind]
    path = tmp_path / "talk"
    path.write_bytes(bom + text.encode(encoding))
    (body,), files = read(path)

    assert (body["speaker"], body["content"]) == ("Zoë", said)
    assert list(files.survey.notes.guessed.values()) == (["cp1252"] if encoding == "cp1252" else [])


def test_a_line_ends_at_a_line_feed_alone(tmp_path: Path) -> None:
    path = written(tmp_path, line("One\u2028two\u0085three.") + "\r", "", "  ", line("Four."))
    assert contents(path) == ["One\u2028twothree.", "Four."]  # a control character is nothing that can be stored


def test_what_cannot_be_stored_is_taken_out_of_a_text(tmp_path: Path) -> None:
    escaped = '{"content": "a\\u0000b\\ud83d\\r\\nc", "time": 1736240400, "session": "x\\ny"}'
    path = written(tmp_path, escaped, line(" \u0007 "))
    bodies, files = read(path)
    assert [(body["content"], body["session"]) for body in bodies] == [("ab?\nc", "x y")]
    assert files.survey.notes.left_out == {"messages without text": 1}


def test_bad_lines_are_listed_with_their_numbers_and_the_others_are_read(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "{broken",
        line("One"),
        "",
        '{"content": "no time"}',
        line("Two", role="boss"),
        line("Three", colour=1),
        line("Four").replace(AT, "soon"),
        line("Five", position=7),
        line("Six", time_zone="Mars", time="2025-01-01T00:00:00"),
    )
    bodies, files = read(path)

    assert [body["content"] for body in bodies] == ["One", "Five"]
    assert [bad.removeprefix(f"{path}:") for bad in files.survey.notes.bad] == [
        "1: a JSON object was expected, and not '{broken'",
        "4: a message with at least `content` and `time` was expected",
        "5: 'boss' is no role; known are user, participant, assistant, system, tool",
        "6: unknown keys ['colour']; known are " + files.survey.notes.bad[3].partition("known are ")[2],
        "7: 'soon' is no time, such as 2025-05-03T10:00:00+02:00",
        "9: 'Mars' is no time zone. Write an IANA name such as Europe/Lisbon, or an offset such as +09:00.",
    ]


def test_the_bad_rows_of_a_table_are_listed(tmp_path: Path) -> None:
    rows = ("Ines,Hi", "Ines", "Ines,a,b", ",")
    path = written(tmp_path, "time,speaker,text", *(f"{AT},{row}" for row in rows), "never,Ines,Ho", name="x.csv")
    bodies, files = read(path)
    assert [body["content"] for body in bodies] == ["Hi"]
    assert [bad.split(":")[1] for bad in files.survey.notes.bad] == ["3", "4", "5", "6"]


def test_lines_of_a_table_may_end_as_old_programs_end_them(tmp_path: Path) -> None:
    path = written(tmp_path, f"time,speaker,text\r{AT},Ines,Hi\r{AT},Tom,Ho\r", name="x.csv")
    assert contents(path) == ["Hi", "Ho"]


def test_a_turn_without_a_time_has_that_of_the_one_before_it_there(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        line("a1", session="a", time=None),
        line("b1", session="b", time="2025-01-02T00:00:00Z"),
        line("a2", session="a", time="2025-01-01T00:00:00Z"),
        line("a3", session="a", time=None),
        line("b2", session="b", time=None),
    )
    bodies, files = read(path)

    days = {"a1": "01", "b1": "02", "a2": "01", "a3": "01", "b2": "02"}
    assert {body["content"]: body["occurred_at"][8:10] for body in bodies} == days
    assert str(files.survey) == "graphmem messages: 2 conversations, 5 messages, 2025-01 to 2025-01; 3 without a time"


def test_a_conversation_without_any_time_is_refused_unless_it_is_said_when(tmp_path: Path) -> None:
    path = written(tmp_path, line("a", session="a"), line("b", session="b", time=None))
    with pytest.raises(InvalidInput, match=r"when 1 conversation took place \(b\). Say when by --at"):
        read(path)
    bodies, _ = read(path, at=datetime(2024, 5, 1, tzinfo=UTC))
    assert [body["occurred_at"][:10] for body in bodies] == ["2025-01-07", "2024-05-01"]


def test_times_without_a_zone_are_of_the_one_that_is_said(tmp_path: Path) -> None:
    path = written(tmp_path, line("a", time="2025-07-01T09:00:00"), line("b", time=1751360400))
    utc, files = read(path)
    lisbon, _ = read(path, time_zone=zone("Europe/Lisbon"), zone_name="Europe/Lisbon")

    assert [body["occurred_at"] for body in utc] == ["2025-07-01T09:00:00+00:00", "2025-07-01T09:00:00+00:00"]
    assert files.survey.zoneless == 1
    assert [body["occurred_at"] for body in lisbon] == ["2025-07-01T09:00:00+01:00", "2025-07-01T09:00:00+00:00"]
    assert {body["time_zone"] for body in lisbon} == {"Europe/Lisbon"}


def test_equal_messages_are_told_apart_wherever_they_stand_in_the_file(tmp_path: Path) -> None:
    lines = [line("yes"), line("no"), line("yes", id="7"), line("yes", speaker="Ann"), line("yes"), line("yes")]
    bodies, _ = read(written(tmp_path, *lines))

    assert [body["position"] for body in bodies] == list(range(6))
    assert [body.get("occurrence") for body in bodies] == [None, None, None, None, 1, 2]


def test_what_an_export_had_before_it_grew_stays_the_same(tmp_path: Path) -> None:
    chat = [f"31/12/24, 09:0{minute} - Ines: {text}" for minute, text in ((0, "yes"), (0, "yes"), (1, "no"))]
    before, _ = read(written(tmp_path, *chat, name="chat.txt"))
    after, _ = read(written(tmp_path, *chat, "31/12/24, 09:01 - Ines: no", name="chat (1).txt"))

    assert after[:3] == before
    assert after[3]["occurrence"] == 1


def test_the_user_is_whom_it_is_said_to_be(tmp_path: Path) -> None:
    path = written(tmp_path, "31/12/24, 09:00 - Ines: I ski.", "31/12/24, 09:01 - Tom: I don't.", name="chat.txt")
    bodies, _ = read(path, user="ines")
    assert [(body["role"], body["speaker"]) for body in bodies] == [("user", "Ines"), ("participant", "Tom")]
    with pytest.raises(InvalidInput, match=r"Nobody in .* is called 'Ann'. Who speaks there: Ines, Tom"):
        read(path, user="Ann")

    said = [{"role": "user", "content": "I ski.", "ts": 1700000000}, {"role": "assistant", "content": "Ah."}]
    talk = written(tmp_path, json.dumps(said))
    bodies, files = read(talk, user="Ines")
    assert [(body["role"], body.get("speaker")) for body in bodies] == [("user", "Ines"), ("assistant", None)]
    assert (files.survey.unnamed, read(talk)[1].survey.unnamed) == (0, 1)


def test_what_was_before_a_day_is_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, line("a"), line("b", time="2025-02-01T00:00:00Z"), line("c", time=None))
    bodies, files = read(path, since=datetime(2025, 2, 1, tzinfo=UTC))
    assert [body["content"] for body in bodies] == ["b", "c"]
    assert (files.survey.turns, files.survey.notes.left_out) == (2, {"messages of before --since": 1})


@pytest.mark.parametrize("text", ["", "\n \n", "[]", '[{"content": " ", "time": "2025-01-07T09:00:00Z"}]'])
def test_a_file_without_messages_says_so(tmp_path: Path, text: str) -> None:
    with pytest.raises(InvalidInput, match="has no messages"):
        read(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\nHello there.", ":2: no format is known that begins with 'Hello there.'. Known are: Slack export, PDF"),
        ('{"a": 1}', ":1: no format is known"),
        ('[{"a": 1}]', "docs/files.md"),
        ('[{"content": "Hi",\n "time": 5},\n {]', ":3: not JSON"),
        ("\x89PNG\x00", ":1: no format is known"),
    ],
)
def test_what_is_no_format_is_named_with_its_line_and_what_is_known(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InvalidInput) as error:
        read(written(tmp_path, text))
    assert said in str(error.value)


def test_a_missing_file_and_an_empty_folder_are_no_traceback(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        read(tmp_path / "none")
    with pytest.raises(InvalidInput, match="no file of a format"):
        read(tmp_path)


def test_a_long_file_is_never_held_as_a_whole(tmp_path: Path) -> None:
    said = [line("word " * 100, session=f"s{number % 7}", id=str(number)) for number in range(10_000)]
    path = written(tmp_path, "[" + ",\n".join(said) + "]", name="talk.json")
    files = look_through(path, ReadingOptions())
    tracemalloc.start()
    try:
        number = sum(1 for _ in files.bodies())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert number == 10_000
    assert peak < path.stat().st_size / 3


CHAT = "31/12/24, 09:00 - Ines: I ski.\n31/12/24, 09:01 - Tom: I don't.\n"


def test_of_a_zip_is_read_what_its_folder_would_give(tmp_path: Path) -> None:
    day = json.dumps([{"type": "message", "user": "U1", "text": "I ski.", "ts": "1736240400.000100"}])
    slack = {
        "Team/users.json": json.dumps([{"id": "U1", "real_name": "Ines"}]),
        "Team/channels.json": json.dumps([{"id": "C1", "name": "general"}]),
        "Team/general/2025-01-07.json": day,
        "__MACOSX/Team/._users.json": "...",
    }
    with opened(zipped(tmp_path / "team.zip", slack), ReadingOptions()) as files:
        (placed,) = files.bodies()
        assert str(files.survey).startswith("Slack export: 1 conversation, 1 message")
        assert (placed.body["speaker"], placed.place) == ("Ines", "turn 1 of team.zip/Team")

    mixed = {"chat.txt": CHAT, "notes/talk.jsonl": f"{line('One')}\n{{broken\n", "photo.png": b"\x89PNG"}
    with opened(zipped(tmp_path / "mixed.zip", mixed), ReadingOptions()) as files:
        placed = list(files.bodies())
        assert [one.place for one in placed] == [
            "mixed.zip/chat.txt:1",
            "mixed.zip/chat.txt:2",
            "mixed.zip/notes/talk.jsonl:1",
        ]
        assert placed[0].body["session"] == "whatsapp/chat"
        assert files.survey.notes.left_out == {"files of no known format": 1}
        assert files.survey.notes.bad[0].startswith("mixed.zip/notes/talk.jsonl:2: a JSON object was expected")
        lies = files.path
    assert not lies.exists()
    with opened(written(tmp_path, line("One")), ReadingOptions()) as files:
        assert files.survey.turns == 1


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"../chat.txt": CHAT}, "'../chat.txt' cannot be unpacked: a path within it"),
        ({"/etc/chat.txt": CHAT}, "'/etc/chat.txt' cannot be unpacked: a path within it"),
        ({"a\\..\\..\\chat.txt": CHAT}, "cannot be unpacked: a path within it"),
        ({"a/" * 40 + "chat.txt": CHAT}, "of at most 32 steps"),
        ({"a": CHAT, "a/chat.txt": CHAT}, "'a/chat.txt' cannot be unpacked: "),
        ({"photo.png": b"\x89PNG"}, "talk.zip has no file of a format that is known"),
        ({}, "talk.zip has no file of a format that is known"),
        ({"talk.json": '[{"content": "Hi",\n "time": 5},\n {]'}, "talk.zip/talk.json:3: not JSON"),
    ],
)
def test_a_zip_that_leaves_its_folder_or_has_nothing_to_read_is_refused(
    tmp_path: Path, files: dict[str, str | bytes], said: str
) -> None:
    with pytest.raises(InvalidInput) as error, opened(zipped(tmp_path / "talk.zip", files), ReadingOptions()):
        pass
    assert said in str(error.value)
    assert not any(folder in str(error.value) for folder in (str(tmp_path), "graphmem-"))
    assert [path.name for path in tmp_path.iterdir()] == ["talk.zip"]


def test_a_zip_is_bounded_before_it_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = zipped(tmp_path / "bomb.zip", {"a.txt": CHAT, "b.txt": bytes(50_000_000)})
    assert bomb.stat().st_size < 100_000
    with pytest.raises(TooLarge, match="more than 1000000 bytes"), opened(bomb, ReadingOptions(), most_bytes=1_000_000):
        pass
    lies = bomb.read_bytes().replace((50_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    bomb.write_bytes(lies)  # it says that there is less in it
    with pytest.raises(InvalidInput, match=r"b\.txt"), opened(bomb, ReadingOptions(), most_bytes=1_000_000):
        pass
    odd = zipped(tmp_path / "odd.zip", {"chat.txt": CHAT}, ZIP_BZIP2)
    with pytest.raises(InvalidInput, match="packed in a way that is not read"), opened(odd, ReadingOptions()):
        pass
    odd.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(InvalidInput, match=r"odd\.zip cannot be read as ZIP"), opened(odd, ReadingOptions()):
        pass
    many = zipped(tmp_path / "many.zip", {f"{number}.txt": CHAT for number in range(30)})
    for bound, most in (("MOST_ENTRIES", 20), ("_LONGEST_LIST", 1_000)):
        with monkeypatch.context() as patched:
            patched.setattr(archives, bound, most)
            with pytest.raises(TooLarge, match=r"many\.zip has more than .* files"), opened(many, ReadingOptions()):
                pass
    deep = zipped(tmp_path / "deep.zip", {f"{number}/b/c/chat.txt": CHAT for number in range(4)})
    for most, raises in (
        (13, nullcontext()),
        (12, pytest.raises(TooLarge, match=r"deep\.zip has more than 12 folders")),
    ):
        monkeypatch.setattr(archives, "MOST_FOLDERS", most)
        with raises, opened(deep, ReadingOptions()):
            pass
