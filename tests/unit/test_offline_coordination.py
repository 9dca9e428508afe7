"""“Tom and I …”: both are subjects of whatever is said of them, however the parser takes it. Said on 16 July 2025."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.extract.offline.coordination import Edge, Node, lost_subjects
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.offline.syntax import Parser, Said
from graphmem.model.claim import ClaimKind
from tests.unit.test_offline_extraction import on, said
from tests.unit.test_offline_predicates import told


@pytest.mark.parametrize(
    ("content", "predicate", "partner", "since"),
    [
        ("Tom and I got engaged last week.", "engaged_to", "Tom", on(2025, 7, 7)),
        ("Me and Tom got engaged.", "engaged_to", "Tom", None),
        ("Tom and I are engaged.", "engaged_to", "Tom", None),
        ("Clara Berg and I are engaged since May.", "engaged_to", "Clara Berg", on(2025, 5)),
        ("Tom and I are married.", "married_to", "Tom", None),
        ("Tom and I have been married since 2010.", "married_to", "Tom", on(2010)),
        ("Yesterday Clara and I got married.", "married_to", "Clara", on(2025, 7, 15)),
        ("Yesterday, Clara and I got married.", "married_to", "Clara", on(2025, 7, 15)),
    ],
)
async def test_a_couple_is_one_claim_of_the_speaker(
    offline: OfflineExtractor, content: str, predicate: str, partner: str, since: datetime | None
) -> None:
    fragment = await offline.extract(said(content))
    assert told(fragment) == [("Maya", predicate, partner)]
    assert fragment.claims[0].valid_from == since


@pytest.mark.parametrize(
    ("content", "predicate", "thing"),
    [
        ("Tom and I moved to Porto.", "lives_in", "Porto"),
        ("Tom and I both work at Acme.", "works_at", "Acme"),
        ("Because Tom and I work at Acme, we are rich.", "works_at", "Acme"),
        ("Last night Tom and I watched Dune.", "watched", "Dune"),
    ],
)
async def test_both_do_what_is_said_of_both(
    offline: OfflineExtractor, content: str, predicate: str, thing: str
) -> None:
    assert told(await offline.extract(said(content))) == [(who, predicate, thing) for who in ("Tom", "Maya")]


@pytest.mark.parametrize(
    "content",
    [
        "Tom and I aren't engaged.",
        "Tom and I were engaged.",
        "Are Tom and I engaged?",
        "Tom and I get married next week.",
        "I think Tom and I are engaged.",
        "Tom and I might get engaged.",
    ],
)
async def test_no_couple_is_claimed_where_none_is_told(offline: OfflineExtractor, content: str) -> None:
    assert told(await offline.extract(said(content))) == []


async def test_a_couple_of_nobody_knows_when_is_one_still(offline: OfflineExtractor) -> None:
    (claim,) = (await offline.extract(said("Bruno and I got engaged last summer."))).claims
    assert (claim.kind, claim.predicate, claim.valid_from) == (ClaimKind.STARTS, "engaged_to", on(2024, 6))


async def test_who_is_met_in_the_clause_before_is_no_subject(offline: OfflineExtractor) -> None:
    claims = told(await offline.extract(said("I saw Bruno and I moved to Porto last week.")))
    assert claims == [("Maya", "lives_in", "Porto")]


@pytest.mark.parametrize(
    "content",
    [
        "My husband Raj and I moved from Delhi to Toronto in 2017.",
        "My roommate Zoe and I cooked ramen.",
        "My wife and I grow plums.",
    ],
)
def test_the_tree_stays_a_tree(content: str) -> None:
    parse = Parser(()).parse(Said(content))
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


TWO_CLAUSES = {
    "I live in Lyon and Clara lives in Porto.": {("Maya", "lives_in", "Lyon"), ("Clara", "lives_in", "Porto")},
    "Tom lives in Rome and Clara lives in Lyon.": {("Tom", "lives_in", "Rome"), ("Clara", "lives_in", "Lyon")},
    "I moved to Lyon and Tom moved to Porto.": {("Maya", "lives_in", "Lyon"), ("Tom", "lives_in", "Porto")},
    "I visited Rome and Paris and loved it.": {("Maya", "visited", "Rome"), ("Maya", "visited", "Paris")},
    "I work at Initech and live in Lyon.": {("Maya", "works_at", "Initech"), ("Maya", "lives_in", "Lyon")},
}


async def test_who_stands_behind_and_is_the_subject_of_what_follows(
    offline: OfflineExtractor, subtests: pytest.Subtests
) -> None:
    for content, expected in TWO_CLAUSES.items():
        with subtests.test(content=content):
            claims = (await offline.extract(said(content))).claims
            assert {(c.subject.name, c.predicate, c.object.name) for c in claims if c.object and not c.open} == expected
