"""How precise a stated start is follows from the words that state it."""

from datetime import UTC, datetime

import pytest

from graphmem.extract.offline.dates.finder import NO_CONTEXT
from graphmem.extract.offline.dates.precision import with_precision
from graphmem.model.claim import ClaimKind
from graphmem.model.episode import Episode
from graphmem.model.fragment import ProposedClaim, ThingName

SAID = datetime(2025, 5, 14, 10, tzinfo=UTC)
MAYA = ThingName("Maya", "person")


def claim(since: datetime | None, quote: tuple[int, int] = (0, 10)) -> ProposedClaim:
    return ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=MAYA,
        predicate="lives_in",
        value="Oslo",
        statement="Maya lives in Oslo.",
        quote_start=quote[0],
        quote_end=quote[1],
        valid_from=since,
        confidence=0.9,
    )


def day(year: int, month: int = 1, number: int = 1) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


def precision(text: str, since: datetime | None, *, zone: str = "UTC", quote: tuple[int, int] = (0, 10)) -> int:
    episode = Episode(group_id="g", session="s", content=text, occurred_at=SAID, time_zone=zone)
    (precise,) = with_precision([claim(since, quote)], episode, NO_CONTEXT)
    return precise.from_precision


@pytest.mark.parametrize(
    ("words", "since", "days"),
    [
        ("since 2024", day(2024), 366),
        ("since 2023", day(2023), 365),
        ("since March 2024", day(2024, 3), 31),
        ("since last week", day(2025, 5, 5), 7),
        ("since yesterday", day(2025, 5, 13), 1),
        ("since 2024-03-05", day(2024, 3, 5), 1),
        ("from March 2020 to 2022", day(2020, 3), 31),
        ("from 2019 to 2022", day(2019), 365),
        ("since 2024", day(2024, 3), 0),
        ("by now", None, 0),
    ],
)
def test_it_is_the_days_that_the_words_speak_of(words: str, since: datetime | None, days: int) -> None:
    assert precision(f"I have lived in Oslo {words}.", since) == days


def test_days_are_those_of_the_zone() -> None:
    text = "I lived in Oslo from March 2020 to 2022."
    assert precision(text, datetime(2020, 2, 29, 11, tzinfo=UTC), zone="+13:00") == 31


def test_of_two_dates_that_begin_at_once_the_nearer_one_counts() -> None:
    text = "I joined Acme in 2024. I moved to Oslo in January 2024."
    assert precision(text, day(2024), quote=(0, 22)) == 366
    assert precision(text, day(2024), quote=(23, 54)) == 31
