"""What holds of any pair of entities, and of any judgements."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.matching import Judgement, MatchProfile, Method, Verdict, pair_of
from graphmem.resolve.matching.clusters import cluster
from graphmem.resolve.matching.decide import judge
from graphmem.resolve.matching.keys import MOST_IDENTIFIERS, MOST_KEYS, keys, look_ups
from tests.profiles import judged, profile

WORDS = st.sampled_from(
    [
        "Tom",
        "Thomas",
        "Okafor",
        "Baker",
        "Müller",
        "Mueller",
        "Jr.",
        "Dr.",
        "Anna",
        "101",
        "102",
        "Acme",
        "Inc.",
        "GmbH",
    ]
) | st.sampled_from(["王伟", "of", ",", "St."])
NAMES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join) | st.text(min_size=1, max_size=12)
PARTS = [
    "Park",
    "Chan-wook",
    "Chanwook",
    "Thomas",
    "James",
    "Tom",
    "Szent-Györgyi",
    "Gyorgyi",
    "Albert",
    "Li",
    "Jr.",
    "V",
]
PERSONS = st.lists(st.sampled_from(PARTS), min_size=1, max_size=4, unique=True).map(" ".join)
TYPES = st.sampled_from(["person", "organization", "place", "room", "product", "concept"])
VALUES = st.dictionaries(
    st.sampled_from(["email", "phone", "born", "city", "order_id", "price", "about"]),
    st.sampled_from(
        ["tom@a.example", "+49 30 231254", "1990-01-02", "Rome", "A-1234", "17.50", "one two three four five six"]
    )
    | st.text(max_size=8),
    max_size=4,
)


@st.composite
def profiles(draw: st.DrawFn, id_: str) -> MatchProfile:
    qualifier = draw(st.sampled_from(["", f"crm:{id_}"]))
    return profile(draw(NAMES), draw(TYPES), id_=id_, qualifier=qualifier, **draw(VALUES))


@given(profiles("1"), profiles("2"))
def test_a_judgement_does_not_depend_on_the_order(a: MatchProfile, b: MatchProfile) -> None:
    assert judge(a, b) == judge(b, a)


@given(profiles("1"), profiles("2"))
def test_a_score_does_not_depend_on_the_ids(a: MatchProfile, b: MatchProfile) -> None:
    assert_scored_alike(judge(a, b), judge(replace(a, id="2"), replace(b, id="1")))


@given(PERSONS, PERSONS, VALUES, VALUES)
def test_a_judgement_of_persons_does_not_depend_on_the_ids(
    a: str, b: str, of_a: dict[str, str], of_b: dict[str, str]
) -> None:
    found = judge(profile(a, id_="1", **of_a), profile(b, id_="2", **of_b))
    swapped = judge(profile(a, id_="2", **of_a), profile(b, id_="1", **of_b))
    assert (found.verdict, found.method) == (swapped.verdict, swapped.method)
    assert_scored_alike(found, swapped)


def assert_scored_alike(found: Judgement, swapped: Judgement) -> None:
    """Of a swapped pair the contributions are mirrored, and a veto may name the two in the other order."""
    assert (found.score, found.stage) == (swapped.score, swapped.stage)
    assert _levels(found) == _levels(swapped)
    assert len(found.vetoes) == len(swapped.vetoes)


def _levels(found: Judgement) -> list[tuple[str, str, float]]:
    return [(one.part, one.level, one.weight) for one in found.contributions]


@given(profiles("1"), profiles("2"))
def test_contributions_sum_to_the_score(a: MatchProfile, b: MatchProfile) -> None:
    found = judge(a, b)
    assert found.score == pytest.approx(sum(one.weight for one in found.contributions))
    assert 0 <= found.probability <= 1


@given(profiles("1"))
def test_equal_names_have_equal_keys(a: MatchProfile) -> None:
    written = profile(f"  {a.name.upper().lower()} ", a.type, id_="2")
    bare = profile(a.name.upper().lower(), a.type, id_="3")
    assert keys(written) == keys(bare)
    assert len(keys(a)) <= MOST_KEYS + MOST_IDENTIFIERS
    assert keys(a) <= look_ups(a)


IDS = "abcdefg"
PAIRS = st.sampled_from(list(combinations(IDS, 2)))


@st.composite
def judgements(draw: st.DrawFn) -> Judgement:
    kind = draw(st.sampled_from(["same", "same", "same", "human", "identifier", "veto", "low"]))
    a, b = draw(PAIRS)
    score = draw(st.integers(-3, 12))
    if kind in ("veto", "low"):
        return judged(a, b, score, verdict=Verdict.DIFFERENT, method=Method.VETO if kind == "veto" else Method.SCORE)
    return judged(a, b, score, method=Method.SCORE if kind == "same" else Method(kind))


def _unique(judgements: list[Judgement]) -> list[Judgement]:
    return list({one.pair: one for one in judgements}.values())


def _oracle(judgements: list[Judgement], apart: set[tuple[str, str]]) -> list[set[str]]:
    """Clusters by joining sets, edge by edge."""
    rank = {Method.HUMAN: 0, Method.IDENTIFIER: 1}
    clusters = [{one} for one in IDS]
    for edge in sorted(judgements, key=lambda one: (rank.get(one.method, 2), -one.score, one.pair)):
        if edge.verdict is Verdict.SAME:
            some, other = (next(one for one in clusters if end in one) for end in edge.pair)
            joined = some | other
            if some is not other and not any({a, b} <= joined for a, b in apart):
                clusters = [one for one in clusters if one is not some and one is not other] + [joined]
    return clusters


@given(st.lists(judgements(), max_size=14).map(_unique), st.randoms(use_true_random=False))
def test_clusters_do_not_depend_on_the_order(found: list[Judgement], random: object) -> None:
    shuffled = list(found)
    getattr(random, "shuffle")(shuffled)  # noqa: B009 - hypothesis gives an untyped Random
    assert cluster(found) == cluster(shuffled)


@given(st.lists(judgements(), max_size=14).map(_unique), st.sets(PAIRS, max_size=2))
def test_clusters_are_those_of_the_oracle(found: list[Judgement], said: set[tuple[str, str]]) -> None:
    vetoed = {one.pair for one in found if one.method is Method.VETO}
    expected = {tuple(sorted(one)) for one in _oracle(found, vetoed | said) if len(one) > 1}
    got = cluster([*found, *(judged(*pair, verdict=Verdict.DIFFERENT, method=Method.HUMAN) for pair in said)])
    assert set(got.clusters) == expected
    assert not any(pair_of(*pair) in vetoed | said for one in got.clusters for pair in combinations(one, 2))
    assert len(got.accepted) == sum(len(one) - 1 for one in got.clusters)


@given(st.lists(judgements(), max_size=14).map(_unique), st.lists(st.sampled_from("xyz"), min_size=7, max_size=7))
def test_of_a_unique_source_a_cluster_has_one(found: list[Judgement], sources: list[str]) -> None:
    of = dict(zip(IDS, sources, strict=True))
    for one in cluster(found, of).clusters:
        assert len({of[member] for member in one}) == len(one)
