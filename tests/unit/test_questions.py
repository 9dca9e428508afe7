"""A question as it is searched for: its words, whom it names, and the days that it speaks of."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.interval import Interval
from graphmem.retrieve.question import NamedDays, as_said_by, named, nearness, question

JUNE = Interval(datetime(2023, 6, 1, tzinfo=UTC), datetime(2023, 7, 1, tzinfo=UTC))
INSTANTS = st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@pytest.mark.parametrize(
    ("text", "words", "asks_when"),
    [
        ("When did Maya move to Porto?", ("maya", "move", "to", "porto"), True),
        ("Where does Maya's sister live?", ("maya", "sister", "live"), False),
        ("Porto, Porto!", ("porto",), False),
        ("What did who do?", ("what", "did", "who", "do"), False),
        ("?!", (), False),
    ],
)
def test_words_that_only_ask_are_left_out_unless_there_are_no_others(
    text: str, words: tuple[str, ...], *, asks_when: bool
) -> None:
    asked = question(text)
    assert (asked.words, asked.asks_when) == (words, asks_when)


@pytest.mark.parametrize(
    ("text", "speakers", "found"),
    [
        ("What did Ana give Tom?", {"Tom Berg", "Ana", "Ines"}, ("Ana", "Tom Berg")),
        ("What did Tom Berg sell?", {"Tom Berg"}, ("Tom Berg",)),
        ("where does ana live?", {"Ana"}, ("Ana",)),
        ("Will it rain?", {"will"}, ()),
        ("Is it will power?", {"Will"}, ()),
        ("Who knows Anatol?", {"Ana"}, ()),
        ("Who?", {" ", "(.*"}, ()),
    ],
)
def test_speakers_are_named_as_they_are_written(text: str, speakers: set[str], found: tuple[str, ...]) -> None:
    assert named(text, speakers) == found


@pytest.mark.parametrize(
    ("text", "speaker", "said"),
    [
        (
            "Where does Ana's sister live, and when did Ana move?",
            "Ana",
            "Where does my sister live, and when did I move?",
        ),
        ("What did Tom Berg’s boss say to Tom?", "Tom Berg", "What did my boss say to Tom?"),
        ("What does Tom do?", "Tom Berg", "What does I do?"),
        ("what does ana's cat eat?", "Ana", "what does my cat eat?"),
        ("What does Anatol eat?", "Ana", "What does Anatol eat?"),
    ],
)
def test_who_is_named_says_it_in_the_first_person(text: str, speaker: str, said: str) -> None:
    assert as_said_by(text, speaker) == said


@given(INSTANTS)
def test_nearness_is_between_0_and_1_and_full_about_the_days(at: datetime) -> None:
    near = nearness(at, [NamedDays(JUNE, of_any_year=False)])
    about = JUNE.start - timedelta(days=3) <= at <= JUNE.end + timedelta(days=14)
    assert 0 <= near <= 1
    assert (near == 1) is about


@given(INSTANTS)
def test_days_of_any_year_are_as_near_as_those_of_the_nearest_year(at: datetime) -> None:
    years = [Interval(JUNE.start.replace(year=year), JUNE.end.replace(year=year)) for year in range(1898, 2103)]
    assert nearness(at, [NamedDays(JUNE, of_any_year=True)]) == max(
        nearness(at, [NamedDays(each, of_any_year=False)])
        for each in sorted(years, key=lambda each: abs(each.start - at))[:1]
    )


def test_no_day_is_near_without_any_and_29_february_is_in_every_year() -> None:
    leap = Interval(datetime(2024, 2, 29, tzinfo=UTC), datetime(2024, 3, 1, tzinfo=UTC))
    assert nearness(JUNE.start, []) == 0
    assert nearness(datetime(2023, 2, 28, tzinfo=UTC), [NamedDays(leap, of_any_year=True)]) == 1
