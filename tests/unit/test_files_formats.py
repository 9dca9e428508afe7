"""What each format leaves out, says of itself, and how it names sessions and turns; one small file of each."""

import json
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from pypdf import PdfWriter

from graphmem.errors import ConfigurationError, InvalidInput, TooLarge
from graphmem.files import documents
from graphmem.files import source as source_module
from graphmem.files.episodes import FoundFiles, look_through
from graphmem.files.turns import ReadingOptions
from tests.written_files import START, Said, docx

Body = dict[str, Any]


def written(folder: Path, name: str, value: object) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def lines(*values: object) -> str:
    return "".join(f"{json.dumps(value)}\n" for value in values)


def read(path: Path, **options: Any) -> tuple[list[Body], FoundFiles]:
    files = look_through(path, ReadingOptions(**options))
    return [placed.body for placed in files.bodies()], files


def texts(bodies: list[Body]) -> list[tuple[str | None, str]]:
    return [(body.get("speaker"), body["content"]) for body in bodies]


def node(id_: str, parent: str | None, role: str, text: str, **more: Any) -> Body:
    message = {"id": id_, "author": {"role": role}, "create_time": None, "recipient": "all", "metadata": {}}
    content = {"content_type": "text", "parts": [text]}
    return {id_: {"id": id_, "parent": parent, "children": [], "message": message | {"content": content} | more}}


def test_of_a_tree_of_chatgpt_the_branch_shown_is_read(tmp_path: Path) -> None:
    nodes = {
        **node("s", None, "system", "Be kind."),
        **node("h", "s", "user", "About me.", metadata={"is_visually_hidden_from_conversation": True}),
        **node("q", "h", "user", "I moved to Oslo.", create_time=1_700_000_000.5),
        **node("old", "q", "assistant", "Old answer."),
        **node("call", "q", "assistant", "search()", recipient="browser"),
        **node("tool", "call", "tool", "Results."),
        **node("new", "tool", "assistant", "Good."),
    }
    pictured = {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}, "And this?"]}
    nodes |= node("pic", "new", "user", "", content=pictured)
    talk = {"title": "Moving", "create_time": 1_700_000_000, "mapping": nodes, "current_node": "pic", "id": "c1"}
    bodies, files = read(written(tmp_path, "x.json", [talk]))

    assert texts(bodies) == [(None, "I moved to Oslo."), (None, "Good."), (None, "And this?")]
    assert [body["role"] for body in bodies] == ["user", "assistant", "user"]
    assert {body["occurred_at"] for body in bodies} == {"2023-11-14T22:13:20.500000+00:00"}
    assert (bodies[0]["session"], bodies[0]["external_id"], bodies[0]["metadata"]) == (
        "chatgpt/c1",
        "chatgpt/q",
        {"title": "Moving"},
    )
    assert str(files.survey) == "ChatGPT export: 1 conversation, 3 messages, 2023-11 to 2023-11; 2 without a time"
    assert files.survey.notes.left_out == {
        "hidden messages": 1,
        "system messages": 1,
        "tool messages": 1,
        "calls of tools": 1,
        "messages of other branches": 1,
        "image asset pointer parts": 1,
    }


def test_a_conversation_that_is_not_as_it_should_be_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    good = {
        "uuid": "2",
        "chat_messages": [{"uuid": "m", "sender": "human", "text": "Hi", "created_at": "2025-01-01T00:00:00Z"}],
    }
    bodies, files = read(written(tmp_path, "x.json", [{"uuid": "1", "chat_messages": [{"text": "no sender"}]}, good]))

    assert texts(bodies) == [(None, "Hi")]
    assert files.survey.notes.bad == [f"{tmp_path / 'x.json'}: conversation 1: `sender` was expected"]


def test_documents_of_projects_of_claude_are_documents(tmp_path: Path) -> None:
    document = {"uuid": "d", "filename": "plan.md", "content": "We ship in May.", "created_at": "2025-01-01T00:00:00Z"}
    project = {"uuid": "p", "name": "Ship", "prompt_template": "", "docs": [document]}
    (body,), _ = read(written(tmp_path, "projects.json", [project]))

    assert (body["content_type"], body["metadata"]) == ("document", {"project": "Ship", "file": "plan.md"})


