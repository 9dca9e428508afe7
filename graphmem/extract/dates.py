"""Thin rules for when something was: “since 2019”, “in March”, “on 3 May”, “two weeks ago”, “from 2010 to 2015”.

Everything is resolved against the instant something was said, on the UTC calendar, and answered as the UTC start of
the named unit (day, week from Monday, month, year). A month or weekday without a year is the latest one before the
saying; with ``ahead``, “until March” is the next one. What is not understood gives nothing.
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

from graphmem.model.interval import EARLIEST, LATEST


class Bearing(StrEnum):
    """What a date says: happened ``at``, holds ``since``, held ``until``, held over a ``span``."""

    AT = "at"
    SINCE = "since"
    UNTIL = "until"
    SPAN = "span"


class Unit(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """A date at ``[start, end)`` of the text. ``valid_from``/``valid_to`` are None where it says nothing of them."""

    start: int
    end: int
    bearing: Bearing
    unit: Unit
    valid_from: datetime | None = None
    valid_to: datetime | None = None

    def shifted(self, by: int) -> "Dated":
        return replace(self, start=self.start + by, end=self.end + by)


@dataclass(frozen=True, slots=True)
class _Point:
    day: date
    unit: Unit


@dataclass(frozen=True, slots=True)
class _Words:
    """A date as written. What lacks a year is nearest to ``after``, else to today: behind it, or ``ahead`` of it."""

    text: str
    today: date
    after: date | None = None
    ahead: bool = False

    @property
    def pivot(self) -> date:
        return self.after or self.today


_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "a couple of": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
DATE_WORDS = frozenset((*_MONTHS, *_WEEKDAYS, "today", "yesterday", "tomorrow", "tonight", "now", "weekend"))

# Months and weekdays by their capital, because “may” and “march” are words too.
_MONTH = "|".join(month.title() for month in _MONTHS)
_WEEKDAY = "|".join(day.title() for day in _WEEKDAYS)
_YEAR = r"(?:1[89]|20|21)\d\d"
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)?"
_COUNT = r"\d{1,3}|" + "|".join(sorted(_NUMBERS, key=len, reverse=True))

_DAY = (
    rf"(?:the\s+)?{_ORDINAL}\s+(?:of\s+)?(?:{_MONTH})(?:\s?,?\s+{_YEAR})?"
    rf"|(?:{_MONTH})\s+(?:the\s+)?{_ORDINAL}\b(?:\s?,?\s+{_YEAR})?|{_YEAR}-\d\d-\d\d"
)
_RELATIVE = (
    r"(?i:yesterday|today|tonight|last\s+night|this\s+(?:morning|afternoon|evening)"
    r"|(?:last|this)\s+(?:week|month|year)|(?:last|this\s+past)\s+weekend"
    rf"|(?:{_COUNT})\s+(?:day|week|month|year)s?\s+ago)"
    rf"|(?i:last|this\s+past)\s+(?:{_WEEKDAY}|{_MONTH})"
)
_COARSE = rf"(?:{_MONTH})(?:\s+(?:of\s+)?{_YEAR})?|{_YEAR}"
_ANY = rf"(?:{_DAY}|{_RELATIVE}|{_COARSE}|{_WEEKDAY})\b(?!['’]s\b)(?!-)"

_DATES = re.compile(
    rf"(?:\b(?i:from|between)\s+(?P<begin>{_ANY})\s+(?i:to|until|till|and|through)\s+(?P<end>{_ANY}))"
    rf"|(?:\b(?i:since)\s+(?P<since>{_ANY}))"
    rf"|(?:\b(?i:until|till)\s+(?P<until>{_ANY}))"
    rf"|(?:\b(?i:for)\s+(?:(?i:the\s+(?:last|past))\s+)?(?P<length>(?i:{_COUNT})\s+(?i:day|week|month|year)s?)\b)"
    rf"|(?:\b(?i:in)\s+(?P<in>{_COARSE})\b(?!['’]s\b)(?!-))"
    rf"|(?:\b(?i:on)\s+(?P<on>{_DAY}|(?:{_WEEKDAY})(?:,?\s+(?:{_DAY}))?)\b)"
    rf"|(?:(?<![\d.,-])\b(?P<bare>{_DAY}|{_RELATIVE})\b(?!['’]s\b))"
)
_BLOCKERS = re.compile(
    r"\b(?:next|every|each|before|after|by|late|early|mid|of|around|about|than|almost|nearly|until|till|since|for|from"
    r"|to|over|coming)[\s-]+$",
    re.IGNORECASE,
)
_WEEK = 7


def find_dates(text: str, said_at: datetime, *, ahead: bool = False) -> tuple[Dated, ...]:
    """The dates that ``text`` names, in their order. ``ahead``: what is still going on ends later than it is said."""
    found = (_dated(match, said_at.astimezone(UTC), ahead=ahead) for match in _DATES.finditer(text))
    return tuple(dated for dated in found if dated is not None)


def _dated(match: re.Match[str], said_at: datetime, *, ahead: bool) -> Dated | None:
    today = said_at.date()
    if match["begin"]:
        return _span(match, today)
    if match["until"]:
        return _until(match, _resolve(_Words(match["until"], today, ahead=ahead)))
    if match["bare"] and _BLOCKERS.search(match.string, max(0, match.start() - 12), match.start()):
        return None
    bearing = Bearing.SINCE if match["since"] or match["length"] else Bearing.AT
    words = match["since"] or match["length"] or match["in"] or match["on"] or match["bare"]
    point = _resolve(_Words(words, today))
    instant = _instant(point.day) if point else None
    if point is None or instant is None or instant > said_at:
        return None
    return Dated(start=match.start(), end=match.end(), bearing=bearing, unit=point.unit, valid_from=instant)


def _until(match: re.Match[str], point: _Point | None) -> Dated | None:
    instant = _instant(point.day) if point else None
    if point is None or instant is None:
        return None
    return Dated(start=match.start(), end=match.end(), bearing=Bearing.UNTIL, unit=point.unit, valid_to=instant)


def _span(match: re.Match[str], today: date) -> Dated | None:
    """“from March to June”: what has no year of its own takes the one that makes the span run forwards."""
    later = _resolve(_Words(match["end"], today)) if re.search(_YEAR, match["end"]) else None
    begin = _resolve(_Words(match["begin"], later.day if later else today))
    end = later or (begin and _resolve(_Words(match["end"], today, after=begin.day, ahead=True)))
    valid_from, valid_to = (_instant(begin.day), _instant(end.day)) if begin and end else (None, None)
    if begin is None or valid_from is None or valid_to is None or valid_from >= valid_to or begin.day > today:
        return None
    return Dated(
        start=match.start(), end=match.end(), bearing=Bearing.SPAN, unit=begin.unit,
        valid_from=valid_from, valid_to=valid_to,
    )  # fmt: skip


def _instant(day: date) -> datetime | None:
    instant = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return instant if EARLIEST <= instant <= LATEST else None


def _resolve(words: _Words) -> _Point | None:
    """The point that the words name, or None where there is no such day (30 February)."""
    try:
        return _absolute(words) or _weekday(words) or _ago(words) or _relative(words)
    except (ValueError, OverflowError):
        return None


def _absolute(words: _Words) -> _Point | None:
    """“3 May 2024”, “May 3rd”, “March 2021”, “2019”, “2024-05-03”."""
    if iso := re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", words.text):
        return _Point(date(int(iso[1]), int(iso[2]), int(iso[3])), Unit.DAY)
    month = next((number for number, name in enumerate(_MONTHS, 1) if name.title() in words.text), None)
    year = re.search(rf"\b{_YEAR}\b", words.text)
    if month is None:
        return _Point(date(int(year[0]), 1, 1), Unit.YEAR) if year else None
    day = re.search(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", words.text)
    number, unit = (int(day[1]), Unit.DAY) if day else (1, Unit.MONTH)
    return _Point(date(int(year[0]), month, number) if year else _nearest_year(words, month, number), unit)


def _nearest_year(words: _Words, month: int, day: int) -> date:
    pivot = words.pivot
    this_year = date(pivot.year, month, day)
    if words.ahead:
        return this_year if this_year > pivot else date(pivot.year + 1, month, day)
    return this_year if this_year <= pivot else date(pivot.year - 1, month, day)


def _weekday(words: _Words) -> _Point | None:
    number = next((number for number, name in enumerate(_WEEKDAYS) if name.title() in words.text), None)
    if number is None:
        return None
    if words.ahead:
        return _Point(words.pivot + timedelta((number - words.pivot.weekday() - 1) % _WEEK + 1), Unit.DAY)
    return _Point(words.pivot - timedelta((words.pivot.weekday() - number - 1) % _WEEK + 1), Unit.DAY)


def _ago(words: _Words) -> _Point | None:
    """“two weeks ago”, “three years”: that many units before today."""
    counted = re.fullmatch(rf"({_COUNT})\s+(day|week|month|year)s?(?:\s+ago)?", words.text, re.IGNORECASE)
    if counted is None:
        return None
    number = _NUMBERS.get(" ".join(counted[1].lower().split()))
    return _back(words.today, int(counted[1]) if number is None else number, Unit(counted[2].lower()))


def _relative(words: _Words) -> _Point:
    key = " ".join(words.text.lower().split())
    if key.endswith("weekend"):
        return _Point(_start_of(words.today, Unit.WEEK) - timedelta(2), Unit.DAY)
    which, _, unit = key.partition(" ")
    if unit in ("week", "month", "year"):
        return _back(words.today, 1 if which == "last" else 0, Unit(unit))
    return _Point(words.today - timedelta(1 if key in ("yesterday", "last night") else 0), Unit.DAY)


def _back(today: date, number: int, unit: Unit) -> _Point:
    if unit in (Unit.DAY, Unit.WEEK):
        days = number * (_WEEK if unit is Unit.WEEK else 1)
        return _Point(_start_of(today - timedelta(days), unit), unit)
    months = today.year * 12 + today.month - 1 - number * (12 if unit is Unit.YEAR else 1)
    return _Point(_start_of(date(months // 12, months % 12 + 1, 1), unit), unit)


def _start_of(day: date, unit: Unit) -> date:
    if unit is Unit.WEEK:
        return day - timedelta(day.weekday())
    if unit is Unit.YEAR:
        return day.replace(month=1, day=1)
    return day.replace(day=1) if unit is Unit.MONTH else day
