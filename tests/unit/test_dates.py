"""Dates are resolved against when they were said: Wednesday 16 July 2025, 15:00 UTC."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.extract.offline.dates.calendar import Unit
from graphmem.extract.offline.dates.finder import (
    NO_CONTEXT,
    Bearing,
    DateContext,
    find_dates,
    ground_dates,
    impossible_days,
    looks_ahead,
    sentence_around,
)
from graphmem.extract.offline.dates.meanings import Birthday
from graphmem.model.dates import DateConventions

SAID = datetime(2025, 7, 16, 15, 0, tzinfo=UTC)
INSTANTS = st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30), timezones=st.just(UTC))  # noqa: DTZ001 - hypothesis adds the zone
DATES = (
    *("yesterday", "the week before last", "two weeks ago", "a few months ago", "in June", "last Friday"),
    *("since 2019", "until March", "from May to June", "this past weekend", "next year", "999 years ago", "early May"),
    *("the last week of February", "on Thanksgiving", "last winter", "in ten years", "the 90s", "on the 15th"),
    *("for three years now", "the weekend after Easter", "12/31/9999", "9999-12-31", "over the last twenty decades"),
)
NO_DATES = (
    *("I", "may", "march", "on", "in", "since", "until", "the", "for", "last", "next", "two", "few", "before", "after"),
    *("sat", "sun", "mar", "second", "of", "every", "always", "Anna", "lake", ".", ",", "'s", "-", "\n"),
)


def day(year: int, month: int = 1, number: int = 1) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "bearing", "expected"),
    [
        ("since 2019", Bearing.SINCE, day(2019)),
        ("Since March I live here", Bearing.SINCE, day(2025, 3)),
        ("since September", Bearing.SINCE, day(2024, 9)),
        ("since last year", Bearing.SINCE, day(2024)),
        ("since about 2015", Bearing.SINCE, day(2015)),
        ("for three years", Bearing.SINCE, day(2022)),
        ("for the past 6 months", Bearing.SINCE, day(2025, 1)),
        ("in 2010", Bearing.AT, day(2010)),
        ("in June", Bearing.AT, day(2025, 6)),
        ("in July", Bearing.AT, day(2025, 7)),
        ("in August", Bearing.AT, day(2024, 8)),
        ("in March 2021", Bearing.AT, day(2021, 3)),
        ("in May of 2021", Bearing.AT, day(2021, 5)),
        ("on 3 May", Bearing.AT, day(2025, 5, 3)),
        ("on the 3rd of May", Bearing.AT, day(2025, 5, 3)),
        ("on May 3rd, 2024", Bearing.AT, day(2024, 5, 3)),
        ("on 20 December", Bearing.AT, day(2024, 12, 20)),
        ("on 2024-02-29", Bearing.AT, day(2024, 2, 29)),
        ("3 May 2024", Bearing.AT, day(2024, 5, 3)),
        ("on Monday", Bearing.AT, day(2025, 7, 14)),
        ("on Wednesday", Bearing.AT, day(2025, 7, 9)),
        ("last Friday", Bearing.AT, day(2025, 7, 11)),
        ("last May", Bearing.AT, day(2025, 5)),
        ("on Sunday, 13 July", Bearing.AT, day(2025, 7, 13)),
        ("yesterday", Bearing.AT, day(2025, 7, 15)),
        ("last night", Bearing.AT, day(2025, 7, 15)),
        ("Today", Bearing.AT, day(2025, 7, 16)),
        ("this morning", Bearing.AT, day(2025, 7, 16)),
        ("last week", Bearing.AT, day(2025, 7, 7)),
        ("last weekend", Bearing.AT, day(2025, 7, 12)),
        ("last month", Bearing.AT, day(2025, 6)),
        ("this month", Bearing.AT, day(2025, 7)),
        ("last year", Bearing.AT, day(2024)),
        ("3 days ago", Bearing.AT, day(2025, 7, 13)),
        ("two weeks ago", Bearing.AT, day(2025, 6, 30)),
        ("a couple of months ago", Bearing.AT, day(2025, 5)),
        ("a year ago", Bearing.AT, day(2024)),
    ],
)
def test_a_date_is_the_start_of_its_unit(text: str, bearing: Bearing, expected: datetime) -> None:
    (dated,) = find_dates(text, SAID)
    assert (dated.bearing, dated.valid_from, dated.valid_to) == (bearing, expected, None)


@pytest.mark.parametrize(
    ("text", "ahead", "expected"),
    [
        ("until March", False, day(2025, 3)),
        ("until March", True, day(2026, 3)),
        ("till 2015", False, day(2015)),
        ("until Friday", True, day(2025, 7, 18)),
    ],
)
def test_until_is_the_start_of_the_unit_before_or_ahead(text: str, ahead: bool, expected: datetime) -> None:  # noqa: FBT001 - a table
    (dated,) = find_dates(text, SAID, ahead=ahead)
    assert (dated.bearing, dated.valid_from, dated.valid_to) == (Bearing.UNTIL, None, expected)


@pytest.mark.parametrize(
    ("text", "begin", "end"),
    [
        ("from 2010 to 2015", day(2010), day(2016)),
        ("from 2010 until 2015", day(2010), day(2015)),
        ("from January 2019 to March 2020", day(2019), day(2020, 4)),
        ("from March to May 2020", day(2020, 3), day(2020, 6)),
        ("between October and March", day(2024, 10), day(2025, 4)),
        ("2019 to 2021", day(2019), day(2022)),
        ("in 2019-2020", day(2019), day(2021)),
        ("from 2019/20", day(2019), day(2021)),
        ("2019–2021", day(2019), day(2022)),
        ("from Q3 2023 to Q1 2024", day(2023, 7), day(2024, 4)),
        ("from March 2020 to 2022", day(2020, 3), day(2023)),
        ("between June 2019 and 2021", day(2019, 6), day(2022)),
        ("May 2020-2022", day(2020, 5), day(2023)),
        ("May 2020–2022", day(2020, 5), day(2023)),
        ("from 3 May 2020 to 2022", day(2020, 5, 3), day(2023)),
        ("Q3 2019 to 2021", day(2019, 7), day(2022)),
        ("from the summer of 2019 to 2021", day(2019, 6), day(2022)),
        ("from early 2019 to 2021", day(2019), day(2022)),
        ("mid-2019 to late 2021", day(2019, 5), day(2022)),
        ("Q1-Q3 2024", day(2024), day(2024, 10)),
        ("2019 to March 2021", day(2019), day(2021, 4)),
        ("throughout 2022", day(2022), day(2023)),
        ("3–5 May", day(2025, 5, 3), day(2025, 5, 6)),
        ("from the 3rd to the 5th of May 2024", day(2024, 5, 3), day(2024, 5, 6)),
        ("between 3 and 5 May", day(2025, 5, 3), day(2025, 5, 6)),
        ("May 3-5, 2024", day(2024, 5, 3), day(2024, 5, 6)),
        ("May 3 - June 7, 2024", day(2024, 5, 3), day(2024, 6, 8)),
        ("May-June 2024", day(2024, 5), day(2024, 7)),
        ("28 December to 3 January", day(2024, 12, 28), day(2025, 1, 4)),
        ("We were there from Monday to Friday", day(2025, 7, 7), day(2025, 7, 12)),
        ("Monday through Wednesday", day(2025, 7, 14), day(2025, 7, 17)),
        ("from 3 May until yesterday", day(2025, 5, 3), day(2025, 7, 15)),
    ],
)
def test_a_span_has_both_ends(text: str, begin: datetime, end: datetime) -> None:
    (dated,) = find_dates(text, SAID)
    assert (dated.bearing, dated.valid_from, dated.valid_to) == (Bearing.SPAN, begin, end)


def test_a_dash_before_a_length_joins_no_span() -> None:
    assert [each.bearing for each in ground_dates("yesterday – for three years", SAID)] == [Bearing.AT, Bearing.SINCE]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I may march on",
        "next Friday",
        "in 2030",
        "on 30 February",
        "the day before yesterday's news",
        "every Monday",
        "on 29 February 2023",
        "by March",
        "before Christmas",
        "recently",
        "room 2019",
        "pages 2019-2021",
        "2019 to 2021 people",
        "version 1.2.2023",
        "v1.2.2023",
        "a week 12 hours long",
        "in week 12 of the course",
        "I drive a Q3",
        "in Q3 results",
        "March on",
        "May asked me",
        "two weeks after that",
        "the next day",
        "that summer",
        "the day before we left",
        "on my birthday",
        "next quarter",
        "from 2015 to 2010",
        "2,000 years ago",
    ],
)
def test_what_is_not_understood_or_lies_ahead_gives_nothing(text: str) -> None:
    assert find_dates(text, SAID) == ()


def test_today_is_the_day_of_the_moment_s_zone() -> None:
    (dated,) = find_dates("yesterday", datetime(2025, 7, 16, 1, 0, tzinfo=timezone(timedelta(hours=3))))
    assert dated.valid_from == datetime(2025, 7, 14, 21, tzinfo=UTC)


def test_a_date_says_where_it_stands_and_how_coarse_it_is() -> None:
    (dated,) = find_dates("So, since March 2020 it is.", SAID)
    assert (dated.start, dated.end, dated.unit) == (4, 20, Unit.MONTH)


def test_a_date_before_the_calendar_is_none() -> None:
    assert find_dates("999 years ago", datetime(900, 1, 1, tzinfo=UTC)) == ()


def days(text: str, *, ahead: bool = False) -> list[tuple[str, str]]:
    """The first and the last day of each date, as grounded on Wednesday 16 July 2025."""
    return [
        (f"{dated.days.start:%Y-%m-%d}", f"{dated.days.end - timedelta(1):%Y-%m-%d}")
        for dated in ground_dates(text, SAID, ahead=ahead)
    ]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        # Counted from today.
        ("We spoke yesterday", "2025-07-15", "2025-07-15"),
        ("the day before yesterday", "2025-07-14", "2025-07-14"),
        ("tomorrow morning", "2025-07-17", "2025-07-17"),
        ("I saw her yesterday's post", "2025-07-15", "2025-07-15"),
        ("two weeks ago", "2025-06-30", "2025-07-06"),
        ("around 3 years ago", "2022-01-01", "2022-12-31"),
        ("a couple months back", "2025-05-01", "2025-05-31"),
        ("a decade ago", "2015-01-01", "2015-12-31"),
        ("a year and a half ago", "2024-01-01", "2024-01-31"),
        ("half a year ago", "2025-01-01", "2025-01-31"),
        ("about a month and a half ago", "2025-06-01", "2025-06-30"),
        ("two weekends ago", "2025-07-05", "2025-07-06"),
        ("three Fridays ago", "2025-06-27", "2025-06-27"),
        ("a few days ago", "2025-07-11", "2025-07-14"),
        ("the other day", "2025-07-09", "2025-07-15"),
        ("over the last three weeks", "2025-06-25", "2025-07-16"),
        ("the past month", "2025-06-16", "2025-07-16"),
        ("two days from now", "2025-07-18", "2025-07-18"),
        ("in a month's time", "2025-08-01", "2025-08-31"),
        ("We'll leave in two weeks", "2025-07-28", "2025-08-03"),
        ("eighteen months ago", "2024-01-01", "2024-01-31"),
        ("twenty-five years ago", "2000-01-01", "2000-12-31"),
        ("half a dozen weeks ago", "2025-06-02", "2025-06-08"),
        ("a week ago today", "2025-07-09", "2025-07-09"),
        ("a month ago yesterday", "2025-06-15", "2025-06-15"),
        ("a week last Tuesday", "2025-07-08", "2025-07-08"),
        ("two weeks ago on Friday", "2025-07-04", "2025-07-04"),
        ("a year ago in October", "2024-10-01", "2024-10-31"),
        ("two summers ago", "2023-06-01", "2023-08-31"),
        ("the summer before last", "2023-06-01", "2023-08-31"),
        ("It's been two months since I quit", "2025-05-01", "2025-05-31"),
        ("the other week", "2025-06-18", "2025-07-09"),
        ("I'm working there since Monday", "2025-07-14", "2025-07-14"),
        # This, the last, the next one.
        ("last week", "2025-07-07", "2025-07-13"),
        ("the week before last", "2025-06-30", "2025-07-06"),
        ("the weekend before last", "2025-07-05", "2025-07-06"),
        ("this past weekend", "2025-07-12", "2025-07-13"),
        ("over the weekend", "2025-07-12", "2025-07-13"),
        ("next weekend", "2025-07-26", "2025-07-27"),
        ("this year", "2025-01-01", "2025-12-31"),
        ("next month", "2025-08-01", "2025-08-31"),
        ("earlier this week", "2025-07-14", "2025-07-16"),
        ("later this month", "2025-07-17", "2025-07-31"),
        ("last Tues.", "2025-07-15", "2025-07-15"),
        ("last Wednesday", "2025-07-09", "2025-07-09"),
        ("on friday night", "2025-07-11", "2025-07-11"),
        ("this Monday", "2025-07-14", "2025-07-14"),
        ("next Friday", "2025-07-18", "2025-07-18"),
        ("See you Friday!", "2025-07-18", "2025-07-18"),
        ("last week on Tuesday", "2025-07-08", "2025-07-08"),
        ("Monday of next week", "2025-07-21", "2025-07-21"),
        # Every year.
        ("in June", "2025-06-01", "2025-06-30"),
        ("last July", "2024-07-01", "2024-07-31"),
        ("in August", "2024-08-01", "2024-08-31"),
        ("I'm going in August", "2025-08-01", "2025-08-31"),
        ("in Sept last year", "2024-09-01", "2024-09-30"),
        ("since 2019", "2019-01-01", "2019-12-31"),
        ("until March", "2025-03-01", "2025-03-31"),
        ("for three years now", "2022-01-01", "2022-12-31"),
        ("last summer", "2024-06-01", "2024-08-31"),
        ("the winter of 2019", "2019-12-01", "2020-02-29"),
        ("in the 90s", "1990-01-01", "1999-12-31"),
        ("last Christmas", "2024-12-25", "2024-12-25"),
        ("on Thanksgiving", "2024-11-28", "2024-11-28"),
        ("at Easter 2024", "2024-03-31", "2024-03-31"),
        ("on Mother’s Day", "2025-05-11", "2025-05-11"),
        # In figures.
        ("on the 15th", "2025-07-15", "2025-07-15"),
        ("on the 20th", "2025-06-20", "2025-06-20"),
        ("We'll meet on the 20th", "2025-07-20", "2025-07-20"),
        ("splash pad friday the 20th 10am", "2025-06-20", "2025-06-20"),
        ("Thu, the 31st", "2025-07-31", "2025-07-31"),
        ("the 3rd of last month", "2025-06-03", "2025-06-03"),
        ("on Feb 29", "2024-02-29", "2024-02-29"),
        ("24/12/2024", "2024-12-24", "2024-12-24"),
        ("05/06/2024", "2024-06-05", "2024-06-05"),
        ("5.6.2024", "2024-06-05", "2024-06-05"),
        ("5/6/24", "2024-06-05", "2024-06-05"),
        ("2024/06/05", "2024-06-05", "2024-06-05"),
        ("12/24/2024", "2024-12-24", "2024-12-24"),
        # Periods of a year.
        ("in Q1", "2025-01-01", "2025-03-31"),
        ("Q3 2023", "2023-07-01", "2023-09-30"),
        ("the third quarter of 2023", "2023-07-01", "2023-09-30"),
        ("in the fourth quarter", "2024-10-01", "2024-12-31"),
        ("last quarter", "2025-04-01", "2025-06-30"),
        ("H1 2024", "2024-01-01", "2024-06-30"),
        ("the second half of last year", "2024-07-01", "2024-12-31"),
        ("the first half of March", "2025-03-01", "2025-03-15"),
        ("the last third of 2024", "2024-09-01", "2024-12-31"),
        ("FY24", "2024-01-01", "2024-12-31"),
        ("in fiscal 2023/24", "2024-01-01", "2024-12-31"),
        ("Q2 FY24", "2024-04-01", "2024-06-30"),
        ("last fiscal year", "2024-01-01", "2024-12-31"),
        ("in week 12", "2025-03-17", "2025-03-23"),
        ("in calendar week 12", "2025-03-17", "2025-03-23"),
        ("W12 2024", "2024-03-18", "2024-03-24"),
        ("2024-W12", "2024-03-18", "2024-03-24"),
        ("in '23", "2023-01-01", "2023-12-31"),
        ("in 2024-05", "2024-05-01", "2024-05-31"),
        ("in 05/2024", "2024-05-01", "2024-05-31"),
        ("01/2020 - 03/2021", "2020-01-01", "2021-03-31"),
        ("on the first of June", "2025-06-01", "2025-06-01"),
        ("on June the twenty-first", "2025-06-21", "2025-06-21"),
        # Holidays.
        ("on Good Friday", "2025-04-18", "2025-04-18"),
        ("at Pentecost 2024", "2024-05-19", "2024-05-19"),
        ("on New Year’s Eve", "2024-12-31", "2024-12-31"),
        ("on New Years Day", "2025-01-01", "2025-01-01"),
        ("on May Day", "2025-05-01", "2025-05-01"),
        ("on Black Friday", "2024-11-29", "2024-11-29"),
        ("on Halloween 2023", "2023-10-31", "2023-10-31"),
        ("on Valentine's Day", "2025-02-14", "2025-02-14"),
        # With another date in them.
        ("the beginning of last year", "2024-01-01", "2024-01-31"),
        ("mid-March 2024", "2024-03-11", "2024-03-20"),
        ("late summer 2024", "2024-08-01", "2024-08-31"),
        ("the early 90s", "1990-01-01", "1993-12-31"),
        ("the mid nineties", "1994-01-01", "1996-12-31"),
        ("the late 90s", "1997-01-01", "1999-12-31"),
        ("in the eighties", "1980-01-01", "1989-12-31"),
        ("early 2020", "2020-01-01", "2020-04-30"),
        ("mid-2020", "2020-05-01", "2020-08-31"),
        ("late last year", "2024-09-01", "2024-12-31"),
        ("late Q3 2024", "2024-09-01", "2024-09-30"),
        ("early last quarter", "2025-04-01", "2025-04-30"),
        ("the end of Q1 2025", "2025-03-01", "2025-03-31"),
        ("early last week", "2025-07-07", "2025-07-08"),
        ("the middle of last week", "2025-07-09", "2025-07-10"),
        ("late last week", "2025-07-11", "2025-07-13"),
        ("early June", "2025-06-01", "2025-06-10"),
        ("mid-June", "2025-06-11", "2025-06-20"),
        ("at the end of the month", "2025-07-21", "2025-07-31"),
        ("the last week of September", "2024-09-24", "2024-09-30"),
        ("the first Monday in May", "2025-05-05", "2025-05-05"),
        ("the second weekend of August 2024", "2024-08-10", "2024-08-11"),
        ("the week of 3 May", "2025-04-28", "2025-05-04"),
        ("the Sunday before 25 May 2023", "2023-05-21", "2023-05-21"),
        ("two weeks after Easter", "2025-04-28", "2025-05-04"),
        ("from Friday to Sunday", "2025-07-11", "2025-07-13"),
        ("We'll be away from Monday to Wednesday", "2025-07-21", "2025-07-23"),
    ],
)
def test_a_date_is_the_days_it_speaks_of(text: str, first: str, last: str) -> None:
    assert days(text) == [(first, last)]


@pytest.mark.parametrize(
    "text",
    [
        "I painted it in two days",
        "every Monday",
        "13/14/2024",
        "on the 5th floor",
        "in 2000 people",
        "3.5 years ago",
        "on 30 February",
        "I fall in love each spring",
        "Thanksgiving is my favourite holiday",
        "Sat in the Sun with May",
    ],
)
def test_what_is_no_day_gives_none(text: str) -> None:
    assert days(text) == []


ROUGHLY = {
    "a few days ago": day(2025, 7, 13),
    "around March 2024": day(2024, 3),
    "for a few years": day(2022, 7, 16),
    "late 2019": day(2019, 9),
    "at the end of 2019": day(2019, 12),
    "last summer": day(2024, 6),
    "the early nineties": day(1990),
    "on Easter Monday": day(2025, 4, 21),
}
GUESSED = ("by Friday", "before Easter", "last week's concert", "than last year", "recently")


def test_days_known_only_roughly_date_a_claim_and_those_that_are_guessed_do_not(subtests: pytest.Subtests) -> None:
    for text in (*ROUGHLY, *GUESSED):
        with subtests.test(text):
            (dated,) = ground_dates(text, SAID)
            assert dated.vague
            expected = [ROUGHLY[text]] if text in ROUGHLY else []
            assert [each.valid_from for each in find_dates(text, SAID)] == expected


CHAINS = {
    "I quit on 1 March 2025. Two weeks after that I moved.": "2025-03-15",
    "I quit on 1 March 2025. The day before, I slept.": "2025-02-28",
    "I quit on 1 March 2025 and moved a month later.": "2025-04-01",
    "I quit on 1 March 2025 and moved the next day.": "2025-03-02",
    "I quit on 1 March 2025. The following Monday I moved.": "2025-03-03",
    "I quit in 2019. That summer I moved.": "2019-06-01",
    "I quit on 1 March 2025. The Friday after that I moved.": "2025-03-07",
    "I quit on 1 March 2025. Two Fridays later I moved.": "2025-03-14",
    "I quit in June 2019 and moved the following spring.": "2020-03-01",
    "I quit in June 2019. Two months later I moved.": "2019-08-01",
    "I quit in June 2019. I moved in the same year.": "2019-01-01",
    "Last Monday I quit. Two days earlier I had moved.": "2025-07-12",
    "## 1 March 2025\nI quit.\nTwo weeks later I moved.": "2025-03-15",
    "2025-03-01: I quit yesterday.": "2025-02-28",
    "I quit on 1 March 2025. I slept. Ten days afterwards I moved.": "2025-03-11",
}


def test_a_date_is_counted_from_the_one_before(subtests: pytest.Subtests) -> None:
    for text, expected in CHAINS.items():
        with subtests.test(text):
            assert days(text)[-1][0] == expected


def test_the_end_of_a_period_is_its_last_moment_until_which_something_holds() -> None:
    for text, expected in {"until the end of the year": day(2026), "until the end of August": day(2025, 9)}.items():
        (dated,) = find_dates(text, SAID, ahead=True)
        assert (dated.bearing, dated.valid_to) == (Bearing.UNTIL, expected)


def test_what_begins_a_state_is_since(subtests: pytest.Subtests) -> None:
    for text in ("since May", "from May on", "from May onwards", "as of May", "starting in May", "ever since May"):
        with subtests.test(text):
            assert [(each.bearing, each.valid_from) for each in find_dates(text, SAID)] == [
                (Bearing.SINCE, day(2025, 5))
            ]


AMERICAN = DateContext(conventions=DateConventions(month_first=True, fiscal_year_start=10))


def test_conventions_say_which_number_is_the_month_and_when_fiscal_years_begin(subtests: pytest.Subtests) -> None:
    expected = {
        "05/06/2024": day(2024, 5, 6),
        "5.6.2024": day(2024, 5, 6),
        "24/12/2024": day(2024, 12, 24),
        "FY24": day(2023, 10),
        "Q2 FY24": day(2024, 1),
        "Q2 2024": day(2024, 4),
        "last fiscal year": day(2023, 10),
    }
    for text, begins in expected.items():
        with subtests.test(text):
            assert [each.valid_from for each in find_dates(text, SAID, context=AMERICAN)] == [begins]


BORN = Birthday(5, 3, 1990)


def test_a_birthday_is_a_date_where_it_is_known(subtests: pytest.Subtests) -> None:
    expected = {
        ("on my birthday", BORN): [day(2025, 5, 3)],
        ("on my 30th birthday", BORN): [day(2020, 5, 3)],
        ("on my 30th birthday", Birthday(5, 3)): [],
        ("on my birthday", None): [],
        ("my birthday", BORN): [],
    }
    for (text, born), begins in expected.items():
        with subtests.test(text, born=born):
            found = find_dates(text, SAID, context=DateContext(born=born))
            assert [each.valid_from for each in found] == begins


HEADED = {
    "## 3 March 2024\nI moved yesterday.\n\n## 7 March 2024\nI left today.": ["2024-03-02", "2024-03-07"],
    "2024-03-03:\nI moved yesterday.": ["2024-03-02"],
    "2024-03-03: I moved yesterday.": ["2024-03-02"],
    "**Monday 4 March**\n- moved yesterday": ["2025-03-03"],
    "[3 May 2024, 09:15]\nI moved yesterday.": ["2024-05-02"],
    "I left yesterday.\n3 May 2024\nI moved yesterday.": ["2025-07-15", "2024-05-02"],
    "Anna was here on\n3 May 2024, then she left.\nI moved yesterday.": ["2025-07-15"],
    "## 3 August 2025\nI moved yesterday.": ["2025-07-15"],
    "## Notes\nI moved yesterday.": ["2025-07-15"],
    "## March 2024\nI moved yesterday.": ["2025-07-15"],
}


def test_a_dated_heading_says_when_what_stands_under_it_was_said(subtests: pytest.Subtests) -> None:
    for text, expected in HEADED.items():
        with subtests.test(text):
            spoken = [
                each for each in ground_dates(text, SAID) if text[each.start : each.end] in ("yesterday", "today")
            ]
            assert [f"{each.days.start:%Y-%m-%d}" for each in spoken] == expected


IMPOSSIBLE = {
    "on 29 February 2023": ["29 February 2023"],
    "on 2023-02-29 and 31.4.2024": ["2023-02-29", "31.4.2024"],
    "since the 31st of June": ["the 31st of June"],
    "on 29 February": [],
    "on 29 February 2024": [],
}


def test_a_day_that_no_calendar_has_is_impossible(subtests: pytest.Subtests) -> None:
    for text, expected in IMPOSSIBLE.items():
        with subtests.test(text):
            assert [each.why for each in impossible_days(text, SAID)] == [f"{day} does not exist" for day in expected]


DAYS = st.dates(date(1900, 1, 1), date(2025, 7, 15))


@given(DAYS, DAYS)
def test_a_range_has_both_of_its_ends_in_it(one: date, other: date) -> None:
    first, last = sorted((one, other))
    for text in (f"{first:%d %B %Y} to {last:%d %B %Y}", f"from {first.year} to {last.year}"):
        found = find_dates(text, SAID)
        if first.year < last.year:
            assert [each.bearing for each in found] == [Bearing.SPAN]
            parts = [
                each for part in text.removeprefix("from ").split(" to ") for each in find_dates(f"in {part}", SAID)
            ]
            assert all(found[0].days.start <= each.days.start < each.days.end <= found[0].days.end for each in parts)
            assert found[0].valid_to == found[0].days.end


@given(DAYS)
def test_both_orders_of_figures_agree_where_the_day_can_be_no_month(said: date) -> None:
    for text in (f"{said:%d/%m/%Y}", f"{said:%m/%d/%Y}"):
        read = [ground_dates(text, SAID, context=context)[0].days for context in (NO_CONTEXT, AMERICAN)]
        assert (read[0] == read[1]) == (said.day > 12 or said.day == said.month)


def test_a_day_of_the_month_is_that_of_a_month_which_has_it() -> None:
    for said, ahead, expected in (
        ((2024, 10, 8), False, "2024-08-31"),
        ((2024, 3, 22), False, "2024-01-31"),
        ((2024, 4, 2), False, "2024-03-31"),
        ((2024, 2, 3), True, "2024-03-31"),
        ((2024, 1, 31), True, "2024-03-31"),
        ((2024, 1, 31), False, "2024-01-31"),
    ):
        (dated,) = ground_dates("on the 31st", datetime(*said, tzinfo=UTC), ahead=ahead)
        assert dated.days.start.date().isoformat() == expected, said
    assert ground_dates("on the 32nd", SAID) == ()


def test_talk_of_what_is_to_come_is_ahead() -> None:
    assert looks_ahead("We can't wait")
    assert not looks_ahead("We had a lovely time")
    assert days("in August", ahead=True) == [("2025-08-01", "2025-08-31")]
    for words, begins in (("in May", "2026-05-01"), ("in April", "2027-04-01"), ("on the 3rd of May", "2027-05-03")):
        (dated,) = ground_dates(words, datetime(2026, 5, 10, tzinfo=UTC), ahead=True)
        assert dated.days.start.date().isoformat() == begins, words


def test_each_sentence_looks_ahead_for_itself() -> None:
    assert days("We met in May. We'll meet again in May!") == [
        ("2025-05-01", "2025-05-31"),
        ("2026-05-01", "2026-05-31"),
    ]


def test_the_sentence_around_a_date_ends_at_its_stops() -> None:
    assert sentence_around("Hi! It was in June, I think. Bye", 11, 18) == " It was in June, I think."
    assert sentence_around("in June", 0, 7) == "in June"


@given(st.lists(st.sampled_from((*DATES, *NO_DATES)), max_size=12).map(" ".join), INSTANTS, st.booleans())
def test_days_are_whole_and_never_none(text: str, said_at: datetime, ahead: bool) -> None:  # noqa: FBT001 - drawn
    for dated in ground_dates(text, said_at, ahead=ahead):
        assert dated.days.start < dated.days.end
        assert all(f"{edge:%H:%M:%S.%f %z}" == "00:00:00.000000 +0000" for edge in (dated.days.start, dated.days.end))
        assert 0 <= dated.start < dated.end <= len(text)


@given(st.lists(st.sampled_from(NO_DATES), max_size=12).map(" ".join), INSTANTS)
def test_a_text_without_the_word_of_a_date_has_none(text: str, said_at: datetime) -> None:
    assert ground_dates(text, said_at) == ()


@given(st.sampled_from(DATES), INSTANTS)
def test_a_date_for_a_claim_is_one_of_those_grounded(text: str, said_at: datetime) -> None:
    grounded = {(dated.start, dated.end, dated.days) for dated in ground_dates(text, said_at)}
    assert {(dated.start, dated.end, dated.days) for dated in find_dates(text, said_at)} <= grounded