def test_of_claude_code_what_is_said_is_read(tmp_path: Path) -> None:
    def record(kind: str, content: object, **more: object) -> Body:
        message = {"role": kind, "content": content}
        at = "2025-01-01T00:00:00Z"
        return {"type": kind, "uuid": str(more), "sessionId": "s", "timestamp": at, "message": message, **more}

    log = lines(
        {"type": "file-history-snapshot", "messageId": "x", "snapshot": {}},
        record("user", "<command-name>/clear</command-name>", n=1),
        record("user", "Caveat", isMeta=True),
        record("user", "<system-reminder>Be brief.</system-reminder>I use uv."),
        record("assistant", [{"type": "thinking", "thinking": "…"}, {"type": "text", "text": "Noted."}], n=2),
        record("assistant", [{"type": "tool_use", "name": "Bash"}], n=3),
        record("user", [{"type": "tool_result", "content": "secret"}], n=4),
        record("user", "Explore.", isSidechain=True),
    )
    bodies, files = read(written(tmp_path, "s.jsonl", log))

    assert texts(bodies) == [(None, "I use uv."), (None, "Noted.")]
    assert files.survey.notes.left_out["messages of other agents"] == 1
    assert "secret" not in str(bodies)


def test_of_codex_messages_are_read_once(tmp_path: Path) -> None:
    def item(role: str, text: str) -> Body:
        content = [{"type": "input_text", "text": text}]
        return {
            "type": "response_item",
            "timestamp": "2025-01-01T00:00:01Z",
            "payload": {"type": "message", "role": role, "content": content},
        }

    log = lines(
        {
            "type": "session_meta",
            "timestamp": "2025-01-01T00:00:00Z",
            "payload": {"id": "s", "cwd": "/src", "instructions": None},
        },
        item("developer", "Sandboxed."),
        item("user", "<environment_context>\n<cwd>/src</cwd>\n</environment_context>"),
        item("user", "I use uv."),
        {
            "type": "event_msg",
            "timestamp": "2025-01-01T00:00:01Z",
            "payload": {"type": "user_message", "message": "I use uv."},
        },
        {
            "type": "response_item",
            "timestamp": "2025-01-01T00:00:02Z",
            "payload": {"type": "function_call", "name": "shell"},
        },
    )
    bodies, files = read(written(tmp_path, "rollout.jsonl", log))

    assert texts(bodies) == [(None, "I use uv.")]
    assert bodies[0]["session"] == "codex/s"
    assert files.survey.notes.left_out["function call records"] == 1


def test_threads_of_slack_are_conversations_and_references_are_names(tmp_path: Path) -> None:
    written(tmp_path, "users.json", [{"id": "U1", "name": "ines", "profile": {"real_name": "Ines Prado"}}])
    written(tmp_path, "channels.json", [{"id": "C1", "name": "general"}])
    said = {"type": "message", "user": "U1", "ts": "1700000000.000100"}
    day = [
        said
        | {"text": "Hi <@U1> in <#C1|general>, see <https://a.test|this> &amp; that", "thread_ts": "1700000000.000100"},
        said | {"text": "Joined", "subtype": "channel_join"},
        said | {"text": "Yes", "ts": "1700000001.000100", "thread_ts": "1700000000.000100"},
        {"type": "message", "subtype": "bot_message", "username": "Builds", "text": "Green", "ts": "1700000002.000100"},
    ]
    written(tmp_path, "general/2023-11-14.json", day)
    bodies, files = read(tmp_path)

    assert texts(bodies) == [
        ("Ines Prado", "Hi @Ines Prado in #general, see this & that"),
        ("Ines Prado", "Yes"),
        ("Builds", "Green"),
    ]
    assert [body["session"] for body in bodies] == ["slack/C1/1700000000.000100"] * 2 + ["slack/C1"]
    assert [body["role"] for body in bodies] == ["participant", "participant", "assistant"]
    assert str(files.survey).startswith("Slack export: 2 conversations, 3 messages")


