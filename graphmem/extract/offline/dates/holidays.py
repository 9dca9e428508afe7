"""Days that each year has under a name: “Easter Monday”, “Thanksgiving”. They are those of ``words.toml``."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from dateutil.easter import EASTER_ORTHODOX, easter
from dateutil.relativedelta import FR, MO, SA, SU, TH, TU, WE, relativedelta

from graphmem.extract.offline.dates.calendar import Unit, Yearly, whole
from graphmem.extract.offline.dates.words import HOLIDAYS

_WEEKDAYS = (MO, TU, WE, TH, FR, SA, SU)


def _key(name: str) -> str:
    return re.sub(r"['’.]", "", name)


_BY_KEY = {_key(name): written for name, written in HOLIDAYS.items()}


def holiday(name: str) -> Yearly:
    """The day of this name, with its apostrophes or without: roughly, for who says it may mean those around it."""
    return lambda year: whole(_day(year, _BY_KEY[_key(name)]), Unit.DAY).roughly()


def _day(year: int, written: Sequence[int | str]) -> date:
    match written:
        case ["easter", int(after)]:
            return easter(year) + timedelta(after)
        case ["orthodox", int(after)]:
            return easter(year, EASTER_ORTHODOX) + timedelta(after)
        case [int(month), int(day)]:
            return date(year, month, day)
        case [int(month), int(weekday), int(which), int(after)]:
            nth = relativedelta(day=31 if which < 0 else 1, weekday=_WEEKDAYS[weekday](which))
            return date(year, month, 1) + nth + timedelta(after)
        case _:
            raise ValueError("There is no such day.")
