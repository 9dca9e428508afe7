"""The benchmark of neighbours: what is asked in turn, and the ratio of two courses."""

from itertools import islice

from bench.neighbours import Heard, calls


def test_the_calls_take_turns_and_no_two_episodes_are_equal() -> None:
    asked = list(islice(calls("g", "flooder"), 30))
    assert [name for name, _, _ in asked[:4]] == ["search", "facts", "episode", "search"]
    assert len({str(body) for name, _, body in asked if name == "episode"}) == 10


def test_a_ratio_is_of_two_courses_of_one_run() -> None:
    idle, loud = Heard(), Heard(answered=90, refused=30, flooded=3.0)
    idle.seconds |= {"search": [0.01] * 20, "facts": [0.002] * 20}
    loud.seconds |= {"search": [0.02] * 20, "facts": [0.002] * 20}

    figures = loud.figures(idle)

    assert (figures["ratio"], figures["ratio_by_call"]) == (2.0, {"search": 2.0, "facts": 1.0})
    assert (figures["answered_per_s"], figures["refused_per_s"]) == (30.0, 10.0)
    assert "answered_per_s" not in idle.figures(idle)
