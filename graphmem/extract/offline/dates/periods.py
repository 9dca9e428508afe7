"""Periods of a year: “Q3”, “the first half of 2024”, “FY24”, “week 12”.

As in `meanings`, each function takes what the named groups of its rule matched, and answers days.
"""

from datetime import date, timedelta

from graphmem.extract.offline.dates import calendar
from graphmem.extract.offline.dates.calendar import Days, Unit, Which, Yearly
from graphmem.extract.offline.dates.meanings import ORDINALS, Groups, ReferenceDay, in_year, which, year_of

SHARES = {"half": 2, "third": 3, "quarter": 4}
_MONTHS_OF_QUARTER = 3
_WAYS = {Which.LAST: -1, Which.THIS: 0, Which.NEXT: 1}


def share_of_year(groups: Groups, reference: ReferenceDay) -> Days:
    """“Q3 2024”, “H1”, “Q2 FY24”."""
    number, of = int(groups["number"]), SHARES["half" if groups["share"] == "h" else "quarter"]
    if "fiscal" in groups:
        return calendar.share(fiscal_year(groups, reference), number, of)
    return in_year(groups, reference, _share(number, of))


def share(groups: Groups, reference: ReferenceDay) -> Days:
    """“the third quarter of 2023”, “the first half of March”; without what it is a part of: of the year."""
    number, of = ORDINALS[groups["nth"]], SHARES[groups["what"]]
    if "fiscal" in groups:
        return calendar.share(fiscal_year(groups, reference), number, of)
    return (
        calendar.share(reference.other, number, of)
        if reference.other
        else in_year(groups, reference, _share(number, of))
    )


def _share(number: int, of: int) -> Yearly:
    return lambda year: calendar.share(calendar.whole(date(year, 1, 1), Unit.YEAR), number, of)


def that_quarter(groups: Groups, reference: ReferenceDay) -> Days:
    """“last quarter”, “this quarter”."""
    today = reference.today
    first = today.replace(day=1, month=today.month - (today.month - 1) % _MONTHS_OF_QUARTER)
    quarter = calendar.months(first, _MONTHS_OF_QUARTER)
    return calendar.moved(quarter, _MONTHS_OF_QUARTER * _WAYS[which(groups) or Which.THIS], Unit.MONTH)


def fiscal_year(groups: Groups, reference: ReferenceDay) -> Days:
    """“FY24”, “fiscal 2023/24”: named after the year in which it ends; “last fiscal year”."""
    begins = reference.conventions.fiscal_year_start
    if "fiscal" in groups:
        return _fiscal(year_of(groups["fiscal"], reference), begins)
    current = reference.today.year + (reference.today.month >= begins > 1)
    return _fiscal(current + _WAYS[which(groups) or Which.THIS], begins)


def _fiscal(year: int, begins: int) -> Days:
    first = date(year - (begins > 1), begins, 1)
    return Days(first, first.replace(year=first.year + 1), Unit.YEAR)


def week(groups: Groups, reference: ReferenceDay) -> Days:
    """“week 12”, “W12 2024”: the first week of a year has its first Thursday."""
    number = int(groups["number"])
    return in_year(groups, reference, lambda year: _week(year, number))


def _week(year: int, number: int) -> Days:
    first = date.fromisocalendar(year, number, 1)
    return Days(first, first + timedelta(7), Unit.WEEK)
