"""How near beliefs are to what a question names: by hops, by how many others there are, by predicate."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.hits import Reached
from graphmem.retrieve.beliefs import nearness, rank_entities, starts_beyond
from graphmem.retrieve.weights import EntityWeights

ONE = Reached(
    id="b",
    kind="relationship",
    open=False,
    predicate="visited",
    start="maya",
    other="rome",
    other_type="city",
    forwards=True,
    beliefs=5,
    cosine=0.0,
)


def test_a_belief_further_away_is_less_near() -> None:
    near = nearness([replace(ONE, id="one"), replace(ONE, id="two", hops=2)], ["where"])
    assert 1 > near["one"] > near["two"] > 0


def test_one_of_many_is_less_near_than_one_of_few() -> None:
    near = nearness([replace(ONE, id="few"), replace(ONE, id="many", beliefs=1000)], [])
    assert near["few"] > near["many"] > 0


def test_a_predicate_that_the_question_has_is_nearer() -> None:
    reached = [replace(ONE, id="said", predicate="works_at", beliefs=1000), replace(ONE, id="other", beliefs=50)]
    near = nearness(reached, ["work", "maya"])
    assert near["said"] > near["other"]


def test_a_belief_between_two_that_are_named_is_nearer_than_at_one() -> None:
    reached = [ONE, replace(ONE, start="rome", other="maya"), replace(ONE, id="other")]
    near = nearness(reached, [])
    assert near["b"] > near["other"]


@given(
    st.lists(
        st.builds(
            Reached,
            id=st.sampled_from("abc"),
            kind=st.just("fact"),
            open=st.booleans(),
            predicate=st.sampled_from(["visited", "lives_in"]),
            start=st.sampled_from("xyz"),
            other=st.none() | st.sampled_from("xyzw"),
            beliefs=st.integers(0, 10_000),
            hops=st.sampled_from([1, 2]),
        ),
        max_size=8,
    ),
    st.randoms(use_true_random=False),
)
def test_nearness_is_from_0_to_1_in_any_order_and_repeated(reached: list[Reached], random: object) -> None:
    mixed = [*reached, *reached[::2]]
    getattr(random, "shuffle")(mixed)  # noqa: B009 - hypothesis types its random as object
    near = nearness(reached, ["visit"])
    assert near.keys() == {one.id for one in reached}
    assert all(0 <= value <= 1 for value in near.values())
    assert nearness(mixed, ["visit"]) == near
    assert starts_beyond(mixed, 2) == starts_beyond(reached, 2)


def test_the_look_goes_on_from_entities_of_few_beliefs_first() -> None:
    reached = [
        replace(ONE, start="maya", other="rome", beliefs=50),
        replace(ONE, start="tom", other="oslo", beliefs=3),
        replace(ONE, start="tom", other="maya", beliefs=3),
        replace(ONE, start="tom", other=None, beliefs=3),
    ]
    assert starts_beyond(reached, 1) == {"oslo": "tom"}
    assert starts_beyond(reached, 9) == {"oslo": "tom", "rome": "maya"}


def test_named_entities_come_before_those_of_near_names() -> None:
    weights = EntityWeights(named=1.0, vector=0.5)
    found = rank_entities(["b", "a"], [("c", 0.9), ("a", 0.8), ("d", 0.1)], weights)
    assert [item.id for item in found] == ["a", "b", "c", "d"]
    assert all(abs(sum(one.contribution for one in item.contributions) - item.score) < 1e-12 for item in found)