def test_all_chats_of_telegram_are_read_and_what_is_forwarded_is_of_another(tmp_path: Path) -> None:
    def message(id_: int, text: object, **more: object) -> Body:
        return {"id": id_, "type": "message", "date": "2025-01-01T10:00:00", "from": "Ines", "text": text, **more}

    chats = [
        {
            "name": "Tom",
            "type": "personal_chat",
            "id": 1,
            "messages": [message(1, "Hi"), message(2, "I live in Rome.", forwarded_from="Ada")],
        },
        {
            "name": "Work",
            "type": "private_group",
            "id": 2,
            "messages": [message(1, "", type="service"), message(2, ["See ", {"type": "link", "text": "a.test"}])],
        },
    ]
    bodies, files = read(written(tmp_path, "result.json", {"about": "…", "chats": {"about": "…", "list": chats}}))

    assert texts(bodies) == [("Ines", "Hi"), ("Ada", "I live in Rome."), ("Ines", "See a.test")]
    assert [body["external_id"] for body in bodies] == ["telegram/1/1", "telegram/1/2", "telegram/2/2"]
    assert files.survey.zoneless == 3


@pytest.mark.parametrize(
    ("stamp", "day"),
    [
        ("[31.12.24, 22:15:03]", "2024-12-31T22:15:03"),
        ("[12/31/24, 10:15:03\u202fPM]", "2024-12-31T22:15:03"),
        ("12/31/24, 10:15 PM -", "2024-12-31T22:15:00"),
        ("31/12/2024, 22:15 -", "2024-12-31T22:15:00"),
        ("31.12.24, 22:15 -", "2024-12-31T22:15:00"),
        ("2024-12-31, 10:15 p.m. -", "2024-12-31T22:15:00"),
    ],
)
def test_whatsapp_of_all_countries_is_read(tmp_path: Path, stamp: str, day: str) -> None:
    text = (
        f"{stamp} Messages and calls are end-to-end encrypted.\n"
        f"{stamp} Ines: Two\nlines: here\n\u200e{stamp} Ines: \u200eimage omitted\n{stamp} Tom: <Media omitted>\n"
        f"{stamp} Tom: Yes \u200e<This message was edited>\n"
    )
    bodies, files = read(written(tmp_path, "WhatsApp Chat with Tom (2).txt", text))

    assert texts(bodies) == [("Ines", "Two\nlines: here"), ("Tom", "Yes")]
    assert [body["occurred_at"] for body in bodies] == [f"{day}+00:00"] * 2
    assert (bodies[0]["session"], files.survey.notes.left_out.total()) == ("whatsapp/WhatsApp Chat with Tom", 3)


def test_an_order_of_days_that_nothing_tells_is_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, "chat.txt", "05/06/24, 10:00 - Ines: Hi\n")
    with pytest.raises(InvalidInput, match="--date-order"):
        read(path)
    (body,), _ = read(path, date_order="mdy")
    assert body["occurred_at"] == "2024-05-06T10:00:00+00:00"


def test_days_that_would_go_back_tell_their_order(tmp_path: Path) -> None:
    path = written(
        tmp_path, "chat.txt", "05/06/24, 10:00 - Ines: Hi\n06/05/24, 10:00 - Ines: Ho\n07/05/24, 10:00 - Ines: He\n"
    )
    bodies, _ = read(path)
    assert [body["occurred_at"][:10] for body in bodies] == ["2024-05-06", "2024-06-05", "2024-07-05"]


