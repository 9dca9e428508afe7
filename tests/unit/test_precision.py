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
        ("between Q3 2019 and 2022", day(2019, 7), 92),
        ("from late 2019 to 2022", day(2019, 9), 122),
        ("since late 2019", day(2019, 9), 122),
        ("since mid-March 2024", day(2024, 3, 11), 10),
        ("since Q2 2024", day(2024, 4), 91),
        ("since week 12", day(2025, 3, 17), 7),
        ("since Easter Monday", day(2025, 4, 21), 1),
        ("for three years now", day(2022), 365),
        ("since a few days ago", day(2025, 5, 11), 4),
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


def test_a_chain_and_a_heading_say_days_too() -> None:
    text = "I quit on 1 March 2025. Two weeks after that I moved to Oslo."
    assert precision(text, day(2025, 3, 15), quote=(24, 60)) == 1
    text = "I quit in March 2025. A month after that I moved to Oslo."
    assert precision(text, day(2025, 4), quote=(22, 56)) == 30
    text = "## 3 March 2025\nI moved to Oslo yesterday."
    assert precision(text, day(2025, 3, 2), quote=(16, 42)) == 1
