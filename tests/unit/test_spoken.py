"""Greetings, interjections and calls are cut before the parser sees them; every word keeps its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.extract.offline.spoken import Word, spoken


def words_of(text: str) -> list[Word]:
    """The words and marks of a text in which blanks stand between all of them."""
    found: list[Word] = []
    at = 0
    for part in text.split(" "):
        found.append(Word(part, at, at + len(part)))
        at += len(part) + 1
    return [word for word in found if word.text]


def kept(text: str, *names: str) -> str:
    return " ".join(word.text for word in spoken(words_of(text), names).words)


def called(text: str, *names: str) -> list[str]:
    return [text[start:end] for start, end in spoken(words_of(text), names).calls]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Hey Mel ! Good to see you .", "Good to see you ."),
        ("Wow , Audrey ! I went to Rome .", "I went to Rome ."),
        ("Thanks , Audrey , I love it .", "I love it ."),
        ("So I left .", "I left ."),
        ("Oh no , by the way , we moved .", "we moved ."),
        ("I moved to Rome , Audrey !", "I moved to Rome !"),
        ("Great !", ""),
        ("I love the thought Audrey !", "I love the thought !"),
        ("It was so fun ! we met Tom .", "It was so fun ! we met Tom ."),
    ],
)
def test_what_only_greets_calls_or_exclaims_is_cut(text: str, left: str) -> None:
    assert kept(text, "Melanie", "Audrey") == left


@pytest.mark.parametrize(
    "text",
    [
        "And Then There Were None is a novel .",
        "Great friends live in Rome .",
        "Well done is well done .",
        "My brother , Tom .",
        "I went there with Audrey .",
        "My sister is called Audrey .",
        "Rome , Paris and Oslo are cities .",
    ],
)
def test_what_belongs_to_a_sentence_stays(text: str) -> None:
    assert kept(text, "Audrey") == text


def test_who_is_called_is_told_with_the_place() -> None:
    assert called("Hi Anna Berg ! How are you , Mel ?", "Melanie") == ["Anna Berg", "Mel"]
    assert called("Oh , Rome ! I love Rome .") == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("I am gon na go", "I am going to go"),
        ("do nt ask", "do n't ask"),
        ("I saw 'em coz u left", "I saw them because you left"),
    ],
)
def test_colloquialisms_are_spelled_out(text: str, left: str) -> None:
    assert kept(text) == left


def test_a_dash_that_stands_apart_and_a_closing_mark_end_a_sentence() -> None:
    found = spoken(words_of("I won - we met . They left ... home now ? No"))
    assert [word.text for word in found.words if word.begins] == ["I", "we", "They"]


TOKENS = st.sampled_from(
    [
        "Hey",
        "wow",
        "thanks",
        "So",
        "I",
        "met",
        "Anna",
        "Audrey",
        ",",
        ".",
        "!",
        "-",
        "gon",
        "na",
        "\n",
        "...",
        "“",
        "😀",
    ]
)


@given(st.lists(TOKENS, max_size=20))
def test_words_stay_in_order_and_in_their_places(tokens: list[str]) -> None:
    text = " ".join(tokens)
    found = spoken(words_of(text), ["Audrey"])
    places = [(word.start, word.end) for word in found.words]
    assert places == sorted(places)
    assert all(0 <= start <= end <= len(text) for start, end in (*places, *found.calls))
    cut = {place for word in words_of(text) if (place := (word.start, word.end)) not in places}
    assert all(
        any(first <= start and end <= last for first, last in found.calls) <= ((start, end) in cut)
        for start, end in cut
    )
