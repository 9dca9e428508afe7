import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.retrieve.fuse import OF_OPEN, Hit, fuse
from graphmem.retrieve.lucene import lucene_query


def hit(id_: str, score: float, is_open: bool = False) -> Hit:  # noqa: FBT001, FBT002 - drawn by position
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
def test_ranking_is_total_and_stable(channels: dict[str, list[Hit]]) -> None:
    ranked = fuse(channels)

    assert ranked == fuse(channels)
    assert [(-item.score, item.kind, item.id) for item in ranked] == sorted(
        (-item.score, item.kind, item.id) for item in ranked
    )


FILTERS = {"group_token": ["abc0"], "audience_token": ["e0", "f0"]}


def test_a_question_can_only_mean_its_words() -> None:
    query = lucene_query('lisbon" OR group_token:* NOT (x) ~2 \\', "statement", FILTERS)

    filters = '+group_token:("abc0")^0 +audience_token:("e0" "f0")^0'
    assert query == f'{filters} +statement:("lisbon" "or" "group_token" "not" "x" "2")'


def test_a_question_without_words_is_no_query() -> None:
    assert lucene_query('"?!', "statement", FILTERS) is None
