"""What is said of an embedding model follows from its vectors; the labelled set is whole."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.embedding import ITEMS, Item, among_all, chance, is_match, matches, prose, read

ITEM = """
[[items]]
kind = "topic"
ask = "Where does Ana live?"
same = "Ana's home is in Oslo."
others = ["Ana lives well.", "Ben lives here.", "Oslo is cold."]
"""


def items(*kinds: str) -> tuple[Item, ...]:
    return tuple(
        Item.model_validate({"kind": kind, "ask": f"{place}?", "same": "yes", "others": ("no", "none", "never")})
        for place, kind in enumerate(kinds)
    )


def unit(*texts: tuple[float, float]) -> list[list[float]]:
    return [[x / (x * x + y * y) ** 0.5, y / (x * x + y * y) ** 0.5] for x, y in texts]


def count(text: str) -> int:
    return len(text.split())


def test_the_labelled_set_has_enough_items_with_hard_others() -> None:
    found = read(ITEMS.read_text("utf-8"))
    kinds = Counter(item.kind for item in found)
    assert min(kinds["topic"], kinds["words"]) >= 100
    assert all(3 <= len(item.others) <= 4 for item in found)
    assert len({text for item in found for text in (item.ask, item.same)}) == 2 * len(found)


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (ITEM.replace('"Ben lives here.", "Oslo is cold."', ""), "at least 3"),
        (ITEM.replace("Ben lives here.", "Ana's home is in Oslo."), "twice"),
        (ITEM * 2, "twice"),
        (ITEM.replace("topic", "easy"), "'topic' or 'words'"),
        ("items = []", "at least 1"),
        ("[[items", "Expected"),
    ],
)
def test_a_set_that_lacks_something_is_refused(broken: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read(broken)


def test_the_right_text_must_be_nearer_than_every_other() -> None:
    question, right, near, far = unit((1, 0), (2, 1), (1, 1), (0, 1))
    assert is_match(question, [right, near, far])
    assert not is_match(question, [near, right, far])
    assert not is_match(question, [right, far, right])


def test_among_all_right_texts_the_own_one_must_be_the_nearest() -> None:
    assert among_all(unit((1, 0), (0, 1)), unit((2, 1), (1, 2))) == 1
    assert among_all(unit((1, 0), (0, 1)), unit((2, 1), (1, 0))) == 0
    assert among_all(unit((1, 0), (0, 1)), unit((1, 0), (1, 0))) == 0


def test_shares_are_of_all_items_and_of_each_kind() -> None:
    assert matches(items("topic", "words", "words", "words"), ["1?", "3?"]) == {
        "semantic_match": 0.5,
        "by_kind": {
            "topic": {"semantic_match": 1.0, "n": 1},
            "words": {"semantic_match": 0.3333, "n": 3},
        },
    }
    assert chance(items("topic", "words")) == 0.25


@given(
    sentences=st.lists(st.text("ab ", min_size=1).filter(str.strip), min_size=1),
    tokens=st.integers(1, 60),
    rng=st.randoms(use_true_random=False),
)
def test_prose_has_the_tokens_it_should_have(sentences: list[str], tokens: int, rng: random.Random) -> None:
    assert count(prose(sentences, tokens, count, rng)) == tokens
