"""Instants as Neo4j returns them, as Python's aware datetimes in UTC with microseconds.

Neo4j counts nanoseconds. graphmem writes microseconds only; finer digits, which somebody else wrote, are cut off.
``BEGIN`` and ``END`` of ``graphmem.model.interval`` convert exactly.
"""

from datetime import UTC, datetime
from typing import Annotated

from neo4j.time import DateTime
from pydantic import BeforeValidator


def as_utc(value: object) -> datetime:
    """Neo4j's or Python's datetime in UTC.

    Raises:
        ValueError: it is something else, or has no offset.
    """
    native = value.to_native() if isinstance(value, DateTime) else value
    if not isinstance(native, datetime):
        raise ValueError("this is not a date and time")  # noqa: TRY004 -- what pydantic collects
    if native.utcoffset() is None:
        raise ValueError(f"{native.isoformat()} has no UTC offset")
    try:
        return native.astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{native.isoformat()} is outside the years 1 to 9999 in UTC") from None


Instant = Annotated[datetime, BeforeValidator(as_utc)]
