"""Days that a question names, and how near an instant is to them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import exp

from graphmem.model.interval import Interval

_EARLIER, _LATER = timedelta(days=3), timedelta(days=14)
"""People speak of a day shortly before it, and for two weeks after."""
_FADING = 20.0
"""Days in which nearness falls to 1/e."""


@dataclass(frozen=True, slots=True)
class NamedDays:
    """``[start, end)``; ``of_any_year``: no year was named, as in “in June”."""

    interval: Interval
    of_any_year: bool


def nearness(at: datetime, days: Iterable[NamedDays]) -> float:
    """1 about the days, less and less before and after; 0 without any."""
    return max((_nearness(at, _of_year(each, at) if each.of_any_year else each.interval) for each in days), default=0.0)


def _nearness(at: datetime, interval: Interval) -> float:
    if interval.start - _EARLIER <= at <= interval.end + _LATER:
        return 1.0
    away = min(abs(at - interval.start), abs(at - interval.end))
    return exp(-away.total_seconds() / 86_400 / _FADING)


def _of_year(days: NamedDays, at: datetime) -> Interval:
    """The days in the year in which they are nearest to ``at``."""
    start, length = days.interval.start, days.interval.end - days.interval.start
    starts = (_in(start, year) for year in range(max(at.year - 1, 1), min(at.year + 1, 9998) + 1))
    nearest = min(starts, key=lambda each: abs(each - at))
    return Interval(nearest, nearest + length)


def _in(start: datetime, year: int) -> datetime:
    """The day of another year that has this date; of 29 February the day before, where there is none."""
    try:
        return start.replace(year=year)
    except ValueError:
        return start.replace(year=year, day=28)
