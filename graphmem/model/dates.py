"""Dates as values are written: “1984”, “1984-05”, “1984-05-03”, “3 May 1984”, “May 3rd, 1984”."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, timedelta

_MONTHS = {
    name: month
    for month, name in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], start=1
    )
}
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
    plain = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    in_order = [day for day in set(days_either_way(text)) if day is not None]
    found = day_in_figures(text) or (in_order[0] if len(in_order) == 1 else None)
    found = found or day_in_words(" ".join(re.findall(r"\w+", plain)))
    return _one_day(found) if found else _longer(text, plain)


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
        return date_of(match[3], str(_MONTHS.get(match[2], 0)), match[1])
    if match := _MONTH_DAY.fullmatch(plain):
        return date_of(match[3], str(_MONTHS.get(match[1], 0)), match[2])
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
        return _month(match[2], _MONTHS.get(match[1], 0))
    return None


def _month(year: str, month: int) -> DaySpan | None:
    following = (str(int(year) + 1), "1", "1") if month == _DECEMBER else (year, str(month + 1), "1")
    return _between(date_of(year, str(month), "1"), date_of(*following))


def _one_day(day: date) -> DaySpan | None:
    return DaySpan(day, day + _DAY) if day < date.max else None


def _between(first: date | None, after: date | None) -> DaySpan | None:
    return DaySpan(first, after) if first and after else None
