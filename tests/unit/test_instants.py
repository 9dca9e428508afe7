"""How callers write instants: RFC 3339 with an offset, or a day, which is its first instant in UTC."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from graphmem.errors import InvalidInput
from graphmem.model.interval import day_text, instant_of, is_day, moment_of

MIDNIGHT = datetime(2025, 4, 1, tzinfo=UTC)
TOKYO = timezone(timedelta(hours=9))


@pytest.mark.parametrize(
    "written",
    ["2025-04-01", " 2025-04-01 ", date(2025, 4, 1), "2025-04-01T00:00:00Z", "2025-04-01t09:00+09:00", MIDNIGHT],
)
def test_a_day_is_its_first_instant(written: object) -> None:
    assert instant_of(written) == MIDNIGHT
    assert instant_of(written).tzinfo is UTC


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("2025-04-01T10:00:00", "Write 2025-04-01T10:00:00Z or add"),
        (datetime(2025, 4, 1), "has no UTC offset"),  # noqa: DTZ001 - naive on purpose
        ("2025-02-30", "no instant"),
        ("2025-04", "or a day, such as 2025-05-03"),
        ("1 April 2025", "or a day, such as 2025-05-03"),
        ("2025-04-01T10:00:00 02:00", "write the + of an offset as %2B"),
        ("-0405-01-01", "before the year 1"),
        ("0001-01-01", "is outside"),
        (1_743_465_600, "no instant"),
        (None, "no instant"),
    ],
)
def test_what_is_none_is_refused_with_what_to_write(written: object, told: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        instant_of(written)
    assert told in str(caught.value)


def test_what_is_said_is_said_at_a_time_and_keeps_its_offset() -> None:
    assert moment_of("2025-04-01T10:00:00+09:00", days=False).isoformat() == "2025-04-01T10:00:00+09:00"
    assert moment_of("2025-04-01", days=True) == MIDNIGHT
    with pytest.raises(InvalidInput, match="this is a day"):
        moment_of("2025-04-01", days=False)


def test_a_day_is_told_from_a_time() -> None:
    assert [is_day(one) for one in ("2025-04-01", date(2025, 4, 1), MIDNIGHT, "2025-04", None)] == [
        *(True, True),
        *(False, False, False),
    ]


def test_people_read_days_and_times_where_they_matter() -> None:
    assert day_text(MIDNIGHT, "") == "2025-04-01"
    assert day_text(datetime(2025, 4, 1, 10, 5, tzinfo=TOKYO), "") == "2025-04-01 10:05"
    assert day_text(None, "…") == "…"
