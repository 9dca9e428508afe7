"""What people say of a file, as they write it."""

from datetime import datetime

from graphmem.errors import InvalidInput
from graphmem.files.times import time_of
from graphmem.files.turns import DateOrder, ReadingOptions
from graphmem.model.dates import UTC_NAME, zone


def reading_options(
    *,
    user: str | None = None,
    time_zone: str | None = None,
    date_order: DateOrder | None = None,
    since: str | None = None,
    at: str | None = None,
    columns: str | None = None,
) -> ReadingOptions:
    """How a file is to be read. Times are days, or as any file may write them; columns ``content=text,speaker=who``.

    Raises:
        InvalidInput: one of them cannot be understood.
    """
    pairs = [pair.partition("=") for pair in (columns or "").split(",") if pair.strip()]
    if wrong := [field for field, equals, _ in pairs if not equals]:
        raise InvalidInput(f"--columns: {wrong[0]!r} says no column; write it as content=text,speaker=who.")
    return ReadingOptions(
        user=user,
        time_zone=zone(time_zone or UTC_NAME),
        zone_name=time_zone,
        date_order=date_order,
        since=_time("--since", since, time_zone),
        at=_time("--at", at, time_zone),
        columns={field.strip(): column.strip() for field, _, column in pairs},
    )


def _time(option: str, written: str | None, time_zone: str | None) -> datetime | None:
    try:
        time = time_of(written)
    except ValueError as error:
        raise InvalidInput(f"{option}: {error}.") from error
    return time.replace(tzinfo=zone(time_zone or UTC_NAME)) if time and time.tzinfo is None else time
