"""The time zone in which something was said: its days are those that “yesterday” and “in June” speak of.

A zone is written as an IANA name (“Europe/Lisbon”), as an offset from UTC (“+09:00”), or as “UTC”.
"""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from graphmem.errors import InvalidInput

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
