"""Logs of sessions with Claude Code: a JSON object a line. What tools do and what is added to prompts is left out."""

from collections.abc import Iterator
from functools import partial

from graphmem.files.content import at, role_of, said
from graphmem.files.source import Object, Source
from graphmem.files.times import time_of
from graphmem.files.turns import FileTurn

NAME = "Claude Code log"
_NOT_SAID = {
    "isSidechain": "messages of other agents",
    "isMeta": "messages of the program",
    "isCompactSummary": "summaries",
    "isApiErrorMessage": "errors",
}


def recognises(source: Source) -> bool:
    return source.is_lines and {"sessionId", "uuid", "message.content"} <= source.keys


def read(source: Source) -> Iterator[FileTurn]:
    return source.turns(partial(_record, source), source.objects())


def _record(source: Source, line: int, record: Object) -> Iterator[FileTurn]:
    if record.get("type") not in ("user", "assistant"):
        source.leave_out("records of the program")
    elif not_said := next((what for key, what in _NOT_SAID.items() if record.get(key)), None):
        source.leave_out(not_said)
    elif text := said(at(record, "message", "content"), source):
        yield FileTurn(
            content=text,
            time=time_of(record.get("timestamp")),
            source="claude-code",
            role=role_of(record["type"]),
            session=f"claude-code/{record.get('sessionId') or source.name}",
            id=f"claude-code/{record['uuid']}" if record.get("uuid") else None,
            line=line,
            more={"metadata": {"folder": record["cwd"]}} if record.get("cwd") else {},
        )
