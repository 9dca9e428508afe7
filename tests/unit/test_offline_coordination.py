"""“Tom and I …”: both are subjects of whatever is said of them, however the parser takes it. Said on 16 July 2025."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.extract.offline.coordination import Edge, Node, lost_subjects
from graphmem.extract.offline.syntax import Parser, SourceText


@pytest.mark.parametrize(
    "content",
    [
        "My husband Raj and I moved from Delhi to Toronto in 2017.",
        "My roommate Zoe and I cooked ramen.",
        "My wife and I grow plums.",
    ],
)
def test_the_tree_stays_a_tree(content: str) -> None:
    parse = Parser().parse(SourceText(content))
    assert_is_tree([token.head for token in parse.tokens])


@given(st.integers(0, 4), st.data())
def test_whatever_the_tree_it_stays_one(more: int, data: st.DataObject) -> None:
    words = [("Tom", "NNP"), ("and", "CC"), ("I", "PRP"), ("left", "VBD"), *[("Oslo", "NNP")] * more]
    order = data.draw(st.permutations(range(len(words))))
    heads = {word: order[data.draw(st.integers(0, max(at - 1, 0)))] for at, word in enumerate(order)}
    nodes = [Node(text, tag, "dep", heads[place]) for place, (text, tag) in enumerate(words)]
    after = [node.head for node in nodes]
    for edge in lost_subjects(nodes):
        after[edge.child] = edge.head
    assert_is_tree(after)


def assert_is_tree(heads: list[int]) -> None:
    for word in range(len(heads)):
        above = word
        for _ in heads:
            above = heads[above]
        assert heads[above] == above


def test_a_tree_that_has_its_subjects_is_left_alone() -> None:
    nodes = [Node("Tom", "NNP", "nsubj", 3), Node("and", "CC", "cc", 0), Node("I", "PRP", "conj", 0)]
    assert list(lost_subjects([*nodes, Node("left", "VBD", "ROOT", 3)])) == []


def test_a_lost_subject_takes_its_time_along() -> None:
    nodes = [
        Node("yesterday", "NN", "ROOT", 0, "DATE"), Node("Tom", "NNP", "dep", 0), Node("and", "CC", "cc", 0),
        Node("I", "PRP", "nsubj", 4), Node("left", "VBD", "ROOT", 4),
    ]  # fmt: skip
    assert list(lost_subjects(nodes)) == [
        Edge(1, 4, "nsubj"),
        Edge(2, 1, "cc"),
        Edge(3, 1, "conj"),
        Edge(0, 4, "npadvmod"),
    ]
