"""Logs of sessions with Codex (``rollout-….jsonl``): its items that are messages, without what it adds to prompts."""

from collections.abc import Iterator
from functools import partial

from graphmem.files.content import role_of, said
from graphmem.files.source import Object, Source
from graphmem.files.times import time_of
from graphmem.files.turns import FileTurn
from graphmem.model.episode import EpisodeRole

NAME = "Codex log"
_FROM_FILES = ("# AGENTS.md instructions", "<permissions", "<turn_aborted>", "<skill")


def recognises(source: Source) -> bool:
    return source.is_lines and (
        {"type", "payload.type"} <= source.keys or {"id", "instructions", "role"} <= source.keys
    )


def read(source: Source) -> Iterator[FileTurn]:
    return source.turns(partial(_record, source, {"id": source.name}), source.objects())


def _record(source: Source, session: Object, line: int, record: Object) -> Iterator[FileTurn]:
    """The turn of a record, if it is one. ``session`` is what the file has said so far of its own."""
    item = record.get("payload") or record
    if record.get("type") == "session_meta" or "instructions" in record:
        session |= {key: item[key] for key in ("id", "timestamp", "cwd") if item.get(key)}
    elif item.get("type") != "message" or record.get("type") == "event_msg":
        source.leave_out(f"{str(item.get('type')).replace('_', ' ')} records")
    elif (role := role_of(item.get("role"))) not in (EpisodeRole.USER, EpisodeRole.ASSISTANT):
        source.leave_out(f"{role} messages")
    elif not (text := said(item.get("content"), source)) or text.startswith(_FROM_FILES):
        source.leave_out("messages of the program")
    else:
        yield FileTurn(
            content=text,
            time=time_of(record.get("timestamp") or session.get("timestamp")),
            source="codex",
            role=role,
            session=f"codex/{session['id']}",
            line=line,
            more={"metadata": {"folder": session["cwd"]}} if "cwd" in session else {},
        )
