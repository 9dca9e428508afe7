"""Values of attributes, read by their shape: dates, numbers, codes, short and long texts."""

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache

from graphmem.model.dates import day_in_figures, day_in_words, days_either_way
from graphmem.resolve.matching.fold import compact, folded, without_thousands


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
    found = (day_in_figures(text), *days_either_way(text), day_in_words(plain))
    return next((day for day in found if day is not None and _FIRST_YEAR <= day.year <= _LAST_YEAR), None)


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
    digits = sum(one.isdecimal() for one in joined)
    return len(words) <= _LONG_WORDS and len(joined) >= _CODE_LENGTH and 2 * digits > len(joined)
