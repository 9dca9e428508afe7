"""Days as values are written, the days of events, and the time zones whose days they are.

A value is “1984”, “1984-05”, “1984-05-03”, “3 May 1984”, “May 3rd, 1984”. Two events are the same only if their days
are, as far as they are known: “in May” is no day of May.

A zone is written as an IANA name (“Europe/Lisbon”), as an offset from UTC (“+09:00”), or as “UTC”: its days are those
that “yesterday” and “in June” speak of.
"""

import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from graphmem.errors import InvalidInput
from graphmem.model.interval import MICROSECOND, as_instant

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTH_NUMBERS = {name[:3]: number for number, name in enumerate(MONTHS, 1)}
"""By the first three letters."""
_DECEMBER = 12
_DAY = timedelta(days=1)
_YEAR_FIRST = re.compile(r"(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})(?:[t ]\d.*)?")
_YEAR_LAST = re.compile(r"(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})")
_SIGNED = re.compile(r"(\d{4})年(\d{1,2})月(\d{1,2})日")
_TOGETHER = re.compile(r"(\d{4})(\d{2})(\d{2})")
_YEAR_MONTH = re.compile(r"(\d{4})[-/.](\d{1,2})")
_YEAR = re.compile(r"\d{4}")
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]{3})[a-z]* (\d{4})")
_MONTH_DAY = re.compile(r"([a-z]{3})[a-z]* (\d{1,2})(?:st|nd|rd|th)? (\d{4})")
_MONTH_YEAR = re.compile(r"([a-z]{3})[a-z]* (\d{4})")


@dataclass(frozen=True, slots=True)
class DaySpan:
    """The days of a date, from the first to the one ``after`` the last: one, or those of a month or a year."""

    first: date
    after: date


def days_of(text: str) -> DaySpan | None:
    """The days that a value speaks of; None where it is no date, and where nobody knows which number is the month."""
    text = text.strip().casefold()
    plain = "".join(
        character for character in unicodedata.normalize("NFKD", text) if not unicodedata.combining(character)
    )
    in_order = [day for day in set(days_either_way(text)) if day is not None]
    one_day = day_in_figures(text) or (in_order[0] if len(in_order) == 1 else None)
    one_day = one_day or day_in_words(" ".join(re.findall(r"\w+", plain)))
    return _one_day(one_day) if one_day else _longer(text, plain)


def day_in_figures(text: str) -> date | None:
    """A day written from the year on."""
    match = _YEAR_FIRST.fullmatch(text) or _TOGETHER.fullmatch(text) or _SIGNED.fullmatch(text)
    return date_of(match[1], match[2], match[3]) if match else None


def days_either_way(text: str) -> tuple[date | None, date | None]:
    """“03/05/1984” with the day first, and with the month first."""
    match = _YEAR_LAST.fullmatch(text)
    return (date_of(match[3], match[2], match[1]), date_of(match[3], match[1], match[2])) if match else (None, None)


def day_in_words(plain: str) -> date | None:
    """A day with the name of its month, in lower-case ASCII without punctuation."""
    if match := _DAY_MONTH.fullmatch(plain):
        return date_of(match[3], str(MONTH_NUMBERS.get(match[2], 0)), match[1])
    if match := _MONTH_DAY.fullmatch(plain):
        return date_of(match[3], str(MONTH_NUMBERS.get(match[1], 0)), match[2])
    return None


def date_of(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def _longer(text: str, plain: str) -> DaySpan | None:
    """A month or a year."""
    if _YEAR.fullmatch(text):
        return _between(date_of(text, "1", "1"), date_of(str(int(text) + 1), "1", "1"))
    if match := _YEAR_MONTH.fullmatch(text):
        return _month(match[1], int(match[2]))
    if match := _MONTH_YEAR.fullmatch(plain):
        return _month(match[2], MONTH_NUMBERS.get(match[1], 0))
    return None


def _month(year: str, month: int) -> DaySpan | None:
    following = (str(int(year) + 1), "1", "1") if month == _DECEMBER else (year, str(month + 1), "1")
    return _between(date_of(year, str(month), "1"), date_of(*following))


def _one_day(day: date) -> DaySpan | None:
    return DaySpan(day, day + _DAY) if day < date.max else None


def _between(first: date | None, after: date | None) -> DaySpan | None:
    return DaySpan(first, after) if first and after else None


@dataclass(frozen=True, slots=True, kw_only=True)
class DateConventions:
    """How a group writes days: what “05/06/2024” and “FY24” mean.

    ``month_first``: 05/06/2024 is 6 May; otherwise it is 5 June. ``fiscal_year_start`` is the month, 1 to 12, in which
    fiscal years begin. One is named after the year in which it ends.
    """

    month_first: bool = False
    fiscal_year_start: int = 1


USUAL_DATES = DateConventions()
"""Of a group that sets none: day first, and fiscal years are calendar years."""


@dataclass(frozen=True, slots=True)
class GroupDates:
    """How a group writes days, and since when; None where it never said so."""

    conventions: DateConventions
    changed_at: datetime | None


EVENTS = frozenset(
    {
        *("bought", "visited", "went_to", "completed", "read", "watched", "won"),
        *("ordered", "returned", "sold", "received", "cancelled", "reported", "event"),
    }
)
"""The curated predicates of what happens once and may happen again: on another day it is another event."""

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
    spans = [days_of(part) if _WRITTEN.fullmatch(part) else None for part in (first, last or first)]
    if None in spans or "/" in (last, days[-1:]):
        raise InvalidInput(
            f"{days!r} is no day of an event. Write 2025-05-03, 2025-05 of a month, or 2025-05-03/2025-05-09."
        )
    (begin, _), (_, end) = (_instants(each, zone) for each in spans if each)
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


UTC_NAME = "UTC"

_OFFSET = re.compile(r"([+-])([01]\d|2[0-3]):([0-5]\d)", re.ASCII)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*", re.ASCII)
_LONGEST = 64


@lru_cache(maxsize=1024)
def zone(written: str) -> tzinfo:
    """The zone that is written so.

    Raises:
        InvalidInput: it is neither an offset nor an IANA name that this machine's time zone database knows.
    """
    if written == UTC_NAME:
        return UTC
    if (offset := _OFFSET.fullmatch(written)) is not None:
        apart = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
        return timezone(-apart if offset[1] == "-" else apart)
    unknown = f"{written!r} is no time zone. Write an IANA name such as Europe/Lisbon, or an offset such as +09:00."
    if len(written) > _LONGEST or not _NAME.fullmatch(written):
        raise InvalidInput(unknown)
    try:
        return ZoneInfo(written)
    except (ValueError, KeyError, OSError) as error:
        raise InvalidInput(unknown) from error


def zone_name(written: str) -> str:
    """The one way to write a zone: no offset is “UTC”.

    Raises:
        InvalidInput: as for ``zone``.
    """
    zone(written)
    return UTC_NAME if written in ("+00:00", "-00:00") else written


def offset_of(moment: datetime) -> str:
    """The offset of an aware datetime as a zone is written: “+09:00”; “UTC” for none. Seconds are left out."""
    minutes = int((moment.utcoffset() or timedelta()) / timedelta(minutes=1))
    if not minutes:
        return UTC_NAME
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def written_day(day: date) -> str:
    """A day in words.

    >>> written_day(date(2025, 5, 3))
    '3 May 2025'
    """
    return f"{day.day} {day:%B} {day.year}"
