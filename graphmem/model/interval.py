"""Instants and half-open intervals ``[start, end)``, all in UTC with microseconds, and how callers write instants.

An unknown start is ``BEGIN`` and an open end is ``END``: sentinels, because range predicates inside a Neo4j vector
index cannot test null. Callers may use neither; they see both as ``null``.

A caller writes RFC 3339 with an offset, or a bare day, which is its first instant in UTC. A time without an offset is
refused: nobody knows which instant it is.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from graphmem.errors import InvalidInput

BEGIN = datetime(1, 1, 1, tzinfo=UTC)
END = datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
EARLIEST = datetime(1, 1, 2, tzinfo=UTC)
LATEST = datetime(9999, 12, 30, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
"""Between an instant and the next."""


def as_instant(value: datetime) -> datetime:
    """Return a caller's datetime in UTC.

    Raises:
        InvalidInput: it has no offset, or lies outside 0001-01-02 to 9999-12-30.
    """
    if value.tzinfo is None or value.utcoffset() is None:
        raise InvalidInput(f"{value.isoformat()} has no UTC offset. Write {value.isoformat()}Z or add +HH:MM.")
    try:
        instant = value.astimezone(UTC)
    except OverflowError:
        instant = BEGIN
    if not EARLIEST <= instant <= LATEST:
        raise InvalidInput(f"{value.isoformat()} is outside 0001-01-02T00:00:00Z to 9999-12-30T00:00:00Z.")
    return instant


def shown(instant: datetime) -> datetime | None:
    """An instant as callers see it: the sentinels are None."""
    return None if instant in (BEGIN, END) else instant


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """``[start, end)``, never empty."""

    start: datetime
    end: datetime

    def __post_init__(self) -> None:
        if self.start >= self.end:
            raise InvalidInput(
                f"An interval must end after it starts, but {self.end.isoformat()} is not after "
                f"{self.start.isoformat()}."
            )

    def contains(self, instant: datetime) -> bool:
        return self.start <= instant < self.end

    def overlaps(self, other: "Interval") -> bool:
        return self.start < other.end and other.start < self.end

    def meets(self, other: "Interval") -> bool:
        """Whether the two overlap or touch, so that their union is one interval."""
        return self.start <= other.end and other.start <= self.end

    def union(self, other: "Interval") -> "Interval":
        """The interval that covers both; only for intervals that meet."""
        return Interval(min(self.start, other.start), max(self.end, other.end))


_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)?", re.ASCII)
_BEFORE_THE_YEAR_1 = re.compile(r"-\d")
_PLUS_AS_BLANK = re.compile(r"\d \d\d:\d\d$", re.ASCII)
_MOMENT_HINT = "write a time with an offset, such as 2025-05-03T10:00:00Z"
_INSTANT_HINT = f"{_MOMENT_HINT}, or a day, such as 2025-05-03"


def instant_of(written: object) -> datetime:
    """The instant in UTC that a caller means by an aware datetime, a day, or either of them as text.

    Raises:
        InvalidInput: it is none of these, has no offset, or lies outside 0001-01-02 to 9999-12-30.
    """
    return as_instant(moment_of(written, days=True))


def moment_of(written: object, *, days: bool) -> datetime:
    """What a caller means by an aware datetime, written or not, with its offset; with ``days`` a day is one in UTC.

    Raises:
        InvalidInput: it is none, has no offset, or lies outside 0001-01-02 to 9999-12-30; or a day, without ``days``.
    """
    if is_day(written):
        if not days:
            raise InvalidInput(f"this is a day, and what is said is said at a time: {_MOMENT_HINT}")
        moment = _parsed(f"{str(written).strip()}T00:00:00Z", _INSTANT_HINT)
    else:
        moment = _parsed(written, _INSTANT_HINT if days else _MOMENT_HINT)
    as_instant(moment)
    return moment


def is_day(written: object) -> bool:
    """Whether it is a day alone, as a date or as text."""
    if isinstance(written, date):
        return not isinstance(written, datetime)
    return isinstance(written, str) and _DAY.fullmatch(written.strip()) is not None


def day_text(instant: datetime | None, otherwise: str) -> str:
    """An instant as its day, with its time where that is not midnight."""
    if instant is None:
        return otherwise
    day, _, of_day = instant.isoformat().partition("T")
    return day if of_day.startswith("00:00:00") else f"{day} {of_day[:5]}"


def _parsed(written: object, hint: str) -> datetime:
    if isinstance(written, datetime):
        return written
    text = written.strip() if isinstance(written, str) else ""
    if _BEFORE_THE_YEAR_1.match(text):
        raise InvalidInput(
            "this is before the year 1: times go from 0001-01-02 to 9999-12-30, null is an unknown start"
        )
    if not _MOMENT.fullmatch(text):
        in_url = ". In a URL, write the + of an offset as %2B" if _PLUS_AS_BLANK.search(text) else ""
        raise InvalidInput(f"this is no instant: {hint}{in_url}")
    try:
        return datetime.fromisoformat(text.upper())
    except ValueError as error:
        raise InvalidInput(f"this is no instant ({error}): {hint}") from error
