"""How alike sentences are, by their words; and what makes of alike sentences two all the same."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.resolve.consolidation import alike, likeness, says_another, words_of

TEXTS = st.lists(st.frozensets(st.sampled_from("abcdefghij"), max_size=8), max_size=12)


def test_words_are_in_lower_case_and_without_what_stands_between_them() -> None:
    assert words_of("Maya DOESN'T like “tea”, does_she?") == {"maya", "doesn't", "like", "tea", "does", "she"}


@pytest.mark.parametrize(
    ("a", "b", "share"),
    [("a b c", "c b a", 1.0), ("a b c d", "a b c", 0.75), ("a b", "b c", 1 / 3), ("a", "b", 0.0), ("", "", 0.0)],
)
def test_likeness_is_the_share_of_words_that_both_have(a: str, b: str, share: float) -> None:
    assert likeness(words_of(a), words_of(b)) == share == likeness(words_of(b), words_of(a))


@given(TEXTS, st.sampled_from([0.3, 0.5, 0.55, 0.6, 0.7, 0.75, 0.9, 1.0]))
def test_the_pairs_found_are_exactly_those_that_comparing_all_finds(texts: list[frozenset[str]], least: float) -> None:
    every = itertools.combinations(range(len(texts)), 2)
    expected = [(a, b) for a, b in every if likeness(texts[a], texts[b]) >= least]

    assert sorted(alike(texts, least)) == expected


@pytest.mark.parametrize(
    ("a", "b", "other"),
    [
        ("Maya likes green tea in the morning.", "Maya likes green tea in the mornings.", False),
        ("Maya likes long walks on the beach.", "Maya enjoys long walks on the beach.", False),
        ("Maya prefers short answers.", "Maya prefers really short answers.", False),
        ("Maya eats meat at home.", "Maya never eats meat at home.", True),
        ("Maya doesn't eat meat at home.", "Maya eat meat at home.", True),
        ("Maya likes walking her dog.", "Maya dislikes walking her dog.", True),
        ("Maya loves walking her dog.", "Maya hates walking her dog.", True),
        ("Maya is happy at work these days.", "Maya is unhappy at work these days.", True),
        ("Maya sits in room 12 on the left.", "Maya sits in room 13 on the left.", True),
        ("Maya eats at Cantinho on most days.", "Maya eats at Taberna on most days.", True),
        ("Maya eats at Cantinho on most days.", "Maya eats at Cantinho on most days, she says.", False),
    ],
)
def test_some_words_make_another_sentence(a: str, b: str, other: bool) -> None:  # noqa: FBT001 - what is expected
    assert says_another(a, b) is other is says_another(b, a)