MAIL = """From: Tom Weil <tom@example.org>
Date: Tue, 14 Jan 2025 09:30:00 +0100
Message-ID: <2@example.org>
In-Reply-To: <1@example.org>
References: <0@example.org> <1@example.org>
Subject: Re: Move
Content-Type: {kind}; charset=utf-8

{text}
"""


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("text/plain", "I stay.\n\nOn Mon, Ines <i@example.org> wrote:\n> I move.\n"),
        ("text/plain", "I stay.\n\nOn Mon, Ines <i@example.org> wrote:\n\nI move.\n"),
        ("text/plain", "I stay.\n-- \nTom Weil, Acme\n"),
        ("text/plain", "I stay.\n\n-----Original Message-----\nFrom: Ines\nI move.\n"),
        ("text/html", "<style>p {}</style><p>I stay.</p><blockquote><p>I move.</p></blockquote>"),
    ],
)
def test_what_a_mail_quotes_is_not_its_own(tmp_path: Path, kind: str, text: str) -> None:
    (body,), _ = read(written(tmp_path, "x.eml", MAIL.format(kind=kind, text=text)))

    assert (body["content"], body["speaker"], body["session"]) == ("I stay.", "Tom Weil", "mail/<0@example.org>")
    assert (body["occurred_at"], body["metadata"]) == ("2025-01-14T09:30:00+01:00", {"subject": "Re: Move"})


def test_who_speaks_in_subtitles_is_in_tags_or_in_front(tmp_path: Path) -> None:
    text = (
        "WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000\n<v Ines Prado>I live <b>in</b> Rome.</v>\n\n"
        "00:01:01.000 --> 00:01:02.000\nTom: Since when?\n\n00:01:03.000 --> 00:01:04.000\n(laughter)\n"
    )
    path = written(tmp_path, "talk.vtt", text)
    bodies, _ = read(path, at=START)

    assert texts(bodies) == [("Ines Prado", "I live in Rome."), ("Tom", "Since when?"), (None, "(laughter)")]
    assert bodies[1]["occurred_at"] == "2025-03-14T09:01:01+00:00"
    with pytest.raises(InvalidInput, match="--at"):
        read(path)


def test_chat_messages_of_programs_are_read_without_calls_of_tools(tmp_path: Path) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    talk: list[Body] = [
        {"role": "developer", "content": "Be kind."},
        {"role": "user", "content": "I use uv.", "name": "Ines"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "secret"},
        {"role": "assistant", "content": [{"type": "text", "text": "Noted."}, {"type": "image_url"}]},
    ]
    at = START.isoformat()
    bodies, files = read(
        written(
            tmp_path, "chat.jsonl", lines({"messages": talk, "created_at": at}, {"messages": talk, "created_at": at})
        )
    )

    assert texts(bodies) == [("Ines", "I use uv."), (None, "Noted.")] * 2
    assert [body["session"] for body in bodies] == ["chat/1", "chat/1", "chat/2", "chat/2"]
    assert files.survey.notes.left_out["calls of tools"] == 2
    one, _ = read(written(tmp_path, "chat.json", json.dumps({"id": "c9", "messages": talk}, indent=1)), at=START)
    assert [body["session"] for body in one] == ["c9", "c9"]


def test_dumps_of_langchain_are_read(tmp_path: Path) -> None:
    def dumped(kind: str, text: str) -> Body:
        name = ["langchain", "schema", "messages", kind]
        return {"lc": 1, "type": "constructor", "id": name, "kwargs": {"content": text, "type": "x", "tool_calls": []}}

    talk = [dumped("SystemMessage", "Be kind."), dumped("HumanMessage", "I use uv."), dumped("AIMessage", "Noted.")]
    bodies, _ = read(written(tmp_path, "x.json", talk), at=START)
    assert [(body["role"], body["content"]) for body in bodies] == [("user", "I use uv."), ("assistant", "Noted.")]


