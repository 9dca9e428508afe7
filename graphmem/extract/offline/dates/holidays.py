"""Days that each year has under a name: “Easter Monday”, “Thanksgiving”. They are those of ``words.toml``."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Literal

from dateutil.easter import EASTER_ORTHODOX, EASTER_WESTERN, easter
from dateutil.relativedelta import FR, MO, SA, SU, TH, TU, WE, relativedelta

from graphmem.extract.offline.dates.calendar import Unit, Yearly, whole
from graphmem.extract.offline.dates.words import NAMED_DAYS

_WEEKDAYS = (MO, TU, WE, TH, FR, SA, SU)


def _fixed(month: int, day: int) -> Yearly:
    return lambda year: whole(date(year, month, day), Unit.DAY)


def _by_easter(days: int, method: Literal[2, 3] = EASTER_WESTERN) -> Yearly:
    return lambda year: whole(easter(year, method) + timedelta(days), Unit.DAY)


def _by_weekday(month: int, weekday: int, which: int, days: int) -> Yearly:
    first = relativedelta(day=31 if which < 0 else 1, weekday=_WEEKDAYS[weekday](which))
    return lambda year: whole(date(year, month, 1) + first + timedelta(days), Unit.DAY)


def _key(name: str) -> str:
    return re.sub(r"['’.]", "", name.casefold())


HOLIDAYS: Mapping[str, Yearly] = {
    **{name: _fixed(*day) for name, day in NAMED_DAYS["fixed"].items()},
    **{name: _by_easter(days) for name, days in NAMED_DAYS["easter"].items()},
    **{name: _by_easter(days, EASTER_ORTHODOX) for name, days in NAMED_DAYS["orthodox_easter"].items()},
    **{name: _by_weekday(*rule) for name, rule in NAMED_DAYS["weekday"].items()},
}
_BY_KEY = {_key(name): yearly for name, yearly in HOLIDAYS.items()}


def holiday(name: str) -> Yearly:
    """The day of this name, with its apostrophes or without: roughly, for who says it may mean those around it."""
    yearly = _BY_KEY[_key(name)]
    return lambda year: yearly(year).roughly()
