"""Conversations written as the programs write them whose files are read, so that both can be compared."""

import csv
import json
import mailbox
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from docx import Document

USER, OTHER = "Ines Prado", "Tom Weil"
START = datetime(2025, 3, 14, 9, 0, tzinfo=UTC)
Object = dict[str, Any]


class Said(NamedTuple):
    """A message as it is compared: who, when, what."""

    who: str
    when: datetime
    what: str


Conversation = Sequence[Said]


@dataclass(frozen=True)
class Writer:
    """``any_text``: a text may have whatever texts can have; else letters and ends of sentences on one line."""

    write: Callable[[Conversation, Path], Path]
    any_text: bool = False
    step: timedelta = timedelta(seconds=1)
    """How finely the format tells time."""
    roles: bool = False
    """Whether it says roles in the place of names."""


def by_role(said: Said) -> str:
    return "user" if said.who == USER else "assistant"


def _json(folder: Path, name: str, value: object) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def _lines(folder: Path, name: str, values: Sequence[object]) -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values), encoding="utf-8")
    return path


def _text(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def chatgpt(conversation: Conversation, folder: Path) -> Path:
    nodes: dict[str, Object] = {"root": {"id": "root", "message": None, "parent": None, "children": ["n0"]}}
    for number, said in enumerate(conversation):
        nodes[f"n{number}"] = {
            "id": f"n{number}",
            "parent": f"n{number - 1}" if number else "root",
            "children": [f"n{number + 1}"] if number + 1 < len(conversation) else [],
            "message": {
                "id": f"m{number}",
                "author": {"role": by_role(said), "name": None, "metadata": {}},
                "create_time": said.when.timestamp(),
                "content": {"content_type": "text", "parts": [said.what]},
                "recipient": "all",
                "metadata": {},
            },
        }
    shown = {"title": "A talk", "create_time": START.timestamp(), "mapping": nodes, "conversation_id": "c1"}
    return _json(folder, "conversations.json", [shown | {"current_node": f"n{len(conversation) - 1}"}])


def claude(conversation: Conversation, folder: Path) -> Path:
    messages = [
        {
            "uuid": f"u{number}",
            "sender": "human" if said.who == USER else "assistant",
            "text": said.what,
            "content": [{"type": "text", "text": said.what}],
            "created_at": said.when.isoformat(),
            "attachments": [],
            "files": [],
        }
        for number, said in enumerate(conversation)
    ]
    return _json(folder, "conversations.json", [{"uuid": "c1", "name": "A talk", "chat_messages": messages}])


def claude_code(conversation: Conversation, folder: Path) -> Path:
    records: list[Object] = [{"type": "summary", "summary": "A talk", "leafUuid": "u0"}]
    for number, said in enumerate(conversation):
        content: object = said.what if said.who == USER else [{"type": "text", "text": said.what}]
        records.append(
            {
                "type": by_role(said),
                "uuid": f"u{number}",
                "parentUuid": f"u{number - 1}" if number else None,
                "sessionId": "s1",
                "isSidechain": False,
                "cwd": "/src",
                "timestamp": said.when.isoformat(),
                "message": {"role": by_role(said), "content": content},
            }
        )
    return _lines(folder, "s1.jsonl", records)


def codex(conversation: Conversation, folder: Path) -> Path:
    records: list[Object] = [
        {"timestamp": START.isoformat(), "type": "session_meta", "payload": {"id": "s1", "cwd": "/src"}}
    ]
    for said in conversation:
        kind = "input_text" if said.who == USER else "output_text"
        item = {"type": "message", "role": by_role(said), "content": [{"type": kind, "text": said.what}]}
        records.append({"timestamp": said.when.isoformat(), "type": "response_item", "payload": item})
    return _lines(folder, "rollout-1.jsonl", records)


def slack(conversation: Conversation, folder: Path) -> Path:
    people = [{"id": f"U{number}", "profile": {"real_name": name}} for number, name in enumerate((USER, OTHER))]
    _json(folder, "users.json", people)
    _json(folder, "channels.json", [{"id": "C1", "name": "general"}])
    ids = {USER: "U0", OTHER: "U1"}
    days: dict[str, list[Object]] = {}
    for said in conversation:
        message = {"type": "message", "user": ids[said.who], "text": said.what, "ts": f"{said.when.timestamp():.6f}"}
        days.setdefault(f"{said.when:%Y-%m-%d}", []).append(message)
    (folder / "general").mkdir()
    for day, messages in days.items():
        _json(folder, f"general/{day}.json", messages)
    return folder


def discord(conversation: Conversation, folder: Path) -> Path:
    messages = [
        {
            "id": str(number),
            "type": "Default",
            "timestamp": said.when.isoformat(),
            "content": said.what,
            "author": {"id": "1", "name": said.who.lower(), "nickname": said.who, "isBot": False},
        }
        for number, said in enumerate(conversation)
    ]
    exported = {"guild": {"id": "1", "name": "G"}, "channel": {"id": "2", "name": "general"}, "messages": messages}
    return _json(folder, "general.json", exported)


def telegram(conversation: Conversation, folder: Path) -> Path:
    messages = [
        {
            "id": number,
            "type": "message",
            "date": f"{said.when:%Y-%m-%dT%H:%M:%S}",
            "date_unixtime": str(int(said.when.timestamp())),
            "from": said.who,
            "from_id": f"user{number}",
            "text": [said.what[:1], {"type": "bold", "text": said.what[1:]}],
        }
        for number, said in enumerate(conversation)
    ]
    return _json(folder, "result.json", {"name": OTHER, "type": "personal_chat", "id": 7, "messages": messages})


def iphone(conversation: Conversation, folder: Path) -> Path:
    lines = (f"[{said.when:%d.%m.%y, %H:%M:%S}] {said.who}: {said.what}\n" for said in conversation)
    return _text(folder, "_chat.txt", "".join(lines))


def android(conversation: Conversation, folder: Path) -> Path:
    lines = (f"{said.when:%m/%d/%y, %I:%M\u202f%p} - {said.who}: {said.what}\n" for said in conversation)
    return _text(folder, "WhatsApp Chat.txt", "".join(lines))


def mbox(conversation: Conversation, folder: Path) -> Path:
    box = mailbox.mbox(folder / "talk.mbox")
    for number, said in enumerate(conversation):
        mail = EmailMessage()
        mail["From"], mail["Date"] = (
            f"{said.who} <{said.who.split()[0].lower()}@example.org>",
            format_datetime(said.when),
        )
        mail["Message-ID"], mail["Subject"] = f"<{number}@example.org>", "A talk"
        if number:
            mail["In-Reply-To"] = f"<{number - 1}@example.org>"
        mail.set_content(f"{said.what}\n\nOn Friday somebody <x@example.org> wrote:\n> quoted\n")
        box.add(mail)
    box.close()
    return folder / "talk.mbox"


def vtt(conversation: Conversation, folder: Path) -> Path:
    cues = (f"{_cue_times(said, '.')}\n<v {said.who}>{said.what}</v>\n" for said in conversation)
    return _text(folder, "talk.vtt", "WEBVTT\n\n" + "\n".join(cues))


def srt(conversation: Conversation, folder: Path) -> Path:
    cues = (
        f"{number}\n{_cue_times(said, ',')}\n{said.who}: {said.what}\n"
        for number, said in enumerate(conversation, start=1)
    )
    return _text(folder, "talk.srt", "\n".join(cues))


def _cue_times(said: Said, mark: str) -> str:
    seconds = int((said.when - START).total_seconds())
    at = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{mark}"
    return f"{at}000 --> {at}900"


def openai_lines(conversation: Conversation, folder: Path) -> Path:
    return _lines(folder, "chat.jsonl", [{"messages": _openai(conversation)}])


def openai_list(conversation: Conversation, folder: Path) -> Path:
    return _json(folder, "chat.json", _openai(conversation))


def _openai(conversation: Conversation) -> list[Object]:
    return [
        {"role": by_role(said), "content": said.what, "timestamp": int(said.when.timestamp())} for said in conversation
    ]


def anthropic(conversation: Conversation, folder: Path) -> Path:
    messages = [
        {"role": by_role(said), "content": [{"type": "text", "text": said.what}], "created_at": said.when.isoformat()}
        for said in conversation
    ]
    return _lines(folder, "chat.jsonl", messages)


def langchain(conversation: Conversation, folder: Path) -> Path:
    kinds = {"user": "human", "assistant": "ai"}
    messages = [
        {"type": kinds[by_role(said)], "data": {"content": said.what, "type": "x"}, "time": said.when.isoformat()}
        for said in conversation
    ]
    return _json(folder, "chat.json", messages)


def own_lines(conversation: Conversation, folder: Path) -> Path:
    return _lines(folder, "talk.jsonl", _own(conversation))


def own_list(conversation: Conversation, folder: Path) -> Path:
    return _json(folder, "talk.json", _own(conversation))


def _own(conversation: Conversation) -> list[Object]:
    return [{"content": said.what, "time": said.when.isoformat(), "speaker": said.who} for said in conversation]


def table(conversation: Conversation, folder: Path) -> Path:
    written = StringIO(newline="")
    rows = csv.writer(written)
    rows.writerow(["Time", "Author", "Text"])
    rows.writerows((f"{said.when:%Y-%m-%d %H:%M:%S}", said.who, said.what) for said in conversation)
    path = folder / "talk.csv"
    path.write_text(written.getvalue(), encoding="utf-8", newline="")
    return path


def markdown(conversation: Conversation, folder: Path) -> Path:
    parts = (f"## {said.when:%d %B %Y %H:%M:%S}\n\n{said.what}\n\n" for said in conversation)
    return _text(folder, "notes.md", "".join(parts))


def diary(conversation: Conversation, folder: Path) -> Path:
    parts = (f"{said.when:%Y-%m-%d %H:%M:%S}: {said.what}\n" for said in conversation)
    return _text(folder, "diary.txt", "".join(parts))


def docx(conversation: Conversation, folder: Path) -> Path:
    """A document of one message, the first."""
    document = Document()
    document.add_paragraph(conversation[0].what)
    document.core_properties.modified = conversation[0].when
    document.save(str(folder / "note.docx"))
    return folder / "note.docx"


_MINUTE = timedelta(minutes=1)
WRITERS = {
    "chatgpt": Writer(chatgpt, any_text=True, roles=True),
    "claude": Writer(claude, any_text=True, roles=True),
    "claude_code": Writer(claude_code, any_text=True, roles=True),
    "codex": Writer(codex, any_text=True, roles=True),
    "slack": Writer(slack),
    "discord": Writer(discord, any_text=True),
    "telegram": Writer(telegram, any_text=True),
    "iphone": Writer(iphone),
    "android": Writer(android, step=_MINUTE),
    "mbox": Writer(mbox),
    "vtt": Writer(vtt),
    "srt": Writer(srt),
    "openai_lines": Writer(openai_lines, any_text=True, roles=True),
    "openai_list": Writer(openai_list, any_text=True, roles=True),
    "anthropic": Writer(anthropic, any_text=True, roles=True),
    "langchain": Writer(langchain, any_text=True, roles=True),
    "own_lines": Writer(own_lines, any_text=True),
    "own_list": Writer(own_list, any_text=True),
    "table": Writer(table, any_text=True),
}
ALONE = {"markdown": Writer(markdown), "diary": Writer(diary)}
"""Those in which one person speaks."""
