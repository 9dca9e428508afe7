"""Tables with a header, CSV or TSV: the columns are known by their names, or by ``--columns``."""

import csv
import re
import sys
from collections.abc import Iterator
from functools import partial

from graphmem.errors import InvalidInput
from graphmem.files.content import role_of
from graphmem.files.source import Source
from graphmem.files.times import date_order, time_of
from graphmem.files.turns import DateOrder, FileTurn
from graphmem.model.episode import EpisodeRole

NAME = "Table"
_NAMES = {
    "content": ("content", "text", "message", "body", "msg", "note", "entry"),
    "time": ("time", "timestamp", "datetime", "date", "created_at", "occurred_at", "sent_at", "sent", "day"),
    "speaker": ("speaker", "who", "author", "from", "sender", "name", "user_name", "username"),
    "session": ("session", "session_id", "conversation", "conversation_id", "channel", "thread", "chat"),
    "role": ("role",),
    "id": ("id", "message_id", "external_id"),
}
_DELIMITERS = ",\t;|"
_MORE = "\0"
"""What a row has beyond its columns."""


def recognises(source: Source) -> bool:
    columns = _columns(source)
    return len(_names(source)) > 1 and "content" in columns and ("time" in columns or "speaker" in columns)


def _header(source: Source) -> str:
    return re.split(r"[\r\n]", source.start, maxsplit=1)[0]


def _delimiter(source: Source) -> str:
    return max(_DELIMITERS, key=_header(source).count)


def _names(source: Source) -> list[str]:
    return next(csv.reader([_header(source)], delimiter=_delimiter(source)))


def _columns(source: Source) -> dict[str, str]:
    """The column of each field. What ``--columns`` says comes first."""
    known = {name.strip().lower(): name for name in _names(source)}
    found = {field: known[name] for field, all_ in _NAMES.items() for name in reversed(all_) if name in known}
    return found | {
        field: known[name.lower()] for field, name in source.options.columns.items() if name.lower() in known
    }


def read(source: Source) -> Iterator[FileTurn]:
    columns = _columns(source)
    if unknown := set(source.options.columns) - set(_NAMES):
        raise InvalidInput(f"--columns: {', '.join(sorted(unknown))} is none of {', '.join(_NAMES)}.")
    if missing := {field for field in source.options.columns if field not in columns}:
        raise InvalidInput(f"{source.path}:1: no column for {', '.join(sorted(missing))} in {_header(source)!r}.")
    stamps = (_stamp(row, columns) for _, row in _rows(source))
    order = date_order(stamps, source.options.date_order, source.path)
    return source.turns(partial(_turn, source, columns, order), _rows(source))


def _rows(source: Source) -> Iterator[tuple[int, dict[str, str]]]:
    csv.field_size_limit(sys.maxsize)
    with source.text() as file:
        cleaned = (line.lstrip("\ufeff").replace("\0", "") for line in file)
        rows = csv.DictReader(cleaned, restkey=_MORE, restval=None, delimiter=_delimiter(source))
        for row in rows:
            yield rows.line_num, row


def _stamp(row: dict[str, str], columns: dict[str, str]) -> str:
    """The time of a row; of a day and an hour in two columns, both."""
    said = (row.get(columns.get("time", "")) or "").strip()
    day = next((row[name].strip() for name in row if name and name.strip().lower() in ("date", "day")), "")
    return f"{day} {said}" if day and day != said else said


def _turn(
    source: Source, columns: dict[str, str], order: DateOrder, line: int, row: dict[str, str]
) -> Iterator[FileTurn]:
    def cell(field: str) -> str | None:
        return (row.get(columns.get(field, "")) or "").strip() or None

    if _MORE in row or cell("content") is None:
        raise ValueError(f"a row of {len(_names(source))} columns with a text was expected")
    speaker, session = cell("speaker"), cell("session")
    default = EpisodeRole.PARTICIPANT if speaker else EpisodeRole.USER
    yield FileTurn(
        content=cell("content") or "",
        time=time_of(_stamp(row, columns), order),
        source="table",
        role=role_of(cell("role") or default),
        speaker=speaker,
        session=session or source.name,
        id=f"{session or source.name}/{cell('id')}" if cell("id") else None,
        line=line,
    )
