"""Events: the predicates of what happens once, and how the days are written on which it happened.

Two events are the same only if their days are, as far as they are known: “in May” is no day of May.
"""

import re
from datetime import UTC, datetime, time, timedelta, tzinfo

from graphmem.errors import InvalidInput
from graphmem.model.dates import DaySpan, days_of
from graphmem.model.interval import MICROSECOND, as_instant

EVENTS = frozenset(
    {
        *("bought", "visited", "went_to", "completed", "read", "watched", "won"),
        *("ordered", "returned", "sold", "received", "cancelled", "reported"),
    }
)
"""The curated predicates of what happens once and may happen again: on another day it is another event."""

_DAY = timedelta(days=1)
_WRITTEN = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?", re.ASCII)


def written_days(begin: datetime, end: datetime) -> str:
    """The days of ``[begin, end)`` by the clock of their zone, as ISO 8601 writes them.

    One day is 2025-05-03, a whole month 2025-05, a year 2025; others are the first and the last: 2025-05-03/2025-05-09.
    """
    first, last = begin.date(), (end - MICROSECOND).date()
    if first == last:
        return first.isoformat()
    days = DaySpan(first, last + _DAY)
    whole = (text for length in (4, 7) if days_of(text := first.isoformat()[:length]) == days)
    return next(whole, f"{first.isoformat()}/{last.isoformat()}")


def instants_of(days: str, zone: tzinfo) -> tuple[datetime, datetime]:
    """When the days that are written so begin and end in a zone: ``[begin, end)``.

    Raises:
        InvalidInput: it is neither a day nor a month, a year or two days.
    """
    first, _, last = days.partition("/")
    found = [days_of(part) if _WRITTEN.fullmatch(part) else None for part in (first, last or first)]
    if None in found or "/" in (last, days[-1:]):
        raise InvalidInput(
            f"{days!r} is no day of an event. Write 2025-05-03, 2025-05 of a month, or 2025-05-03/2025-05-09."
        )
    (begin, _), (_, end) = (_instants(each, zone) for each in found if each)
    if begin >= end:
        raise InvalidInput(f"{days!r} ends before it begins. Write the first day first.")
    return as_instant(begin), as_instant(end)


def from_instant(begin: datetime, end: datetime | None, zone: tzinfo) -> tuple[str, datetime]:
    """Days from an instant on, and when they end: those until another instant, or the day of the first alone."""
    local = begin.astimezone(zone)
    over = end.astimezone(zone) if end else datetime.combine(local.date() + _DAY, time(), zone)
    return written_days(local, over), over.astimezone(UTC)


def _instants(days: DaySpan, zone: tzinfo) -> tuple[datetime, datetime]:
    return datetime.combine(days.first, time(), zone), datetime.combine(days.after, time(), zone)
