"""What English words for days mean, said on some day: “two weeks ago”, “last Friday”, “in June”, “the week of 3 May”.

Each function takes what the named groups of its rule matched, and answers days. What is no date after all, or a day
that no calendar has, is a ValueError.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta, tzinfo

from graphmem.extract.offline.dates import calendar
from graphmem.extract.offline.dates.calendar import Days, Unit, Which, Yearly
from graphmem.extract.offline.dates.holidays import holiday as named_holiday
from graphmem.extract.offline.dates.words import DAYS_OF_MONTH, DECADES, NUMBERS, ONES, TENS
from graphmem.model.dates import MONTH_NUMBERS, USUAL_DATES, WEEKDAYS, DateConventions

ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": -1}
UNITS = {
    "day": (1, Unit.DAY), "week": (1, Unit.WEEK), "fortnight": (2, Unit.WEEK), "month": (1, Unit.MONTH),
    "year": (1, Unit.YEAR), "decade": (10, Unit.YEAR), "wk": (1, Unit.WEEK), "yr": (1, Unit.YEAR),
}  # fmt: skip
FIXED = {
    "the day before yesterday": -2, "day before yesterday": -2, "the night before last": -2, "yesterday": -1,
    "last night": -1, "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0,
    "tomorrow": 1, "the day after tomorrow": 2, "day after tomorrow": 2,
}  # fmt: skip
"""Days away from today."""

FEW = (2, 5)
"""What “a few” reaches from and to."""
_HALF_A_MONTH = 15
"""Days."""
_RECENT = {"recently": (1, 28), "the other week": (7, 28), "the other month": (28, 90)}
_OTHER_DAY = (1, 7)
"""Days back."""
_WHICH = {
    **dict.fromkeys(("last", "previous", "preceding", "past", "this past", "this last"), Which.LAST),
    **dict.fromkeys(("before", "beforehand", "earlier", "before last"), Which.LAST),
    **dict.fromkeys(("this", "same", "that"), Which.THIS),
}
"""All others are the next one."""
_SEASONS = frozenset({"spring", "summer", "autumn", "fall", "winter"})
_SHARES = {"h": 2, "half": 2, "third": 3, "q": 4, "quarter": 4}
_MONTHS_OF_QUARTER = 3
_PARTS = {"early": "early", "beginning": "first", "start": "first", "mid": "mid", "middle": "mid", "end": "last"}
_WEEKDAY_NUMBERS = {name[:3]: number for number, name in enumerate(WEEKDAYS)}
_WEDNESDAY, _FRIDAY, _DECEMBER, _TWO_DIGITS = 2, 4, 12, 100
_COMING = 20
"""Years ahead that two figures may mean."""


@dataclass(frozen=True, slots=True)
class Birthday:
    """The day of the year on which the speaker was born; ``year`` is None where only the day is known."""

    month: int
    day: int
    year: int | None = None


@dataclass(frozen=True, slots=True)
class ReferenceDay:
    """The day that words are resolved against, and which way.

    What has no year or week of its own is the last one before ``after``, else before today. With ``ahead`` it is the
    next one. ``other`` is the date within the words: of “the week before 3 May” the 3 May. ``that`` is the date read
    last, from which “a month later” counts; ``born`` is the day, or one of its anniversaries, of “my birthday”.
    """

    today: date
    zone: tzinfo | None = UTC
    after: date | None = None
    ahead: bool = False
    other: Days | None = None
    that: Days | None = None
    born: Birthday | None = None
    conventions: DateConventions = USUAL_DATES

    @property
    def pivot(self) -> date:
        return self.after or self.today


Groups = dict[str, str]
"""In small letters with single spaces; a group that matched nothing is absent."""
Meaning = Callable[[Groups, ReferenceDay], Days]


def roughly(meaning: Meaning) -> Meaning:
    return lambda groups, reference: meaning(groups, reference).roughly()


def count(groups: Groups) -> int:
    """“3”, “a couple of”, “twenty-five”; one where nothing is counted."""
    written = groups.get("count", "a")
    tens, _, ones = re.sub("[- ]", " ", written).partition(" ")
    if tens in TENS:
        return TENS[tens] + ONES.get(ones, 0)
    return NUMBERS.get(written) or int(written)


def which(groups: Groups) -> Which | None:
    written = groups.get("which")
    return None if written is None else _WHICH.get(written, Which.NEXT)


def way(groups: Groups) -> int:
    """How many away of what is spoken of: 1 of “the next one”, 0 of “this one” and where nothing says which."""
    return which(groups) or 0


def weekday_number(text: str) -> int:
    return _WEEKDAY_NUMBERS[text[:3]]


def _figure(text: str) -> int:
    return int(re.sub(r"\D", "", text))


def _number_of_day(groups: Groups) -> int:
    """“3rd”, “third”: which day of a month it is."""
    return DAYS_OF_MONTH.get(groups["day"]) or _figure(groups["day"])


def _other(reference: ReferenceDay) -> Days:
    if reference.other is None:
        raise ValueError("There is no date to count from.")
    return reference.other


# counted from today ---------------------------------------------------------------------------------------------------


def fixed(groups: Groups, reference: ReferenceDay) -> Days:
    """“yesterday”, “this morning”."""
    return calendar.away(reference.today, FIXED[groups["fixed"]], Unit.DAY)


def ago(groups: Groups, reference: ReferenceDay) -> Days:
    """“two weeks ago”, “three Fridays ago”, “a few days ago”."""
    return _away(groups, reference, -1)


def hence(groups: Groups, reference: ReferenceDay) -> Days:
    """“in two weeks”: perhaps how long something took, unless it is marked or the talk is of what is to come."""
    if not (reference.ahead or "marked" in groups):
        raise ValueError("That is no date.")
    return _away(groups, reference, 1)


def _away(groups: Groups, reference: ReferenceDay, sign: int) -> Days:
    """So many (one, if nothing is counted) of what is named, before (-1) or after (1) today, or the one of now (0)."""
    what, number = groups["what"], sign * count(groups)
    if what == "weekend":
        return calendar.weekend(reference.today, number)
    if what not in UNITS and what[:3] in _WEEKDAY_NUMBERS:
        return calendar.weekday(reference.today, weekday_number(what), number)
    if what not in UNITS:
        yearly = _month_or_season(what)
        nearest = calendar.nearest(yearly, reference.today, Which(sign), ahead=False) if sign else None
        return yearly(nearest.first.year + number - sign if nearest else reference.today.year)
    factor, unit = UNITS[what]
    if "some" in groups:
        near, far = FEW
        return calendar.between(reference.today, sign * factor * near, sign * factor * far, unit)
    days = calendar.away(reference.today, factor * number, unit)
    return days.roughly() if "rough" in groups or factor > 1 else days


def hours_ago(groups: Groups, reference: ReferenceDay) -> Days:
    """“two hours ago”, “48 hours ago”, “10 minutes ago”."""
    hours = count(groups) if groups["hours"].startswith("h") and "some" not in groups else 0
    return calendar.away(reference.today, -(hours // 24), Unit.DAY)


def day_ago(groups: Groups, reference: ReferenceDay) -> Days:
    """“a week ago today”, “a week last Tuesday”, “two weeks ago on Friday”."""
    factor, unit = UNITS[groups["what"]]
    number = -factor * count(groups)
    if "fixed" in groups:
        today = calendar.away(reference.today, FIXED[groups["fixed"]], Unit.DAY)
        return calendar.moved(today, number, unit)
    weekday = weekday_number(groups["weekday"])
    if "last" in groups:
        return calendar.moved(calendar.weekday(reference.today, weekday, -1), number, unit)
    return calendar.weekday(calendar.away(reference.today, number, unit).first, weekday, 0)


def month_ago(groups: Groups, reference: ReferenceDay) -> Days:
    """“two years ago in October”."""
    return _month_or_season(groups["month"])(reference.today.year - count(groups))


def half_ago(groups: Groups, reference: ReferenceDay) -> Days:
    """“a year and a half ago”, “half a year ago”, “a month and a half ago”."""
    number = count(groups) if "count" in groups else 0
    if groups.get("what") == "month":
        return calendar.away(reference.today - timedelta(_HALF_A_MONTH), -number, Unit.MONTH).roughly()
    return calendar.away(reference.today, -(12 * number + 6), Unit.MONTH).roughly()


def stretch(groups: Groups, reference: ReferenceDay) -> Days:
    """“over the last three weeks”, “the past few days”, “the coming months”."""
    factor, unit = UNITS[groups["what"]]
    number = FEW[1] if groups.keys() & {"some", "many"} else count(groups)
    return calendar.stretch(reference.today, way(groups) * factor * number, unit)


def recently(groups: Groups, reference: ReferenceDay) -> Days:
    near, far = _RECENT.get(groups["recent"], _OTHER_DAY)
    return calendar.between(reference.today, -near, -far, Unit.DAY)


# counted from the date read before ------------------------------------------------------------------------------------


def later(groups: Groups, reference: ReferenceDay) -> Days:
    """“two weeks later”, “a month after that”, “the day before”; “two weeks from now”, and so where none was read."""
    if "marked" in groups or (reference.that is None and "which" not in groups):
        return hence(groups, reference)
    that, sign = _that(groups, reference), -1 if which(groups) is Which.LAST else 1
    if "some" in groups or groups["what"] not in UNITS:
        return _away(groups, replace(reference, today=that.first), sign)
    factor, unit = UNITS[groups["what"]]
    days = calendar.moved(that, sign * factor * count(groups), unit)
    return days.roughly() if "rough" in groups else days


def next_one(groups: Groups, reference: ReferenceDay) -> Days:
    """“the next day”, “the following spring”, “the year after”, “that same week”, “that summer”."""
    return _away(groups, replace(reference, today=_that(groups, reference).first), way(groups))


def _that(groups: Groups, reference: ReferenceDay) -> Days:
    that = reference.that
    if that is None or (groups.get("what") == "day" and that.unit is not Unit.DAY):
        raise ValueError("There is no date to count from.")
    return that


# this, the last, the next one -----------------------------------------------------------------------------------------


def that_unit(groups: Groups, reference: ReferenceDay) -> Days:
    """“last month”, “next week”; “this past month” ends today, “later this month” begins after it."""
    _, unit = UNITS[groups["what"]]
    if groups["which"] in ("past", "this past"):
        return calendar.stretch(reference.today, -1, unit)
    days = calendar.away(reference.today, way(groups), unit)
    tomorrow = reference.today + timedelta(1)
    if groups.get("when") == "later":
        return Days(min(tomorrow, days.after - timedelta(1)), days.after, unit, vague=True)
    return Days(days.first, min(tomorrow, days.after), unit, vague=True) if "when" in groups else days


def that_weekend(groups: Groups, reference: ReferenceDay) -> Days:
    """“last weekend”; “this weekend” and “the weekend” are over if told early in a week."""
    known = which(groups)
    if known:
        return calendar.weekend(reference.today, known)
    to_come = reference.ahead or reference.today.weekday() >= (_FRIDAY if known is None else _WEDNESDAY)
    return calendar.weekend(reference.today, 0 if to_come else -1)


def that_weekday(groups: Groups, reference: ReferenceDay) -> Days:
    """“last Friday” is the latest one, “next Friday” the coming one, “this Friday” that of the week."""
    number, known = weekday_number(groups["weekday"]), which(groups)
    if known is None:
        return calendar.weekday(reference.pivot, number, 1 if reference.ahead else -1)
    if "week" in groups:
        return calendar.weekday(calendar.away(reference.today, known, Unit.WEEK).first, number, 0)
    return calendar.weekday(reference.today, number, known)


def before_last(groups: Groups, reference: ReferenceDay) -> Days:
    """“the week before last”, “the Friday after next”, “the summer before last”."""
    return _away({**groups, "count": "two"}, reference, which(groups) or Which.NEXT)


# every year -----------------------------------------------------------------------------------------------------------


def in_year(groups: Groups, reference: ReferenceDay, yearly: Yearly) -> Days:
    """The days in the year that is named, else in the one that is meant."""
    if "year" in groups:
        return yearly(year_of(groups["year"], reference))
    if "years" in groups:
        return yearly(reference.today.year + way({"which": groups["years"]}))
    return calendar.nearest(yearly, reference.pivot, which(groups), ahead=reference.ahead)


def _month_or_season(name: str) -> Yearly:
    return calendar.season(name) if name in _SEASONS else calendar.month(MONTH_NUMBERS[name[:3]])


def named(groups: Groups, reference: ReferenceDay) -> Days:
    """“June”, “last summer”, “Easter 2024”."""
    name = groups.get("month") or groups.get("season")
    return in_year(groups, reference, _month_or_season(name) if name else named_holiday(groups["holiday"]))


def day(groups: Groups, reference: ReferenceDay) -> Days:
    """“3 May 2024”, “May 3rd”, “the 3rd of May last year”, “the first of June”."""
    number = _number_of_day(groups)
    return in_year(groups, reference, calendar.day_of_year(MONTH_NUMBERS[groups["month"][:3]], number))


def year(groups: Groups, reference: ReferenceDay) -> Days:
    return calendar.whole(date(year_of(groups["year"], reference), 1, 1), Unit.YEAR)


def year_of(written: str, reference: ReferenceDay) -> int:
    """“2024”; “’24” is the one of the last hundred years and the coming twenty."""
    number = _figure(written)
    if number >= _TWO_DIGITS:
        return number
    latest = reference.today.year + _COMING
    return latest - (latest - number) % _TWO_DIGITS


def birthday(groups: Groups, reference: ReferenceDay) -> Days:
    """“my birthday”, “my 30th birthday”, where the day is known."""
    born = reference.born
    if born is None:
        raise ValueError("Nobody knows the day.")
    yearly = calendar.day_of_year(born.month, born.day)
    if "age" not in groups:
        return in_year(groups, reference, yearly)
    if born.year is None:
        raise ValueError("Nobody knows the year.")
    return yearly(born.year + _figure(groups["age"]))


def decade(groups: Groups, reference: ReferenceDay) -> Days:
    """“the 1990s”, “the 90s”: the latest that have begun."""
    first = DECADES[groups["decade"]] if groups["decade"] in DECADES else _figure(groups["decade"])
    if first < _TWO_DIGITS:
        first += reference.today.year // 100 * 100 - (100 if first > reference.today.year % 100 else 0)
    return Days(date(first, 1, 1), date(first + 10, 1, 1), Unit.YEAR, vague=True)


# periods of a year ----------------------------------------------------------------------------------------------------


def share(groups: Groups, reference: ReferenceDay) -> Days:
    """“Q3 2024”, “H1”, “Q2 FY24”, “the third quarter of 2023”, “the first half of March”."""
    number, of = ORDINALS.get(groups["nth"]) or int(groups["nth"]), _SHARES[groups["share"]]
    whole = fiscal_year(groups, reference) if "fiscal" in groups else reference.other
    if whole:
        return calendar.share(whole, number, of)
    return in_year(
        groups, reference, lambda year: calendar.share(calendar.whole(date(year, 1, 1), Unit.YEAR), number, of)
    )


def that_quarter(groups: Groups, reference: ReferenceDay) -> Days:
    """“last quarter”, “this quarter”."""
    today = reference.today
    first = today.replace(day=1, month=today.month - (today.month - 1) % _MONTHS_OF_QUARTER)
    return calendar.moved(calendar.months(first, _MONTHS_OF_QUARTER), _MONTHS_OF_QUARTER * way(groups), Unit.MONTH)


def fiscal_year(groups: Groups, reference: ReferenceDay) -> Days:
    """“FY24”, “fiscal 2023/24”: named after the year in which it ends; “last fiscal year”."""
    begins = reference.conventions.fiscal_year_start
    current = reference.today.year + (reference.today.month >= begins > 1) + way(groups)
    year = year_of(groups["fiscal"], reference) if "fiscal" in groups else current
    first = date(year - (begins > 1), begins, 1)
    return Days(first, first.replace(year=first.year + 1), Unit.YEAR)


def week(groups: Groups, reference: ReferenceDay) -> Days:
    """“week 12”, “W12 2024”: the first week of a year has its first Thursday."""
    number = int(groups["number"])
    return in_year(groups, reference, lambda year: calendar.whole(date.fromisocalendar(year, number, 1), Unit.WEEK))


# in figures -----------------------------------------------------------------------------------------------------------


def figures(groups: Groups, reference: ReferenceDay) -> Days:
    """“24/12/2024”; which of two small numbers is the month the conventions say."""
    return calendar.whole(date(year_of(groups["year"], reference), *_month_and_day(groups, reference)), Unit.DAY)


def day_in_figures(groups: Groups, reference: ReferenceDay) -> Days:
    """“24/12”."""
    return in_year(groups, reference, calendar.day_of_year(*_month_and_day(groups, reference)))


def _month_and_day(groups: Groups, reference: ReferenceDay) -> tuple[int, int]:
    first, second = int(groups["one"]), int(groups["two"])
    month_first = first <= _DECEMBER if second > _DECEMBER else reference.conventions.month_first and first <= _DECEMBER
    return (first, second) if month_first else (second, first)


def year_first(groups: Groups, _reference: ReferenceDay) -> Days:
    """“2024-05-03”, “2024/05/03”, “2024.05.03”."""
    return calendar.whole(date(int(groups["year"]), int(groups["one"]), int(groups["two"])), Unit.DAY)


def month_in_figures(groups: Groups, _reference: ReferenceDay) -> Days:
    """“2024-05”, “05/2024”."""
    return calendar.whole(date(int(groups["year"]), int(groups["one"]), 1), Unit.MONTH)


def day_of_month(groups: Groups, reference: ReferenceDay) -> Days:
    """“on the 15th” is the last one, or the next; “the 15th of next month”; “Friday the 20th” the nearest Friday."""
    number, known = _number_of_day(groups), which(groups)
    if known is not None:
        month = calendar.away(reference.today, known, Unit.MONTH)
        return calendar.whole(month.first.replace(day=number), Unit.DAY)
    months = [calendar.away(reference.pivot, away, Unit.MONTH) for away in range(-12, 13)]
    days = [month.first.replace(day=number) for month in months if number <= (month.after - month.first).days]
    if "weekday" in groups:
        days = [day for day in days if day.weekday() == weekday_number(groups["weekday"])]
    else:
        days = [day for day in days if (day > reference.pivot) == reference.ahead]
    return calendar.whole(min(days, key=lambda day: abs(day - reference.pivot)), Unit.DAY)


# with another date in them --------------------------------------------------------------------------------------------


def part(groups: Groups, reference: ReferenceDay) -> Days:
    """“early June”, “the end of last year”."""
    named = next((_PARTS[word] for word in groups["part"].split() if word in _PARTS), "late")
    return calendar.part(_other(reference), named)


def nth(groups: Groups, reference: ReferenceDay) -> Days:
    """“the last week of September”, “the first Monday in May”."""
    what = groups["what"]
    goal = None if what == "weekend" else UNITS[what][1] if what in UNITS else weekday_number(what)
    return calendar.within(_other(reference), ORDINALS[groups["nth"]], goal)


def beside(groups: Groups, reference: ReferenceDay) -> Days:
    """“the Friday before 3 May”, “two weeks after Easter”."""
    anchor, side = _other(reference).first, which(groups) or Which.NEXT
    if groups["what"] == "weekend" and side is Which.NEXT and anchor.weekday() <= _FRIDAY:
        return calendar.weekend(anchor, 0)
    return _away(groups, replace(reference, today=anchor), side)


def around(groups: Groups, reference: ReferenceDay) -> Days:
    """“the week of 3 May”, “the weekend of 3 May”."""
    week = calendar.whole(_other(reference).first, Unit.WEEK)
    return calendar.weekend(week.first, 0) if groups["what"] == "weekend" else week
