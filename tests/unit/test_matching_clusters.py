"""Clusters from judgements: forests without forbidden pairs."""

from itertools import combinations, pairwise

import pytest

from graphmem.model.matching import Method, Verdict
from graphmem.resolve.matching.clusters import MOST_TIED, cluster
from graphmem.resolve.matching.decide import judge
from tests.profiles import judged, profile

DIFFERENT, VETO = Verdict.DIFFERENT, Method.VETO


def test_what_is_the_same_is_connected_without_a_circle() -> None:
    found = cluster([judged("a", "b"), judged("b", "c"), judged("a", "c"), judged("d", "e", verdict=Verdict.REVIEW)])
    assert found.clusters == (("a", "b", "c"),)
    assert len(found.accepted) == 2


def test_a_vetoed_pair_is_never_together() -> None:
    veto = judged("a", "c", verdict=DIFFERENT, method=VETO, vetoes=("the numbers differ",))
    found = cluster([judged("a", "b", 9), judged("b", "c", 8), veto])
    assert found.clusters == (("a", "b"),)
    assert [(edge.pair, reason) for edge, reason in found.refused] == [(("b", "c"), "the numbers differ")]


def test_two_that_one_source_has_ids_for_are_not_joined_by_a_third() -> None:
    names = [profile("Xanthippe Quillfeather", id_=id_, qualifier=id_) for id_ in ("crm:1", "crm:2", "erp:9")]
    found = cluster([judge(a, b) for a, b in combinations(names, 2)], qualified=frozenset(one.id for one in names))
    assert found.clusters == (("crm:1", "erp:9"),)
    assert [reason for _, reason in found.refused] == ["one source has an id for each: crm:1 and crm:2"]


def test_a_low_score_alone_forbids_nothing() -> None:
    found = cluster([judged("a", "b"), judged("b", "c"), judged("a", "c", -9, verdict=DIFFERENT)])
    assert found.clusters == (("a", "b", "c"),)


def test_a_person_comes_before_any_score() -> None:
    edges = [judged("a", "b", 30), judged("b", "c", 1, method=Method.HUMAN)]
    found = cluster([*edges, judged("a", "c", verdict=DIFFERENT, method=Method.HUMAN)])
    assert found.clusters == (("b", "c"),)


def test_only_a_person_joins_what_is_protected_with_others() -> None:
    edges = [judged("a", "b", 30, method=Method.IDENTIFIER), judged("b", "c", 1, method=Method.HUMAN), judged("a", "d")]
    found = cluster(edges, protected=frozenset({"c"}))
    assert found.clusters == (("a", "d"), ("b", "c"))
    assert [(edge.pair, reason) for edge, reason in found.refused] == [
        (("a", "b"), "c is protected: only a person merges it")
    ]


def test_what_a_model_says_comes_last_and_joins_nothing_that_is_kept_apart_or_that_it_doubts() -> None:
    model = Method.MODEL
    veto = judged("a", "c", verdict=DIFFERENT, method=VETO, vetoes=("the numbers differ",))
    assert cluster([judged("b", "c", 1), judged("a", "b", 9, method=model), veto]).clusters == (("b", "c"),)

    doubt = judged("a", "c", verdict=DIFFERENT, method=model)
    assert cluster([judged("a", "b", 9, method=model), judged("b", "c", 8, method=model), doubt]).clusters == (
        ("a", "b"),
    )
    assert cluster([judged("a", "b", 9), judged("b", "c", 8), doubt]).clusters == (("a", "b", "c"),)


def test_in_unique_sources_a_match_is_the_best_of_both() -> None:
    sources = {"a1": "a", "a2": "a", "b1": "b", "b2": "b"}
    found = cluster([judged("a1", "b1", 20), judged("a1", "b2", 15), judged("a2", "b1", 16)], sources)
    assert found.clusters == (("a1", "b1"),)
    assert len(found.refused) == 2


def test_a_tie_in_a_unique_source_is_asked_about() -> None:
    found = cluster([judged("a1", "b1", 20), judged("a1", "b2", 20)], {"a1": "a", "b1": "b", "b2": "b"})
    assert found.clusters == ()
    assert len(found.refused) == 2


def test_a_bare_name_does_not_join_two_with_ids() -> None:
    edges = [judged("crm1", "tom", 9), judged("crm2", "tom", 8)]
    found = cluster(edges, {}, frozenset({"crm1", "crm2"}))
    assert found.clusters == (("crm1", "tom"),)
    both = cluster([*edges, judged("crm1", "crm2", 7)], {}, frozenset({"crm1", "crm2"}))
    assert both.clusters == (("crm1", "crm2", "tom"),)
    assert both.refused == ()


def test_what_is_asked_about_in_spite_of_a_veto_stays_apart_until_somebody_answers() -> None:
    edges = [judged("plain", "sr", 9, method=Method.IDENTIFIER), judged("jr", "plain", 8, method=Method.IDENTIFIER)]
    asked = judged("jr", "sr", 7, verdict=Verdict.REVIEW, method=Method.IDENTIFIER, vetoes=("two generations",))
    found = cluster([*edges, asked])
    assert found.clusters == (("plain", "sr"),)
    assert [(edge.pair, reason) for edge, reason in found.refused] == [(("jr", "plain"), "two generations")]
    answered = cluster([*edges, judged("jr", "sr", 7, method=Method.HUMAN)])
    assert answered.clusters == (("jr", "plain", "sr"),)


@pytest.mark.parametrize(("count", "merged"), [(MOST_TIED, True), (MOST_TIED + 1, False)])
def test_only_a_person_joins_any_of_too_many_to_compare_every_two(count: int, *, merged: bool) -> None:
    names = [f"n{number:03}" for number in range(count)]
    edges = [judged(*two, 9, method=Method.IDENTIFIER) for two in pairwise(names)]
    assert bool(cluster(edges).clusters) is merged
    by_hand = judged(names[0], names[1], 9, method=Method.HUMAN)
    assert cluster([*edges[1:], by_hand]).clusters[0][:2] == (names[0], names[1])
