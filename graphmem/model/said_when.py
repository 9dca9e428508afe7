"""When something was so, in words, for texts that state beliefs."""

from collections.abc import Iterator
from datetime import date, timedelta

from graphmem.model.belief import BeliefRow
from graphmem.model.dates import days_of, written_day
from graphmem.model.interval import BEGIN, END, MICROSECOND

_DAY = timedelta(days=1)
_LEAST_DAYS_OF_MONTH = 28
_LEAST_DAYS_OF_YEAR = 365


def when_of(belief: BeliefRow) -> str:
    """When it was so, where that was said, and the statement does not tell the year."""
    if belief.event_to is not None:
        return _unless_told(_days(belief.day), belief.statement)
    return ", ".join(told for part in _bounds(belief) if (told := _unless_told(part, belief.statement)))


def _bounds(belief: BeliefRow) -> Iterator[str]:
    if belief.from_stated and belief.valid_from != BEGIN:
        yield f"since {written_day(belief.valid_from.date())}"
    if belief.valid_to != END:
        yield f"until {written_day((belief.valid_to - MICROSECOND).date())}"


def _unless_told(when: str, statement: str) -> str:
    return "" if when[-4:] in statement else when


def _days(day: str) -> str:
    """The days of an event, in words: “3 May 2025”, “May 2025”, “2025”, “3 May 2025 to 9 May 2025”."""
    return " to ".join(_period(days.first, days.after) for part in day.split("/") if (days := days_of(part)))


def _period(first: date, after: date) -> str:
    length = after - first
    if length >= _LEAST_DAYS_OF_YEAR * _DAY:
        return str(first.year)
    return f"{first:%B} {first.year}" if length >= _LEAST_DAYS_OF_MONTH * _DAY else written_day(first)
