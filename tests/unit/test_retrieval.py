import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.retrieve.question import lucene_query, question
from graphmem.retrieve.scales import OF_OPEN, ListedHit, fuse
from graphmem.retrieve.succession import one_wording


def hit(id_: str, score: float, is_open: bool = False) -> ListedHit:  # noqa: FBT001, FBT002 - drawn by position
    return "fact", id_, score, is_open


def test_an_open_belief_stands_below_what_is_found_as_well() -> None:
    ranked = fuse({"text": [hit("open", 9.0, True), hit("curated", 8.0)]})

    assert [item.id for item in ranked] == ["curated", "open"]
    assert ranked[1].score == pytest.approx(OF_OPEN / 61)
    assert ranked[1].contributions[0].contribution == ranked[1].score


def test_contributions_sum_to_the_score_and_agreement_wins() -> None:
    ranked = fuse({"text": [hit("a", 9.0), hit("b", 1.0)], "vector": [hit("b", 0.9)]})

    assert [item.id for item in ranked] == ["b", "a"]
    assert ranked[0].score == pytest.approx(1 / 62 + 1 / 61)
    assert all(item.score == pytest.approx(sum(c.contribution for c in item.contributions)) for item in ranked)


def test_a_thing_counts_once_in_each_list() -> None:
    (item,) = fuse({"text": [hit("a", 2.0), hit("a", 1.0)]})

    assert item.score == pytest.approx(1 / 61)


@given(
    st.dictionaries(
        st.sampled_from("xyz"), st.lists(st.builds(hit, st.sampled_from("abcd"), st.just(0.0), st.booleans()))
    )
)
def test_ranking_is_total_and_stable(channels: dict[str, list[ListedHit]]) -> None:
    ranked = fuse(channels)

    assert ranked == fuse(channels)
    assert [(-item.score, item.kind, item.id) for item in ranked] == sorted(
        (-item.score, item.kind, item.id) for item in ranked
    )


FILTERS = {"group_token": ["abc0"], "audience_token": ["e0", "f0"]}


def test_a_question_can_only_mean_its_words() -> None:
    query = lucene_query(question('lisbon" OR group_token:* NOT (x) ~2 \\').words, ["content", "speaker"], FILTERS)

    filters, words = (
        '+group_token:("abc0")^0 +audience_token:("e0" "f0")^0',
        '"lisbon" "or" "group_token" "not" "x" "2"',
    )
    assert query == f"{filters} +(content:({words}) speaker:({words}))"


def test_of_several_wordings_the_best_stands_and_names_the_others() -> None:
    ranked = fuse({"text": [hit(id_, 0.0, True) for id_ in "abcd"]})
    shown = one_wording(ranked, [("b", "a"), ("b", "c"), ("d", "b")])

    assert [(item.id, item.other_wordings) for item in shown] == [("a", ("b",)), ("c", ()), ("d", ())]


@given(st.permutations("abcdef"), st.sets(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef"))))
def test_each_is_shown_or_named_once_and_no_two_alike_are_shown(order: list[str], pairs: set[tuple[str, str]]) -> None:
    alike = {(one, other) for one, other in pairs if one != other}
    ranked = fuse({"text": [hit(id_, 0.0, True) for id_ in order]})
    shown = one_wording(ranked, alike)

    assert sorted(id_ for item in shown for id_ in (item.id, *item.other_wordings)) == sorted(order)
    ids = [item.id for item in shown]
    assert not any((one, other) in alike for one in ids for other in ids)
    assert [id_ for id_ in order if id_ in ids] == ids