def test_own_messages_keep_every_field_of_theirs(tmp_path: Path) -> None:
    message = {
        "content": "Hi",
        "time": "2025-01-01T00:00:00",
        "time_zone": "Asia/Tokyo",
        "role": "human",
        "id": "1",
        "tags": ["a"],
        "metadata": {"b": 1},
        "user": "u",
        "sequence": 3,
        "source": "mine",
    }
    (body,), _ = read(written(tmp_path, "x.jsonl", lines(message)))

    assert body == {
        "content": "Hi",
        "occurred_at": "2025-01-01T00:00:00+09:00",
        "time_zone": "Asia/Tokyo",
        "role": "user",
        "external_id": "1",
        "tags": ["a"],
        "metadata": {"b": 1},
        "user": "u",
        "sequence": 3,
        "source": "mine",
        "position": 0,
    }


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
    (first, second), _ = read(written(tmp_path, "x.json", [talk]))

    assert (first["external_id"], first["occurred_at"]) == ("conv-1/D1:1", "2023-05-08T00:05:00+00:00")
    assert (second["speaker"], second["session"], second["sequence"]) == ("Ann", "conv-1/2", 0)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("Date,Time,Author,Message\n31/12/2024,22:15,Ines,Hi\n", {}),
        ("timestamp;sender;text\n2024-12-31 22:15;Ines;Hi\n", {}),
        (
            "when\tperson\twords\n2024-12-31T22:15\tInes\tHi\n",
            {"content": "words", "speaker": "Person", "time": "when"},
        ),
    ],
)
def test_columns_of_tables_are_known_by_name_or_said(tmp_path: Path, text: str, columns: dict[str, str]) -> None:
    (body,), _ = read(written(tmp_path, "x.csv", text), columns=columns)
    assert (body["speaker"], body["content"], body["occurred_at"]) == ("Ines", "Hi", "2024-12-31T22:15:00+00:00")


def test_dated_headings_are_entries_and_a_note_has_the_date_of_its_front_matter(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "notes.md",
        "---\ndate: 2025-01-02\n---\nBefore.\n\n## 10 March 2025 — Move\nOslo.\n```\n# 1 May 2025\n```\n",
    )
    (before, entry), _ = read(path)
    assert (before["content"], before["occurred_at"][:10], before["content_type"]) == (
        "Before.",
        "2025-01-02",
        "document",
    )
    assert (entry["content"], entry["occurred_at"][:10]) == ("Move\nOslo.\n```\n# 1 May 2025\n```", "2025-03-10")


