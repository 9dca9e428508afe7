"""Telegram's ``result.json``: one chat, or all of them. What is forwarded is of whom it is from."""

from collections.abc import Iterator
from functools import partial
from typing import Any, cast

from graphmem.files.content import at
from graphmem.files.source import Object, Source
from graphmem.files.times import time_of
from graphmem.files.turns import FileTurn
from graphmem.model.episode import EpisodeRole

NAME = "Telegram export"
_CHAT = {"messages.item.date", "messages.item.text", "messages.item.type"}


def recognises(source: Source) -> bool:
    return source.keys >= _CHAT or "chats.list" in source.keys or "personal_information.user_id" in source.keys


def read(source: Source) -> Iterator[FileTurn]:
    messages = source.members("" if source.keys >= _CHAT else "chats.list.item", "messages")
    return source.turns(partial(_message, source), enumerate(messages, start=1), "message")


def _message(source: Source, _: int, found: tuple[Object, Object]) -> Iterator[FileTurn]:
    chat, message = found
    if message.get("type") != "message":
        source.leave_out("messages of Telegram itself")
        return
    name = chat.get("name") or source.name
    yield FileTurn(
        content=_text(message.get("text")),
        time=time_of(message.get("date_unixtime") or message.get("date")),
        source="telegram",
        role=EpisodeRole.PARTICIPANT,
        speaker=message.get("forwarded_from") or message.get("from") or name,
        session=f"telegram/{chat.get('id', name)}",
        id=f"telegram/{chat.get('id', name)}/{message['id']}",
        more={"metadata": {"chat": name}},
    )


def _text(text: Any) -> str:
    """A text, which is a list of words and of marked words where any are marked."""
    if isinstance(text, list):
        parts = cast("list[object]", text)
        return "".join(part if isinstance(part, str) else str(at(part, "text") or "") for part in parts)
    return str(text or "")
