"""Instants and half-open intervals ``[start, end)``, all in UTC with microseconds.

An unknown start is ``BEGIN`` and an open end is ``END``: sentinels, because range predicates inside a Neo4j vector
index cannot test null. Callers may use neither; they see both as ``null``.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

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
