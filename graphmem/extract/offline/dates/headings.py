"""Lines of a text that say on which day what stands under them was said: “## 3 March 2024”, “2024-03-03:”.

What stands under such a heading, until the next one, is said on its day: “yesterday” is the day before.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta, tzinfo
from functools import lru_cache

from graphmem.extract.offline.dates.calendar import Days, Unit, whole
from graphmem.extract.offline.dates.meanings import ReferenceDay
from graphmem.extract.offline.dates.rules import ANY, compiled, folded, read
from graphmem.model.dates import USUAL_DATES, DateConventions


@dataclass(frozen=True, slots=True)
class Section:
    """What is said at one time, at ``[start, end)`` of a text; from ``body`` on under a heading that says when."""

    start: int
    end: int
    said_at: datetime
    body: int = 0

    @property
    def dated(self) -> bool:
        """Whether a heading says when."""
        return self.body > self.start

    @property
    def day(self) -> Days | None:
        """The day that the heading names, if there is one."""
        return whole(self.said_at.date(), Unit.DAY) if self.dated else None


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
    starts = [Section(0, 0, said_at), *_headings(text, said_at, conventions)]
    ends = [*(section.start for section in starts[1:]), len(text)]
    parts = [replace(section, end=end) for section, end in zip(starts, ends, strict=True)]
    return tuple(part for part in parts if part.start < part.end or len(parts) == 1)


def _headings(text: str, said_at: datetime, conventions: DateConventions) -> Iterator[Section]:
    """The headings that say a day, at whose last moment is said what stands under them."""
    reference = ReferenceDay(said_at.date() + timedelta(1), said_at.tzinfo, conventions=conventions)
    start = 0
    for line in text.splitlines(keepends=True):
        words, length = _words(line)
        days = read(words, reference) if words and _DIGIT.search(words) else None
        if days is not None and days.unit is Unit.DAY and days.first <= said_at.date():
            last_moment = datetime.combine(days.first + timedelta(1), time(), said_at.tzinfo) - _LAST
            yield Section(start, start + len(line), last_moment, start + length)
        start += len(line)


def _words(line: str) -> tuple[str, int]:
    """The date that is all of a line, or stands before a colon, folded, and the length of that; "" if none does."""
    match = _LINE.match(folded(line.strip())) if len(line) <= _LONGEST else None
    if match is not None:
        return match["words"], len(line)
    leading = _LEADING.match(line)
    return (leading["words"], leading.end()) if leading else ("", 0)
