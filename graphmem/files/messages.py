"""Chat messages in JSON, in a list or one a line: graphmem's own, OpenAI's, Anthropic's blocks, LangChain's dumps."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import count
from typing import Any, cast

from graphmem.files.content import role_of, text_of
from graphmem.files.source import Object, Source
from graphmem.files.times import time_of
from graphmem.files.turns import FileTurn
from graphmem.model.dates import zone
from graphmem.model.episode import EpisodeRole

OWN, CHATS = "graphmem messages", "Chat messages"
_OWN_NAMES = {"time": "occurred_at", "id": "external_id"}
"""What files may say for a field of an episode."""
_OWN = {
    *("content", "occurred_at", "time_zone", "session", "content_type", "role", "speaker", "user", "agent", "subject"),
    *("source", "tags", "metadata", "sequence", "external_id", "remember"),
}
_OF_LISTS = {"position", "occurrence"}
"""Fields of an episode that say where in another list it was."""
_TIMES = ("time", "timestamp", "created_at", "occurred_at", "created", "date", "ts")
_SESSIONS = ("session", "session_id", "conversation_id", "thread_id", "chat_id", "custom_id")
_IDS = ("id", "message_id", "uuid", "external_id")
_SHAPES: tuple[set[str], ...] = ({"role", "content"}, {"type", "content"}, {"lc", "kwargs"}, {"type", "data"})
_SPOKEN = (EpisodeRole.USER, EpisodeRole.ASSISTANT, EpisodeRole.PARTICIPANT)


def recognises_own(source: Source) -> bool:
    keys = source.first
    timed = "content" in keys and not {"time", "occurred_at"}.isdisjoint(keys)
    return timed and (keys <= _OWN | _OWN_NAMES.keys() | _OF_LISTS or "role" not in keys)


def read_own(source: Source) -> Iterator[FileTurn]:
    what = "" if source.is_lines else "message"
    return source.turns(partial(_own, source), _values(source), what)


def _own(source: Source, number: int, value: Object) -> Iterator[FileTurn]:
    fields = {_OWN_NAMES.get(key, key): field for key, field in value.items() if key not in _OF_LISTS}
    if unknown := sorted(fields.keys() - _OWN):
        raise ValueError(f"unknown keys {unknown}; known are {sorted(_OWN | _OWN_NAMES.keys())}")
    if "content" not in fields or "occurred_at" not in fields:
        raise ValueError("a message with at least `content` and `time` was expected")
    time = time_of(fields.pop("occurred_at"))
    if time is not None and time.tzinfo is None and "time_zone" in fields:
        time = time.replace(tzinfo=zone(fields["time_zone"]))
    yield FileTurn(
        content=text_of(fields.pop("content"), source),
        time=time,
        source=fields.pop("source", None),
        role=role_of(fields.pop("role", None) or EpisodeRole.USER),
        speaker=fields.pop("speaker", None),
        session=fields.pop("session", None),
        id=fields.pop("external_id", None),
        line=number if source.is_lines else None,
        more={key: field for key, field in fields.items() if field is not None},
    )


def recognises(source: Source) -> bool:
    """Whether it has messages: a role or kind, and a content, themselves, in lists, in ``messages`` or ``kwargs``."""
    by_owner: dict[str, set[str]] = {}
    for key in source.keys:
        owner, _, name = key.rpartition(".")
        by_owner.setdefault(owner, set()).add(name)
    return any(
        any(names >= shape for shape in _SHAPES)
        for owner, names in by_owner.items()
        if not owner.strip(".") or owner.split(".")[-1] in ("item", "messages")
    )


def read(source: Source) -> Iterator[FileTurn]:
    what, conversations = "" if source.is_lines else "message", count(1)
    return source.turns(partial(_chat, source, conversations), _values(source), what)


def _values(source: Source) -> Iterator[tuple[int, Any]]:
    if source.is_lines:
        return source.objects()
    if not source.is_list and "messages" in source.keys:
        return enumerate((message | _of_owner(owner) for owner, message in source.members("", "messages")), start=1)
    return source.values()


def _of_owner(owner: Mapping[str, Any]) -> Object:
    session = _first(owner, (*_SESSIONS, "id"))
    return {} if session is None else {"session": session}


def _chat(source: Source, conversations: Iterator[int], number: int, value: Any) -> Iterator[FileTurn]:
    line = number if source.is_lines else None
    about: Object = {} if isinstance(value, list) else value
    many = cast("list[Object] | None", about.get("messages") if about else value)
    if many is None:
        yield from _message(source, about, source.name, None, line)
        return
    place = next(conversations)
    session = _first(about, (*_SESSIONS, "id")) or f"{source.name}/{place}"
    for message in many:
        yield from _message(source, message, str(session), _first(about, _TIMES), line)


def _message(source: Source, written: Object, session: str, time: Any, line: int | None) -> Iterator[FileTurn]:
    message: Object = written.get("kwargs") or written.get("data") or written
    kind = written.get("role") or message.get("role") or _kind(written)
    if (role := role_of(kind)) not in _SPOKEN:
        source.leave_out(f"{role} messages")
        return
    if calls := len(message.get("tool_calls") or []) + bool(message.get("function_call")):
        source.leave_out("calls of tools", calls)
    named = str(_first(written, _SESSIONS) or session)
    yield FileTurn(
        content=text_of(message.get("content"), source),
        time=time_of(_first(written, _TIMES) or _first(message, _TIMES) or time),
        source="chat",
        role=role,
        speaker=message.get("speaker") or message.get("name") or None,
        session=named,
        id=f"{named}/{found}" if (found := _first(message, _IDS)) and isinstance(found, str | int) else None,
        line=line,
    )


def _kind(written: Object) -> object:
    """The kind of a message of LangChain: by name, or where it is a dump of the object, by its class."""
    return written["id"][-1] if written.get("lc") else written.get("type")


def _first(value: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((value[name] for name in names if value.get(name) is not None), None)
