"""Dates counted from the one read before: “two weeks after that”, “the next day”, “that summer”.

As in `meanings`, each function takes what the named groups of its rule matched, and answers days.
"""

from datetime import timedelta

from graphmem.extract.offline.dates import calendar
from graphmem.extract.offline.dates.calendar import Days, Unit, Yearly
from graphmem.extract.offline.dates.meanings import (
    FEW,
    UNITS,
    Groups,
    ReferenceDay,
    count,
    hence,
    month_number,
    weekday_number,
)

_NEXT = frozenset({"next", "following"})
_BACK = frozenset({"before", "beforehand", "earlier", "previous", "preceding"})


def _that(reference: ReferenceDay) -> Days:
    if reference.that is None:
        raise ValueError("There is no date to count from.")
    return reference.that


def _side(groups: Groups) -> str:
    return groups.get("side", "later")


def later(groups: Groups, reference: ReferenceDay) -> Days:
    """“two weeks later”, “a month after that”, “the day before”; “two weeks from now”, and so where none was read."""
    if "marked" in groups or (reference.that is None and _side(groups) == "later"):
        return hence(groups, reference)
    that, way = _that(reference), -1 if _side(groups) in _BACK else 1
    if groups["what"] == "weekend":
        return calendar.weekend(that.first, way * count(groups))
    factor, unit = UNITS[groups["what"]]
    if unit is Unit.DAY and that.unit is not Unit.DAY:
        raise ValueError("Days are counted from a day.")
    if "some" in groups:
        near, far = (way * factor * number for number in FEW)
        return calendar.between(that.first, near, far, unit)
    days = calendar.moved(that, way * factor * count(groups), unit)
    return days.roughly() if "rough" in groups else days


def next_one(groups: Groups, reference: ReferenceDay) -> Days:
    """“the next day”, “the following spring”, “the year after”, “that same week”, “that summer”."""
    that, side = _that(reference), groups["side"]
    way = 1 if side in _NEXT or side == "after" else -1 if side in _BACK else 0
    if "what" in groups:
        return _unit(that, way, groups["what"])
    if "weekday" in groups:
        week = calendar.whole(that.first, Unit.WEEK)
        if way == 0:
            return calendar.whole(week.first + timedelta(weekday_number(groups["weekday"])), Unit.DAY)
        return calendar.weekday(that.first, weekday_number(groups["weekday"]), way)
    yearly = calendar.season(groups["season"]) if "season" in groups else calendar.month(month_number(groups["month"]))
    return _yearly(that, way, yearly)


def _unit(that: Days, way: int, what: str) -> Days:
    if what == "weekend":
        return calendar.weekend(that.first, way)
    _, unit = UNITS[what]
    if unit is Unit.DAY and that.unit is not Unit.DAY:
        raise ValueError("Days are counted from a day.")
    return calendar.away(that.first, way, unit)


def _yearly(that: Days, way: int, yearly: Yearly) -> Days:
    """The one of the same year, the next one to begin after ``that``, or the last one that was over before it."""
    near = [yearly(that.first.year + years) for years in (-1, 0, 1)]
    if way == 0:
        return near[1]
    if way > 0:
        return next(days for days in near if days.first > that.first)
    return next(days for days in reversed(near) if days.after <= that.after and days.first < that.first)
