"""What English words for days mean, said on some day: “two weeks ago”, “last Friday”, “in June”, “the week of 3 May”.

Each function takes what the named groups of its rule matched, and answers days. What is no date after all, or a day
that no calendar has, is a ValueError.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
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
_WAYS = {Which.LAST: -1, Which.THIS: 0, Which.NEXT: 1}
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
    if written is None:
        return None
    last = written in ("last", "previous", "past", "this past", "this last")
    return Which.LAST if last else Which.THIS if written == "this" else Which.NEXT


def month_number(text: str) -> int:
    return MONTH_NUMBERS[text[:3]]


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


def _away(groups: Groups, reference: ReferenceDay, way: int) -> Days:
    what = groups["what"]
    if what == "weekend":
        return calendar.weekend(reference.today, way * count(groups))
    if what not in UNITS:
        return calendar.weekday(reference.today, weekday_number(what), way * count(groups))
    factor, unit = UNITS[what]
    if "some" in groups:
        near, far = FEW
        return calendar.between(reference.today, way * factor * near, way * factor * far, unit)
    days = calendar.away(reference.today, way * factor * count(groups), unit)
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
    week = calendar.away(reference.today, number, unit)
    return calendar.whole(week.first + timedelta(weekday), Unit.DAY)


def yearly_ago(groups: Groups, reference: ReferenceDay) -> Days:
    """“two summers ago”, “the summer before last”: counted from the last one that is over."""
    season, number = groups["season"], count(groups) if "count" in groups else 2
    last = calendar.nearest(calendar.season(season), reference.today, Which.LAST, ahead=False)
    return calendar.season(season)(last.first.year - number + 1)


def month_ago(groups: Groups, reference: ReferenceDay) -> Days:
    """“two years ago in October”."""
    return calendar.month(month_number(groups["month"]))(reference.today.year - count(groups))


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
    way = 1 if groups["way"] in ("next", "coming") else -1
    return calendar.stretch(reference.today, way * factor * number, unit)


def recently(groups: Groups, reference: ReferenceDay) -> Days:
    near, far = _RECENT.get(groups["recent"], _OTHER_DAY)
    return calendar.between(reference.today, -near, -far, Unit.DAY)


# this, the last, the next one -----------------------------------------------------------------------------------------


def that_unit(groups: Groups, reference: ReferenceDay) -> Days:
    """“last month”, “next week”; “this past month” ends today, “later this month” begins after it."""
    _, unit = UNITS[groups["what"]]
    if groups["which"] in ("past", "this past"):
        return calendar.stretch(reference.today, -1, unit)
    days = calendar.away(reference.today, _WAYS[which(groups) or Which.THIS], unit)
    tomorrow = reference.today + timedelta(1)
    if groups.get("when") == "later":
        return Days(min(tomorrow, days.after - timedelta(1)), days.after, unit, vague=True)
    return Days(days.first, min(tomorrow, days.after), unit, vague=True) if "when" in groups else days


def this_time(groups: Groups, reference: ReferenceDay) -> Days:
    """“this time last year”: around the same day of it."""
    today = calendar.whole(reference.today, Unit.DAY)
    return calendar.moved(today, _WAYS[Which(groups["which"])], UNITS[groups["what"]][1]).roughly()


def that_weekend(groups: Groups, reference: ReferenceDay) -> Days:
    """“last weekend”; “this weekend” and “the weekend” are over if told early in a week."""
    known = which(groups)
    if known is Which.LAST or known is Which.NEXT:
        return calendar.weekend(reference.today, _WAYS[known])
    to_come = reference.ahead or reference.today.weekday() >= (_WEDNESDAY if known else _FRIDAY)
    return calendar.weekend(reference.today, 0 if to_come else -1)


def that_weekday(groups: Groups, reference: ReferenceDay) -> Days:
    """“last Friday” is the latest one, “next Friday” the coming one, “this Friday” that of the week."""
    number, known = weekday_number(groups["weekday"]), which(groups)
    if known is None:
        return calendar.weekday(reference.pivot, number, 1 if reference.ahead else -1)
    if known is Which.THIS or "week" in groups:
        week = calendar.away(reference.today, _WAYS[known], Unit.WEEK)
        return calendar.whole(week.first + timedelta(number), Unit.DAY)
    return calendar.weekday(reference.today, number, _WAYS[known])


def before_last(groups: Groups, reference: ReferenceDay) -> Days:
    """“the week before last”, “the Friday after next”."""
    return _away({"what": groups["what"], "count": "two"}, reference, -1 if groups["side"] == "before last" else 1)


# every year -----------------------------------------------------------------------------------------------------------


def in_year(groups: Groups, reference: ReferenceDay, yearly: Yearly) -> Days:
    """The days in the year that is named, else in the one that is meant."""
    if "year" in groups:
        return yearly(year_of(groups["year"], reference))
    if "years" in groups:
        return yearly(reference.today.year + _WAYS[Which(groups["years"])])
    return calendar.nearest(yearly, reference.pivot, which(groups), ahead=reference.ahead)


def day(groups: Groups, reference: ReferenceDay) -> Days:
    """“3 May 2024”, “May 3rd”, “the 3rd of May last year”, “the first of June”."""
    number = _number_of_day(groups)
    return in_year(groups, reference, calendar.day_of_year(month_number(groups["month"]), number))


def month(groups: Groups, reference: ReferenceDay) -> Days:
    return in_year(groups, reference, calendar.month(month_number(groups["month"])))


def season(groups: Groups, reference: ReferenceDay) -> Days:
    return in_year(groups, reference, calendar.season(groups["season"]))


def holiday(groups: Groups, reference: ReferenceDay) -> Days:
    return in_year(groups, reference, named_holiday(groups["holiday"]))


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
    first = DECADES[groups["decade"]] if groups["decade"] in DECADES else int(groups["decade"])
    if first < _TWO_DIGITS:
        first += reference.today.year // 100 * 100 - (100 if first > reference.today.year % 100 else 0)
    return Days(date(first, 1, 1), date(first + 10, 1, 1), Unit.YEAR, vague=True)


# in figures -----------------------------------------------------------------------------------------------------------


def iso(groups: Groups, _reference: ReferenceDay) -> Days:
    return calendar.whole(date.fromisoformat(groups["iso"]), Unit.DAY)


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
    """“2024/05/03”, “2024.05.03”."""
    return calendar.whole(date(int(groups["year"]), int(groups["one"]), int(groups["two"])), Unit.DAY)


def month_in_figures(groups: Groups, _reference: ReferenceDay) -> Days:
    """“2024-05”, “05/2024”."""
    return calendar.whole(date(int(groups["year"]), int(groups["one"]), 1), Unit.MONTH)


def day_of_month(groups: Groups, reference: ReferenceDay) -> Days:
    """“on the 15th” is the last one, or the next; “the 15th of next month”."""
    number, known = _number_of_day(groups), which(groups)
    if known is not None:
        return calendar.whole(
            calendar.away(reference.today, _WAYS[known], Unit.MONTH).first.replace(day=number), Unit.DAY
        )
    step = 1 if reference.ahead else -1
    months = (calendar.away(reference.pivot, step * away, Unit.MONTH) for away in range(3))
    long_enough = [month.first for month in months if number <= (month.after - month.first).days]
    if not long_enough:
        raise ValueError(f"no month has a day {number}")
    days = (calendar.whole(first.replace(day=number), Unit.DAY) for first in long_enough)
    return next(day for day in days if (day.first > reference.pivot) == reference.ahead)


def weekday_and_day(groups: Groups, reference: ReferenceDay) -> Days:
    """“Friday the 20th”: the nearest day of that number that is a Friday."""
    number, weekday = _number_of_day(groups), weekday_number(groups["weekday"])
    months = (calendar.away(reference.today, away, Unit.MONTH) for away in range(-12, 13))
    days = [month.first.replace(day=number) for month in months if number <= (month.after - month.first).days]
    near = [day for day in days if day.weekday() == weekday]
    if not near:
        raise ValueError(f"no such weekday is the day {number} of a month within a year")
    return calendar.whole(min(near, key=lambda day: abs(day - reference.pivot)), Unit.DAY)


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
    anchor, before = _other(reference).first, groups["side"] == "before"
    if groups["what"] == "weekend":
        return calendar.weekend(anchor, -1 if before else 0 if anchor.weekday() <= _FRIDAY else 1)
    return _away(groups, ReferenceDay(anchor), -1 if before else 1)


def around(groups: Groups, reference: ReferenceDay) -> Days:
    """“the week of 3 May”, “the weekend of 3 May”."""
    week = calendar.whole(_other(reference).first, Unit.WEEK)
    return calendar.weekend(week.first, 0) if groups["what"] == "weekend" else week
