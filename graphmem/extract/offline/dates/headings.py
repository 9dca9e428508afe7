"""Lines of a text that say on which day what stands under them was said: “## 3 March 2024”, “2024-03-03:”.

What stands under such a heading, until the next one, is said on its day: “yesterday” is the day before.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from functools import lru_cache

from graphmem.extract.offline.dates.calendar import Unit
from graphmem.extract.offline.dates.meanings import ReferenceDay
from graphmem.extract.offline.dates.rules import ANY, compiled, folded, read
from graphmem.model.dates import USUAL_DATES, DateConventions


@dataclass(frozen=True, slots=True)
class Section:
    """What is said at one time, at ``[start, end)`` of a text; ``dated`` if a heading says when."""

    start: int
    end: int
    said_at: datetime
    dated: bool = False


_MARKS = r"[#*_=\[\]()>\s-]*"
_CLOCK = r"(?:,?\s+(?:at\s+)?\d{1,2}(?::\d\d){1,2}(?:\s?[ap]m)?)?"
_LINE = compiled(rf"^{_MARKS}(?:on |dear diary,? |entry(?: for|:) |date: )?(?P<words>{ANY}){_CLOCK}{_MARKS}:?{_MARKS}$")
_LEADING = re.compile(r"^\s*(?P<words>\d{4}-\d\d-\d\d)\s*:(?=\s)")
"""A day before what was said on it, in one line."""
_LONGEST = 60
_DIGIT = re.compile(r"\d")
_LAST = timedelta(microseconds=1)


def sections(text: str, said_at: datetime, conventions: DateConventions = USUAL_DATES) -> Sequence[Section]:
    """The parts of a text, in order and without gaps: one, if no heading has a date.

    A heading that names a day after the text was said dates nothing: it plans.
    """
    if "\n" not in text and not _LEADING.match(text):
        return (Section(0, len(text), said_at),)
    return _sections(text, said_at, said_at.tzinfo, conventions)


def section_of(text: str, said_at: datetime, position: int, conventions: DateConventions = USUAL_DATES) -> Section:
    """The part of a text in which a position lies."""
    parts = sections(text, said_at, conventions)
    return next((each for each in reversed(parts) if each.start <= position), parts[0])


@lru_cache(maxsize=64)
def _sections(text: str, said_at: datetime, _zone: tzinfo | None, conventions: DateConventions) -> tuple[Section, ...]:
    """``_zone`` is that of ``said_at``: equal instants of two zones are one key."""
    headings = list(_headings(text, said_at, conventions))
    edges = [start for start, _ in headings[1:]] + [len(text)]
    parts = [Section(start, end, day, dated=True) for (start, day), end in zip(headings, edges, strict=False)]
    first = headings[0][0] if headings else len(text)
    return (Section(0, first, said_at), *parts) if first or not parts else tuple(parts)


def _headings(text: str, said_at: datetime, conventions: DateConventions) -> Iterator[tuple[int, datetime]]:
    """Where each section begins, and the last moment of its day."""
    reference = ReferenceDay(said_at.date() + timedelta(1), said_at.tzinfo, conventions=conventions)
    start = 0
    for line in text.splitlines(keepends=True):
        words = _words(line)
        days = read(words, reference) if words and _DIGIT.search(words) else None
        if days is not None and days.unit is Unit.DAY and days.first <= said_at.date():
            yield start, datetime.combine(days.first + timedelta(1), time(), said_at.tzinfo) - _LAST
        start += len(line)


def _words(line: str) -> str:
    """The date that is all of a line, or stands before a colon, folded; "" if none does."""
    if len(line) > _LONGEST:
        leading = _LEADING.match(line)
        return leading["words"] if leading else ""
    match = _LINE.match(folded(line.strip())) or _LEADING.match(line)
    return match["words"] if match else ""
