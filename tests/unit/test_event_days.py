"""How the days of an event are written, and read again."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.model.dates import from_instant, instants_of, written_days, zone

LISBON = zone("Europe/Lisbon")


@pytest.mark.parametrize(
    ("first", "after", "written"),
    [
        ((2025, 5, 1), (2025, 5, 2), "2025-05-01"),
        ((2025, 5, 1), (2025, 6, 1), "2025-05"),
        ((2024, 2, 1), (2024, 3, 1), "2024-02"),
        ((2025, 12, 1), (2026, 1, 1), "2025-12"),
        ((2025, 1, 1), (2026, 1, 1), "2025"),
        ((2025, 5, 3), (2025, 5, 5), "2025-05-03/2025-05-04"),
        ((2025, 5, 1), (2025, 7, 1), "2025-05-01/2025-06-30"),
    ],
)
def test_days_are_written_as_well_as_they_are_known(
    first: tuple[int, int, int], after: tuple[int, int, int], written: str
) -> None:
    begin, end = (datetime(*day, tzinfo=LISBON) for day in (first, after))
    assert written_days(begin, end) == written
    assert instants_of(written, LISBON) == (begin.astimezone(UTC), end.astimezone(UTC))


def test_an_instant_is_of_the_day_in_its_zone() -> None:
    instant = datetime(2025, 5, 2, 23, 30, tzinfo=UTC)
    assert from_instant(instant, None, UTC) == ("2025-05-02", datetime(2025, 5, 3, tzinfo=UTC))
    assert from_instant(instant, None, LISBON) == ("2025-05-03", datetime(2025, 5, 3, 23, tzinfo=UTC))
    until = instant + timedelta(days=2)
    assert from_instant(instant, until, UTC) == ("2025-05-02/2025-05-04", until)


@pytest.mark.parametrize(
    "written",
    ["", "May", "2025-5", "2025-13", "2025-02-30", "20250503", "2025-05-03/", "/2025", "2025/2024", "1/2/3", "0001"],
)
def test_what_is_no_day_is_refused_and_says_what_is(written: str) -> None:
    with pytest.raises(InvalidInput):
        instants_of(written, UTC)


@given(st.dates(date(2, 1, 1), date(9998, 1, 1)), st.integers(1, 800), st.sampled_from(["UTC", "Asia/Tokyo", "-08:00"]))
def test_days_are_read_as_they_were_written(first: date, length: int, name: str) -> None:
    where = zone(name)
    begin, end = (datetime.combine(day, time(), where) for day in (first, first + timedelta(days=length)))
    read = instants_of(written_days(begin, end), where)
    assert read == (begin.astimezone(UTC), end.astimezone(UTC))
