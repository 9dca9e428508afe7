"""Instants as callers write them, and as people read them.

A caller writes RFC 3339 with an offset, or a bare day, which is its first instant in UTC. A time without an offset is
refused: nobody knows which instant it is.
"""

import re
from datetime import date, datetime

from graphmem.errors import InvalidInput
from graphmem.model.interval import as_instant

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
