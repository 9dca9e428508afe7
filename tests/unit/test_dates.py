"""Dates are resolved against when they were said: Wednesday 16 July 2025, 15:00 UTC."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from graphmem.extract.dates import Bearing, Unit, find_dates

SAID = datetime(2025, 7, 16, 15, 0, tzinfo=UTC)


def day(year: int, month: int = 1, number: int = 1) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "bearing", "expected"),
    [
        ("since 2019", Bearing.SINCE, day(2019)),
        ("Since March I live here", Bearing.SINCE, day(2025, 3)),
        ("since September", Bearing.SINCE, day(2024, 9)),
        ("since last year", Bearing.SINCE, day(2024)),
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
        ("from 2010 to 2015", day(2010), day(2015)),
        ("from January 2019 to March 2020", day(2019), day(2020, 3)),
        ("from March to May 2020", day(2020, 3), day(2020, 5)),
        ("between October and March", day(2024, 10), day(2025, 3)),
        ("from 3 May until yesterday", day(2025, 5, 3), day(2025, 7, 15)),
    ],
)
def test_a_span_has_both_ends(text: str, begin: datetime, end: datetime) -> None:
    (dated,) = find_dates(text, SAID)
    assert (dated.bearing, dated.valid_from, dated.valid_to) == (Bearing.SPAN, begin, end)


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
        "in late 2019",
        "by March",
        "a few weeks ago",
        "room 2019",
        "in 2019-2020",
        "from 2015 to 2010",
        "2,000 years ago",
    ],
)
def test_what_is_not_understood_or_lies_ahead_gives_nothing(text: str) -> None:
    assert find_dates(text, SAID) == ()


def test_today_is_the_utc_day() -> None:
    (dated,) = find_dates("yesterday", datetime(2025, 7, 16, 1, 0, tzinfo=timezone(timedelta(hours=3))))
    assert dated.valid_from == day(2025, 7, 14)


def test_a_date_says_where_it_stands_and_how_coarse_it_is() -> None:
    (dated,) = find_dates("So, since March 2020 it is.", SAID)
    assert (dated.start, dated.end, dated.unit) == (4, 20, Unit.MONTH)


def test_a_date_before_the_calendar_is_none() -> None:
    assert find_dates("999 years ago", datetime(900, 1, 1, tzinfo=UTC)) == ()
