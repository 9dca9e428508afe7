"""A channel of Discord as DiscordChatExporter writes it in JSON."""

from collections.abc import Iterator
from functools import partial

from graphmem.files.source import Object, Source
from graphmem.files.times import time_of
from graphmem.files.turns import FileTurn
from graphmem.model.episode import EpisodeRole

NAME = "Discord export"
_SPOKEN = {"Default", "Reply", "0", "19"}


def recognises(source: Source) -> bool:
    return {"guild.id", "channel.id"} <= source.keys


def read(source: Source) -> Iterator[FileTurn]:
    return source.turns(partial(_message, source), enumerate(source.members("", "messages"), start=1), "message")


def _message(source: Source, _: int, found: tuple[Object, Object]) -> Iterator[FileTurn]:
    channel, message = found
    if str(message.get("type", "Default")) not in _SPOKEN:
        source.leave_out("messages of Discord itself")
        return
    author: Object = message.get("author") or {}
    yield FileTurn(
        content=message.get("content") or "",
        time=time_of(message.get("timestamp")),
        source="discord",
        role=EpisodeRole.ASSISTANT if author.get("isBot") else EpisodeRole.PARTICIPANT,
        speaker=author.get("nickname") or author.get("name"),
        session=f"discord/{channel['channel.id']}",
        id=f"discord/{message['id']}",
        more={"metadata": {"channel": channel.get("channel.name") or ""}},
    )
