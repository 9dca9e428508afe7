"""Values of attributes, read by their shape: dates, numbers, codes, short and long texts; and periods."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import lru_cache

from graphmem.model.dates import day_in_figures, day_in_words, days_either_way
from graphmem.resolve.matching.fold import compact, folded, without_thousands
from graphmem.resolve.matching.numbers import in_digits, roman


class ValueShape(StrEnum):
    """How values are compared."""

    DATE = "date"
    NUMBER = "number"
    YEAR = "year"
    CODE = "code"
    SHORT = "short"
    LONG = "long"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapedValue:
    """A value in its shape; ``term`` is what equal values have in common."""

    shape: ValueShape
    text: str
    term: str
    words: tuple[str, ...] = ()
    day: date | None = None
    number: float | None = None


_NUMBER = re.compile(r"[-+]?[$€£]?\s?\d{1,12}(?:\.\d{1,4})?\s?[$€£%]?")
_FIRST_YEAR, _LAST_YEAR = 1800, 2150
_LONG_WORDS = 6
_CODE_LENGTH = 4


@lru_cache(maxsize=1 << 16)
def value_of(text: str) -> ShapedValue:
    plain = folded(text)
    words = tuple(plain.split())
    day = _day(text.strip().casefold(), plain)
    if day is not None:
        return ShapedValue(shape=ValueShape.DATE, text=text, term=day.isoformat(), words=words, day=day)
    number = _number(text)
    if number is not None:
        shape = ValueShape.YEAR if _is_year(text.strip()) else ValueShape.NUMBER
        return ShapedValue(shape=shape, text=text, term=f"{number:g}", words=words, number=number)
    if _is_code(text, plain):
        return ShapedValue(shape=ValueShape.CODE, text=text, term=compact(text), words=words)
    shape = ValueShape.LONG if len(words) > _LONG_WORDS else ValueShape.SHORT
    return ShapedValue(shape=shape, text=text, term=plain, words=words)


def _day(text: str, plain: str) -> date | None:
    """Where either number may be the month, the first one is the day."""
    readings = (day_in_figures(text), *days_either_way(text), day_in_words(plain))
    return next((day for day in readings if day is not None and _FIRST_YEAR <= day.year <= _LAST_YEAR), None)


def _number(text: str) -> float | None:
    """A count, a price or a year; digits too long for that, or with zeros before, are a code."""
    plain = without_thousands(text.strip())
    if not _NUMBER.fullmatch(plain):
        return None
    digits = re.sub(r"[^\d.]", "", plain)
    whole = digits.split(".", 1)[0]
    is_code = digits == plain and "." not in digits and (len(whole) >= _CODE_LENGTH or whole[:1] == "0")
    return None if is_code and not _is_year(plain) else float(digits)


def _is_year(text: str) -> bool:
    return len(text) == _CODE_LENGTH and text.isdecimal() and _FIRST_YEAR <= int(text) <= _LAST_YEAR


def _is_code(text: str, plain: str) -> bool:
    words = plain.split()
    joined = compact(text)
    digits = sum(character.isdecimal() for character in joined)
    return len(words) <= _LONG_WORDS and len(joined) >= _CODE_LENGTH and 2 * digits > len(joined)


_INSTANT = re.compile(
    r"(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?) ?(z|utc|gmt|[-+]\d\d(?::?\d\d)?)?", re.ASCII
)
_YEAR = re.compile(r"\d{4}")
_WITH_TIME = re.compile(r"\d{4}[-/. ]\d{1,2}[-/. ]\d{1,2}[t ]\d.*")
_EITHER_ORDER = re.compile(r"(\d{1,2})[-/ ](\d{1,2})[-/ ]\d{4}")
_WEEKDAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day,? ")
_QUARTERS = tuple(
    re.compile(pattern)
    for pattern in (
        r"q(?P<quarter>[1-4]) (?P<year>\d{4})",
        r"(?P<year>\d{4}) ?q(?P<quarter>[1-4])",
        r"(?P<quarter>[1-4])q (?P<year>\d{4})",
        r"(?P<quarter>[1-4])(?:st|nd|rd|th) quarter (?P<year>\d{4})",
    )
)
_CENTURY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)? century(?: (?:(bce?)|ad|ce))?")
_SMALL = frozenset({"of", "the"})
_MONTHS = 12


@lru_cache(maxsize=1 << 14)
def moment_of(text: str) -> str:
    """The day, or the instant in UTC where an offset is said; "" of what says neither, or may be one of two days."""
    if _YEAR.search(text) is None:
        return ""
    plain = unicodedata.normalize("NFKC", text).strip().casefold()
    if match := _INSTANT.fullmatch(plain):
        return _instant(match[1], match[2], match[3])
    plain = _WEEKDAY.sub("", plain, count=1) if _WEEKDAY.match(plain) else plain
    if _WITH_TIME.fullmatch(plain) or _is_ambiguous(plain):
        return ""
    day = value_of(plain).day
    return day.isoformat() if day else ""


def _instant(day: str, time: str, zone: str | None) -> str:
    offset = "+00:00" if zone in ("z", "utc", "gmt") else zone or ""
    try:
        read = datetime.fromisoformat(f"{day}T{time}{offset}")
    except ValueError:
        return ""
    return read.astimezone(UTC).isoformat() if offset else read.isoformat()


def _is_ambiguous(text: str) -> bool:
    """Whether either number may be the month: 04/03/2024."""
    match = _EITHER_ORDER.fullmatch(text)
    return match is not None and match[1] != match[2] and max(int(match[1]), int(match[2])) <= _MONTHS


def period_words(text: str) -> tuple[str, ...]:
    """The words of a date, of which those that say one period are the same."""
    if moment := moment_of(text):
        return (moment,)
    words = tuple(word for word in in_digits(tuple(folded(text).split())) if word not in _SMALL)
    if "century" in words[1:]:
        words = (str(roman(words[0]) or words[0]), *words[1:])
    plain = " ".join(words)
    for pattern in _QUARTERS:
        if match := pattern.fullmatch(plain):
            return (f"{match['year']}-q{match['quarter']}",)
    if match := _CENTURY.fullmatch(plain):
        return (match[1], "century", *(("bc",) if match[2] else ()))
    return words
