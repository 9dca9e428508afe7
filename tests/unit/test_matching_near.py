"""Which of those that are near by their vectors are compared: the nearest of a fitting type that share no word."""

import pytest

from graphmem.model.matching import MatchingSettings, Neighbour, Stage, StageSettings, TypeSettings, Verdict
from graphmem.resolve.matching.decide import judge
from graphmem.resolve.matching.score import nearest
from tests.profiles import profile

CAR = profile("car", "concept")
NEAR = MatchingSettings(
    types={"concept": TypeSettings(stages={Stage.EMBEDDING: StageSettings(threshold=0.8, limit=2)})}
)


def neighbour(name: str, nearness: float = 0.9, type_: str = "concept", *, before: bool = False) -> Neighbour:
    return Neighbour(id=name, type=type_, name=name, nearness=nearness, before=before)


@pytest.mark.parametrize(
    ("other", "found"),
    [
        (neighbour("automobile"), True),
        (neighbour("automobile", 0.8), True),
        (neighbour("automobile", 0.79), False),
        (neighbour("automobile", type_="product"), True),
        (neighbour("Car park"), False),
    ],
)
def test_what_is_near_enough_and_shares_no_word_is_compared(other: Neighbour, found: bool) -> None:  # noqa: FBT001
    assert bool(nearest(CAR, [other], NEAR)) == found


def test_types_that_differ_are_not_compared() -> None:
    room = profile("The Blue Lounge", "room")
    assert nearest(room, [neighbour("Salon Azul", type_="version")], MatchingSettings()) == {}
    assert nearest(room, [neighbour("Salon Azul", type_="room")], MatchingSettings()) == {"Salon Azul": 0.9}


def test_those_that_are_not_compared_take_no_place() -> None:
    found = [neighbour("car park", 0.99), neighbour("auto", 0.9), neighbour("motor", 0.85), neighbour("vehicle", 0.95)]
    assert nearest(CAR, found, NEAR) == {"vehicle": 0.95, "auto": 0.9}


def test_what_was_found_before_stays_beside_the_nearest() -> None:
    found = [neighbour("auto", 0.9), neighbour("vehicle", 0.95), neighbour("motor", 0.81, before=True)]
    assert nearest(CAR, [*found, neighbour("auto", 0.9, before=True)], NEAR).keys() == {"vehicle", "auto", "motor"}


def test_names_that_share_a_word_are_not_proposed_by_their_vectors() -> None:
    paris, texas = profile("Paris, France", "place"), profile("Paris, Texas", "place")
    assert judge(paris, texas, nearness=0.95).verdict is Verdict.DIFFERENT
    assert judge(profile("Bombay", "place"), profile("Mumbai", "place"), nearness=0.8).verdict is Verdict.REVIEW
