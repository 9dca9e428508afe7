"""Which facts about somebody a context has beside those that must be known."""

from graphmem.model.composed import ProfileCandidate
from graphmem.retrieve.profiles import chosen


def candidate(name: str, importance: float = 0.5, days_used: int = 0) -> ProfileCandidate:
    return ProfileCandidate(name, importance, days_used)


def test_of_equal_importance_what_is_near_to_the_query_comes_first_and_then_what_is_used() -> None:
    colours = [candidate(f"colour {number}") for number in range(10)]
    found = chosen([*colours, candidate("cats", days_used=20), candidate("Thai food")], {"Thai food": 0.4}, 3)
    assert found == ["Thai food", "cats", "colour 0"]


def test_what_is_much_more_important_comes_before_what_is_near() -> None:
    assert chosen([candidate("near"), candidate("partner", 0.9)], {"near": 0.5, "partner": -0.2}, 1) == ["partner"]
