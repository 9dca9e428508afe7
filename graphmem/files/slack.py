"""An export of Slack: a folder with ``users.json``, and one folder a channel with one file a day."""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from graphmem.errors import InvalidInput
from graphmem.files.content import at
from graphmem.files.source import DOCS, Object, Source
from graphmem.files.times import time_of
from graphmem.files.turns import FileTurn
from graphmem.model.episode import EpisodeRole

NAME = "Slack export"
_SPOKEN = {None, "bot_message", "thread_broadcast", "me_message", "file_share", "file_comment"}
_LISTS = ("channels.json", "groups.json", "dms.json", "mpims.json")
_REFERENCE = re.compile(r"<([@#!]?)([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>")


def recognises(source: Source) -> bool:
    if source.path.is_dir():
        return (source.path / "users.json").is_file() and any((source.path / name).is_file() for name in _LISTS)
    return {"item.ts", "item.type", "item.user"} <= source.keys


def read(source: Source) -> Iterator[FileTurn]:
    root = source.path if source.path.is_dir() else source.path.parent.parent
    try:
        people = {user["id"]: _name_of(user) for user in _list(root / "users.json")}
        channels = {one.get("name") or one["id"]: one["id"] for name in _LISTS for one in _list(root / name)}
    except (AttributeError, KeyError, TypeError) as error:
        wrong = f"a list of users or channels is not as Slack exports it ({error!r})"
        raise InvalidInput(f"{root}: {wrong}. See {DOCS}.") from error
    folders = sorted(path for path in root.iterdir() if path.is_dir()) if source.path.is_dir() else [source.path.parent]
    for folder in folders:
        channel = (folder.name, channels.get(folder.name, folder.name))
        for file in sorted(folder.glob("*.json")) if source.path.is_dir() else [source.path]:
            day = replace(source, path=file)
            yield from day.turns(partial(_message, day, people, channel), enumerate(_list(file), start=1), "message")


def _message(
    source: Source, people: dict[str, str], channel: tuple[str, str], _: int, message: Object
) -> Iterator[FileTurn]:
    if message.get("type") != "message" or message.get("subtype") not in _SPOKEN:
        source.leave_out("messages of Slack itself")
        return
    profile: Object = message.get("user_profile") or message.get("bot_profile") or {}
    by_bot = message.get("subtype") == "bot_message" or "bot_id" in message
    user, thread, (name, id_) = str(message.get("user") or ""), message.get("thread_ts"), channel
    yield FileTurn(
        content=_plain(str(message.get("text") or ""), people),
        time=time_of(float(message["ts"])),
        source="slack",
        role=EpisodeRole.ASSISTANT if by_bot else EpisodeRole.PARTICIPANT,
        speaker=people.get(user) or profile.get("real_name") or message.get("username") or profile.get("name") or user,
        session=f"slack/{id_}" + (f"/{thread}" if thread else ""),
        id=f"slack/{id_}/{message['ts']}",
        more={"metadata": {"channel": name}},
    )


def _list(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    try:
        return cast("list[dict[str, Any]]", json.loads(path.read_text("utf-8-sig")))
    except ValueError as error:
        raise InvalidInput(f"{path}: not JSON: {error}. See {DOCS}.") from error


def _name_of(user: dict[str, Any]) -> str:
    names = (at(user, "profile", "real_name"), user.get("real_name"), at(user, "profile", "display_name"))
    return next((name for name in names if name), None) or user.get("name") or user["id"]


def _plain(text: str, people: dict[str, str]) -> str:
    def words(found: re.Match[str]) -> str:
        mark, target, label = found.groups()
        named = people.get(target, label or target) if mark == "@" else label or target
        return f"{'' if mark == '!' else mark}{named}"

    return html.unescape(_REFERENCE.sub(words, text))