def test_a_folder_of_notes_is_read_and_other_files_are_counted(tmp_path: Path) -> None:
    written(tmp_path, "2025-01-02.md", "# Today\nI moved.")
    written(tmp_path, "deep/2025-01-03.md", "# Today\nI unpacked.")
    written(tmp_path, ".obsidian/app.json", "{}")
    (tmp_path / "x.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    bodies, files = read(tmp_path)

    assert [body["occurred_at"][:10] for body in bodies] == ["2025-01-02", "2025-01-03"]
    assert files.survey.notes.left_out == {"files of no known format": 1}
    assert str(files.survey).startswith("2 × Markdown notes: 2 conversations, 2 messages, 2025-01 to 2025-01")


@pytest.mark.parametrize(
    "day", ["10 March 2025", "March 10, 2025", "Monday, 10th March 2025", "2025-03-10", "10.03.2025"]
)
def test_lines_with_dates_begin_entries_of_a_diary(tmp_path: Path, day: str) -> None:
    text = f"{day}\nI moved to Oslo.\nIt rains.\n\n13.03.2025: Sun.\n"
    bodies, _ = read(written(tmp_path, "diary.txt", text), user="Ines")
    assert texts(bodies) == [("Ines", "I moved to Oslo.\nIt rains."), ("Ines", "Sun.")]
    assert [body["occurred_at"][:10] for body in bodies] == ["2025-03-10", "2025-03-13"]


PDF = """%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 300 100]>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /Contents 5 0 R /Resources <</Font <</F1 7 0 R>>>>>> endobj
4 0 obj <</Type /Page /Parent 2 0 R /Contents 6 0 R /Resources <</Font <</F1 7 0 R>>>>>> endobj
5 0 obj <</Length 45>> stream
BT /F1 12 Tf 10 50 Td (We ship in May.) Tj ET
endstream endobj
6 0 obj <</Length 39>> stream
BT /F1 12 Tf 10 50 Td (Tom pays.) Tj ET
endstream endobj
7 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj
8 0 obj <</CreationDate (D:20250314090000Z)>> endobj
trailer <</Size 9 /Root 1 0 R /Info 8 0 R>>
startxref
0
%%EOF
"""
"""Two pages."""


def test_documents_are_read_whole(tmp_path: Path) -> None:
    (body,), _ = read(docx([Said("", START, "We ship in May.")], tmp_path))
    assert (body["content"], body["content_type"]) == ("We ship in May.", "document")
    (tmp_path / "note.pdf").write_text(PDF)
    (body,), files = read(tmp_path / "note.pdf", user="Ines")
    assert (body["content"], body["occurred_at"]) == ("We ship in May.\n\nTom pays.", "2025-03-14T09:00:00+00:00")
    assert "speaker" not in body
    assert str(files.survey).startswith("PDF document: 1 message")


def test_a_document_of_pictures_is_refused(tmp_path: Path) -> None:
    with PdfWriter() as empty:
        empty.add_blank_page(100, 100)
        empty.write(tmp_path / "empty.pdf")
    with pytest.raises(InvalidInput, match="has no text"):
        read(tmp_path / "empty.pdf")


WORD = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>%s</w:body></w:document>'
CELL = b'<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2000000000"/></w:tcPr>%s</w:tc><w:tc>%s</w:tc></w:tr></w:tbl>'
SAID = b"<w:p><w:r><w:t>Hi</w:t></w:r></w:p>"


def word(path: Path, body: bytes) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", WORD % body)
    return path


def test_a_word_document_is_read_for_its_text_and_within_bounds(tmp_path: Path) -> None:
    (body,), _ = read(word(tmp_path / "table.docx", CELL % (SAID, SAID)), at=START)
    assert body["content"] == "Hi | Hi"
    with pytest.raises(TooLarge, match="tags"):
        read(word(tmp_path / "tags.docx", SAID + b"<w:p/>" * 1_400_000))
    with pytest.raises(TooLarge, match="bytes of text"):
        read(word(tmp_path / "long.docx", SAID + b" " * 17_000_000))


@pytest.mark.parametrize(("most", "what"), [("PAGES", "1 pages"), ("DRAWN", "1 operations"), ("TEXT", "1 bytes")])
def test_a_pdf_is_read_within_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: str, what: str) -> None:
    monkeypatch.setattr(documents, f"_MOST_{most}", 1)
    with pytest.raises(TooLarge, match=f"note.pdf has more than {what}"):
        read(written(tmp_path, "note.pdf", PDF))


def test_what_is_broken_is_no_traceback(tmp_path: Path) -> None:
    whole = docx([Said("", START, "We ship in May.")], tmp_path)
    with ZipFile(whole) as archive, ZipFile(tmp_path / "broken.docx", "w") as broken:
        for name in archive.namelist():
            broken.writestr(name, b"<x" if name == "word/document.xml" else archive.read(name))
    (tmp_path / "cut.docx").write_bytes(whole.read_bytes().replace(b"word/document.xml", b"word/documenz.xml", 1))
    (tmp_path / "cut.json").write_bytes(b'[{"role": "user", "content": "Z\xeb\x90"}, {\xe9')
    written(tmp_path, "broken.pdf", "%PDF-1.7\nnothing")
    written(tmp_path, "broken.vtt", "WEBVTT\n\nnothing")
    for name in ("broken.docx", "cut.docx", "cut.json", "broken.pdf", "broken.vtt"):
        with pytest.raises(InvalidInput, match=r"docs/files\.md"):
            read(tmp_path / name, at=START)
    written(tmp_path, "slack/users.json", [{"name": "no id"}])
    written(tmp_path, "slack/channels.json", [])
    with pytest.raises(InvalidInput, match=r"slack: a list of .* docs/files\.md"):
        read(tmp_path / "slack")
    mail = written(tmp_path, "late.eml", MAIL.format(kind="text/plain", text="Hi").replace("2025", "9" * 25))
    with pytest.raises(InvalidInput, match="has no messages"):
        read(mail, at=START)


def test_a_library_that_is_missing_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def absent(name: str) -> object:
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(source_module, "import_module", absent)
    with pytest.raises(ConfigurationError, match=r"pip install 'graphmem\[files\]'"):
        read(written(tmp_path, "x.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n"))
