from datetime import UTC, datetime, timedelta, timezone

import pytest

from graphmem.errors import InvalidInput
from graphmem.model.interval import BEGIN, END, Interval, as_instant, shown


def at(hour: int) -> datetime:
    return datetime(2025, 1, 1, hour, tzinfo=UTC)


def test_an_interval_holds_its_start_and_not_its_end() -> None:
    interval = Interval(at(1), at(3))

    assert [interval.contains(at(hour)) for hour in (0, 1, 2, 3)] == [False, True, True, False]


@pytest.mark.parametrize(("start", "end"), [(3, 3), (3, 1)])
def test_an_interval_is_never_empty(start: int, end: int) -> None:
    with pytest.raises(InvalidInput):
        Interval(at(start), at(end))


@pytest.mark.parametrize(
    ("other", "overlaps", "meets"),
    [
        ((0, 1), False, False),
        ((0, 2), False, True),
        ((0, 3), True, True),
        ((4, 6), False, True),
        ((5, 6), False, False),
    ],
)
def test_touching_intervals_meet_and_do_not_overlap(other: tuple[int, int], overlaps: bool, meets: bool) -> None:  # noqa: FBT001
    interval, second = Interval(at(2), at(4)), Interval(at(other[0]), at(other[1]))

    assert (interval.overlaps(second), interval.meets(second)) == (overlaps, meets)


def test_an_instant_becomes_utc() -> None:
    assert as_instant(datetime(2025, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))) == at(0)


@pytest.mark.parametrize(
    "value",
    [
        datetime(2025, 1, 1),  # noqa: DTZ001 - naive on purpose
        BEGIN,
        END,
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5))),
        datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-5))),
    ],
)
def test_naive_and_sentinel_instants_are_refused(value: datetime) -> None:
    with pytest.raises(InvalidInput):
        as_instant(value)


def test_callers_see_sentinels_as_none() -> None:
    assert (shown(BEGIN), shown(END), shown(at(1))) == (None, None, at(1))
