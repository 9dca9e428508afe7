"""Times as files write them. One without an offset stays so: which zone is meant is said elsewhere."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from graphmem.errors import InvalidInput
from graphmem.files.turns import DateOrder
from graphmem.model.dates import MONTH_NUMBERS

_MILLISECONDS, _MICROSECONDS = 1e11, 1e14
"""Numbers of seconds since 1970 are below the first until the year 5138."""
_CENTURY, _PIVOT = 100, 70
_MONTH = rf"(?P<month>(?:{'|'.join(MONTH_NUMBERS)})[a-z]{{0,6}})\.?"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?[ ]+)?"
_SPACE = r"[ \u00a0\u202f]"
CLOCK = (
    rf"(?P<hour>\d{{1,2}})[:.](?P<minute>\d\d)(?:[:.](?P<second>\d\d))?(?:{_SPACE}?(?P<half>[ap])\.?{_SPACE}?m\b\.?)?"
)
NUMERIC = r"(?P<one>\d{1,4})(?P<mark>[./-])(?P<two>\d{1,2})(?P=mark)(?P<three>\d{4}|\d{2})"
_CLOCK = re.compile(rf"(?:,|T|[ ]+at)?[ ]*{CLOCK}", re.IGNORECASE)
_NUMERIC = re.compile(rf"{_WEEKDAY}{NUMERIC}(?!\d)", re.IGNORECASE)
_DAY, _YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r",?[ ]+(?P<year>\d{4})\b"
_WORDS = [
    re.compile(rf"{_WEEKDAY}{_DAY}\.?[ ]+(?:of[ ]+)?{_MONTH}{_YEAR}", re.IGNORECASE),
    re.compile(rf"{_WEEKDAY}{_MONTH}[ ]+{_DAY}{_YEAR}", re.IGNORECASE),
]


def time_of(value: object, order: DateOrder | None = None) -> datetime | None:
    """A time as ISO 8601, seconds (milliseconds, microseconds) since 1970, as in mail, or a date in ``order``.

    None for what is empty.

    Raises:
        ValueError: it is none of them.
    """
    if value is None or value == "":
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _since_1970(float(value))
    text = str(value).strip()
    if re.fullmatch(r"\d{9,}(\.\d+)?", text):
        return _since_1970(float(text))
    for read in (datetime.fromisoformat, _utc_by_name, parsedate_to_datetime):
        try:
            return read(text)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    dated = leading_date(text, order)
    if dated is None or dated[1].strip():
        raise ValueError(f"{value!r} is no time, such as 2025-05-03T10:00:00+02:00")
    return dated[0]


def _utc_by_name(text: str) -> datetime:
    if not text.endswith("UTC"):
        raise ValueError(text)
    return datetime.fromisoformat(text.removesuffix("UTC").strip()).replace(tzinfo=UTC)


def _since_1970(number: float) -> datetime:
    scale = 1e6 if number >= _MICROSECONDS else 1e3 if number >= _MILLISECONDS else 1
    try:
        return datetime.fromtimestamp(number / scale, UTC)
    except (OverflowError, OSError) as error:
        raise ValueError(f"{number} is no time") from error


def leading_date(text: str, order: DateOrder | None) -> tuple[datetime, str] | None:
    """The day, and perhaps hour, with which a text begins, and the rest of it."""
    found = _NUMERIC.match(text) or next((match for each in _WORDS if (match := each.match(text))), None)
    if found is None:
        return None
    clock = _CLOCK.match(text, found.end())
    try:
        parts = found.groupdict()
        day = numeric_day(parts, order or "dmy") if "one" in parts else _worded(parts)
        at = clocked(day, clock.groupdict()) if clock else day
    except ValueError:
        return None
    return at, text[(clock or found).end() :]


def _worded(parts: dict[str, str]) -> datetime:
    return datetime(int(parts["year"]), MONTH_NUMBERS[parts["month"][:3].lower()], int(parts["day"]))  # noqa: DTZ001 - see above


def clocked(day: datetime, parts: dict[str, str | None]) -> datetime:
    hour, half = int(parts["hour"] or 0), (parts["half"] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return day.replace(hour=hour, minute=int(parts["minute"] or 0), second=int(parts["second"] or 0))


def numeric_day(parts: dict[str, str], order: DateOrder) -> datetime:
    """Raises ``ValueError`` where there is no such day in that order."""
    numbers = (int(parts["one"]), int(parts["two"]), int(parts["three"]))
    by = "ymd" if len(parts["one"]) == len("2025") else order
    year, month, day = (numbers[by.index(letter)] for letter in "ymd")
    if year < _CENTURY:
        year += 2000 if year < _PIVOT else 1900
    return datetime(year, month, day)  # noqa: DTZ001 - see above


def date_order(texts: Iterable[str], asked: DateOrder | None, where: object) -> DateOrder:
    """The order in which dates are written: the only one in which all are days, or in which they go back less often.

    Raises:
        InvalidInput: they can be read both ways.
    """
    if asked:
        return asked
    orders: tuple[DateOrder, ...] = ("dmy", "mdy")
    wrong, back, last = dict.fromkeys(orders, 0), dict.fromkeys(orders, 0), dict[DateOrder, datetime]()
    differ = ""
    for text in texts:
        parts = found.groupdict() if (found := _NUMERIC.match(text)) else None
        if parts is None or len(parts["one"]) == len("2025"):
            continue
        differ = differ or (text if parts["one"] != parts["two"] else "")
        for order in orders:
            try:
                day = numeric_day(parts, order)
            except ValueError:
                wrong[order] += 1
            else:
                back[order] += day < last.get(order, day)
                last[order] = day
    ranked = sorted(orders, key=lambda order: (wrong[order], back[order]))
    if differ and len({(wrong[order], back[order]) for order in orders}) == 1:
        raise InvalidInput(
            f"{where}: {differ!r} can be a day of two months, and no other date tells which. "
            "Say it: --date-order dmy, mdy or ymd."
        )
    return ranked[0]
