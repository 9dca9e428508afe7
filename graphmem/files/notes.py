"""Notes in Markdown and diaries as plain text. Every dated heading or line begins an entry; a note without is one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from graphmem.files.source import Source
from graphmem.files.times import date_order, leading_date, time_of
from graphmem.files.turns import DateOrder, FileTurn

MARKDOWN, DIARY = "Markdown notes", "Diary"
_HEADING = re.compile(r"#{1,6}[ \t]+(.*)")
_FENCE = re.compile(r"[ ]{0,3}(```|~~~)")
_DATED = ("date", "created", "created_at", "day", "time")
_AFTER_DATE = re.compile(r"^\s*[:–—,.\])|-]*\s*")


def recognises_markdown(source: Source) -> bool:
    text = source.start.lstrip()
    return _front(text) is not None or any(map(_HEADING.match, text.split("\n")))


def recognises_diary(source: Source) -> bool:
    lines = [line for line in source.start.split("\n") if line.strip()][:5]
    return any(leading_date(line.lstrip("[ "), source.options.date_order or "dmy") for line in lines)


@dataclass(slots=True)
class _Entry:
    """An entry while its lines come in."""

    line: int
    time: datetime | None
    text: str
    dated: bool


def read_markdown(source: Source) -> Iterator[FileTurn]:
    stamps = (found[1] for _, line in source.lines() if (found := _HEADING.match(line)))
    order = date_order(stamps, source.options.date_order, source.path)
    front = _front(source.start.lstrip()) or {}
    whole = next((front[key] for key in _DATED if key in front), None)
    named = leading_date(source.path.stem, order)
    day = time_of(whole, order) if whole else named[0] if named else None
    return _turns(source, _markdown(source, order, day), "markdown")


def read_diary(source: Source) -> Iterator[FileTurn]:
    stamps = (line.lstrip("[ ") for _, line in source.lines())
    order = date_order(stamps, source.options.date_order, source.path)
    return _turns(source, _diary(source, order), "diary")


def _turns(source: Source, entries: Iterator[_Entry], kind: str) -> Iterator[FileTurn]:
    for entry in entries:
        if text := entry.text.strip():
            yield FileTurn(
                content=text,
                time=entry.time,
                source=kind,
                session=f"{kind}/{source.name}",
                line=entry.line,
                more={"content_type": "text" if entry.dated else "document"},
            )


def _front(text: str) -> dict[str, str] | None:
    """The ``key: value`` lines of a front matter; None where there is none."""
    found = re.match(r"---[ \t]*\r?\n(.{0,20000}?)\n---[ \t]*(?:\r?\n|$)", text, re.DOTALL)
    if found is None:
        return None
    pairs = (line.partition(":") for line in found[1].split("\n"))
    return {key.strip().lower(): value.strip().strip("'\"") for key, colon, value in pairs if colon}


def _markdown(source: Source, order: DateOrder, day: datetime | None) -> Iterator[_Entry]:
    """Entries below dated headings, without these. What is in fences is no heading."""
    entry, fenced, in_front = _Entry(1, day, "", dated=False), False, _front(source.start.lstrip()) is not None
    for number, line in source.lines():
        if in_front:
            in_front = number == 1 or line.strip() != "---"
            continue
        fenced ^= _FENCE.match(line) is not None
        heading = None if fenced else _HEADING.match(line)
        dated = leading_date(heading[1], order) if heading else None
        if dated is None:
            entry.text += f"{line}\n"
            continue
        yield entry
        rest = _AFTER_DATE.sub("", dated[1])
        entry = _Entry(number, dated[0], f"{rest}\n" if rest else "", dated=True)
    yield entry


def _diary(source: Source, order: DateOrder) -> Iterator[_Entry]:
    entry = _Entry(1, None, "", dated=True)
    for number, line in source.lines():
        dated = leading_date(line.lstrip("[ "), order)
        if dated is None or (dated[1] and dated[1][0].isalnum()):
            entry.text += f"{line}\n"
            continue
        yield entry
        entry = _Entry(number, dated[0], f"{_AFTER_DATE.sub('', dated[1])}\n", dated=True)
    yield entry
