"""Which facts about somebody a context has beside those that must be known."""

from graphmem.model.composed import Candidate
from graphmem.model.hits import Ranked
from graphmem.retrieve.profiles import chosen, nearness


def candidate(name: str, importance: float = 0.5, uses: int = 0) -> Candidate:
    return Candidate(name, importance, uses)


def test_of_equal_importance_what_is_near_to_the_query_comes_first_and_then_what_is_used() -> None:
    colours = [candidate(f"colour {number}") for number in range(10)]
    found = chosen([*colours, candidate("cats", uses=20), candidate("Thai food")], {"Thai food": 1.0}, 3)
    assert found == ["Thai food", "cats", "colour 0"]


def test_what_is_much_more_important_comes_before_what_is_near() -> None:
    assert chosen([candidate("near"), candidate("partner", 0.9)], {"near": 0.5}, 1) == ["partner"]


def test_nearness_is_a_share_of_the_best_belief() -> None:
    ranked = [
        Ranked(kind=kind, id=kind, score=score, contributions=())
        for kind, score in (("episode", 4.0), ("fact", 2.0), ("relationship", 1.0))
    ]
    assert nearness(ranked) == {"fact": 1.0, "relationship": 0.5}
    assert nearness([]) == {}
