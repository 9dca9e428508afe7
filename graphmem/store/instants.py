"""Instants as Neo4j returns them, as Python's aware datetimes in UTC with microseconds.

Neo4j counts nanoseconds. graphmem writes microseconds only; finer digits, which somebody else wrote, are cut off.
``BEGIN`` and ``END`` of ``graphmem.model.interval`` convert exactly.

Rows of claims, beliefs and episodes carry instants as text, both ways (``toString`` in Cypher, ``as_text`` here): the
driver takes 70 to 90 µs to turn one of its own date-times into Python's or back, a hundred times as long.
"""

from datetime import UTC, datetime
from functools import lru_cache

from neo4j.time import DateTime


def as_utc(value: object) -> datetime:
    """Neo4j's datetime, its text, or Python's datetime in UTC.

    Raises:
        ValueError: it is something else, or has no offset.
    """
    if isinstance(value, str):
        return _read(value)
    return _in_utc(value)


@lru_cache(maxsize=8_192)
def _read(text: str) -> datetime:
    """The instants of one answer are few, and many rows have the same."""
    try:
        instant = datetime.fromisoformat(text.partition("[")[0])
    except ValueError:
        raise ValueError("this is no date and time") from None  # Python's own words quote the text
    return _in_utc(instant)


def _in_utc(native: object) -> datetime:
    native = native.to_native() if isinstance(native, DateTime) else native
    if not isinstance(native, datetime):
        raise ValueError("this is no date and time")  # noqa: TRY004 -- what pydantic collects
    if native.utcoffset() is None:
        raise ValueError("this has no UTC offset")
    try:
        return native.astimezone(UTC)
    except OverflowError:
        raise ValueError("this is outside the years 1 to 9999 in UTC") from None


def as_text(instant: datetime) -> str:
    """For ``datetime($text)`` in Cypher."""
    return instant.isoformat()
