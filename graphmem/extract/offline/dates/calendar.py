"""Whole days of the calendar, and the ways to them from today: `dateutil` counts, this module names.

A week begins on Monday. What lies outside the calendar raises ValueError or OverflowError, as ``date`` does.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import IntEnum, StrEnum

from dateutil.relativedelta import FR, MO, SA, SU, TH, TU, WE, relativedelta


class Unit(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


def day_in_words(day: date) -> str:
    """“3 July 2025”."""
    return f"{day.day} {day:%B %Y}"


class Which(IntEnum):
    """Which of what comes again and again (June, Friday, Christmas): how many after the one of now."""

    LAST = -1
    THIS = 0
    NEXT = 1


@dataclass(frozen=True, slots=True)
class Days:
    """The days from ``first`` until the one before ``after``; ``vague`` ones are a guess at what was meant."""

    first: date
    after: date
    unit: Unit
    vague: bool = False
    likely: date | None = None
    """The first day, as near as it can be guessed, of days that are known from and to."""

    def roughly(self) -> "Days":
        return replace(self, vague=True)


Yearly = Callable[[int], Days]
"""Its days in a year; ValueError where that year has none."""

_WEEKDAYS = (MO, TU, WE, TH, FR, SA, SU)
_STEPS = {
    Unit.DAY: relativedelta(days=1),
    Unit.WEEK: relativedelta(weeks=1),
    Unit.MONTH: relativedelta(months=1),
    Unit.YEAR: relativedelta(years=1),
}
_BEGINNINGS = {
    Unit.DAY: relativedelta(),
    Unit.WEEK: relativedelta(weekday=MO(-1)),
    Unit.MONTH: relativedelta(day=1),
    Unit.YEAR: relativedelta(month=1, day=1),
}
_FIRST_MONTHS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_THIRDS = ("early", "mid", "late")
_YEARS_SEARCHED = 9
"""To meet a 29 February."""


def whole(day: date, unit: Unit) -> Days:
    """The day, week, month or year that ``day`` lies in."""
    first = day + _BEGINNINGS[unit]
    return Days(first, first + _STEPS[unit], unit)


def away(today: date, number: int, unit: Unit) -> Days:
    """That many units before today (negative) or after it."""
    return whole(today + _STEPS[unit] * number, unit)


def stretch(today: date, number: int, unit: Unit) -> Days:
    """The days from that long ago until today, or from today on for that long."""
    return replace(between(today, 0, number, unit), likely=None)


def between(today: date, near: int, far: int, unit: Unit) -> Days:
    """From ``near`` to ``far`` units away, both before today (negative) or both after it; most likely near."""
    near_day, far_day = today + _STEPS[unit] * near, today + _STEPS[unit] * far
    likely = today + _STEPS[unit] * (near + (1 if far > near else -1))
    return Days(min(near_day, far_day), max(near_day, far_day) + timedelta(1), unit, vague=True, likely=likely)


def moved(days: Days, number: int, unit: Unit) -> Days:
    """The days that are so many units before (negative) or after others, as many as those."""
    step = _STEPS[unit] * number
    return replace(days, first=days.first + step, after=days.after + step, likely=None)


def weekday(today: date, number: int, count: int) -> Days:
    """The ``count``-th Monday (0) … Sunday (6) before today (negative) or after it, never today; 0: of the week."""
    if count == 0:
        return whole(whole(today, Unit.WEEK).first + timedelta(number), Unit.DAY)
    return whole(today + relativedelta(days=1 if count > 0 else -1, weekday=_WEEKDAYS[number](count)), Unit.DAY)


def weekend(today: date, weeks: int) -> Days:
    """Saturday and Sunday of the week that is so many weeks away."""
    saturday = away(today, weeks, Unit.WEEK).first + relativedelta(weekday=SA)
    return Days(saturday, saturday + timedelta(2), Unit.DAY)


def months(first: date, number: int) -> Days:
    """So many months from ``first``, the first day of a month, on."""
    return Days(first, first + _STEPS[Unit.MONTH] * number, Unit.MONTH)


def month(number: int) -> Yearly:
    return lambda year: whole(date(year, number, 1), Unit.MONTH)


def day_of_year(number: int, day: int) -> Yearly:
    return lambda year: whole(date(year, number, day), Unit.DAY)


def season(name: str) -> Yearly:
    """Three whole months, as the north has them; the winter of a year begins in it."""
    return lambda year: months(date(year, _FIRST_MONTHS[name], 1), 3).roughly()


def nearest(yearly: Yearly, today: date, which: Which | None, *, ahead: bool) -> Days:
    """The last one that is over, the next one to begin, or the one around today.

    Without ``which``: the next one if ``ahead``, else the last one that has begun.

    Raises:
        ValueError: no year around has one.
    """
    if which is Which.THIS:
        near = iter(sorted(_existing(yearly, range(today.year - 1, today.year + 2)), key=lambda d: _distance(d, today)))
    elif which is Which.NEXT or (which is None and ahead):
        years = range(today.year - 1, today.year + _YEARS_SEARCHED)
        near = (days for days in _existing(yearly, years) if days.first > today)
    else:
        years = range(today.year + 1, today.year - _YEARS_SEARCHED, -1)
        near = (days for days in _existing(yearly, years) if (days.first if which is None else days.after) <= today)
    found = next(near, None)
    if found is None:
        raise ValueError("There is no such day.")
    return found


def _existing(yearly: Yearly, years: range) -> Iterator[Days]:
    for year in years:
        with suppress(ValueError, OverflowError):
            yield yearly(year)


def _distance(days: Days, today: date) -> int:
    return max((days.first - today).days, (today - days.after).days + 1, 0)


def part(days: Days, which: str) -> Days:
    """The ``early``, ``mid`` or ``late`` third; the ``first`` or ``last`` month of a year or more, else a third too."""
    if which in ("first", "last") and days.unit is Unit.YEAR:
        return months(days.first if which == "first" else days.after - _STEPS[Unit.MONTH], 1).roughly()
    third = {"first": "early", "last": "late"}.get(which, which)
    return replace(share(days, _THIRDS.index(third) + 1, len(_THIRDS)), unit=days.unit).roughly()


def share(days: Days, number: int, of: int) -> Days:
    """The ``number``-th (or last, -1) of so many shares: in whole years of a decade, in months or in days.

    Raises:
        ValueError: there are not so many.
    """
    place = of if number < 0 else number
    if not 1 <= place <= of:
        raise ValueError("There are not so many.")
    span = relativedelta(days.after, days.first)
    length, unit = (days.after - days.first).days, Unit.DAY
    if span.years >= of:
        length, unit = span.years, Unit.YEAR
    elif span.days == 0 and (12 * span.years + span.months) % of == 0:
        length, unit = 12 * span.years + span.months, Unit.MONTH
    over = of - 1 if unit is Unit.YEAR else 0  # the early nineties end with 1993
    first, after = (days.first + _STEPS[unit] * ((length * each + over) // of) for each in (place - 1, place))
    return Days(first, after, unit)


def within(days: Days, number: int, what: Unit | int | None) -> Days:
    """The ``number``-th (or last, -1) day, seven days, Monday (0) … Sunday (6), or weekend (None) of a month or year.

    Raises:
        ValueError: there are not so many.
    """
    last = days.after - timedelta(1)
    if isinstance(what, Unit):
        length = _STEPS[what]
        first = days.after - length if number < 0 else days.first + length * (number - 1)
    else:
        length = relativedelta(days=2 if what is None else 1)
        goal = (SA if what is None else _WEEKDAYS[what])(number)
        first = (last if number < 0 else days.first) + relativedelta(weekday=goal)
    if not days.first <= first <= last:
        raise ValueError("There are not so many.")
    return Days(first, first + length, what if isinstance(what, Unit) else Unit.DAY)
