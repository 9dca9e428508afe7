"""Days, instants, quarters and centuries, each in one way of writing."""

import re
import unicodedata
from datetime import UTC, datetime
from functools import lru_cache

from graphmem.resolve.matching.fold import folded
from graphmem.resolve.matching.numbers import in_digits, roman
from graphmem.resolve.matching.values import value_of

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
