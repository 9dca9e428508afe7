"""What is said of the graph's worth is of the same questions, with weights fitted to others."""

from dataclasses import fields, replace
from itertools import product
from typing import cast

from bench.rank.judged import Example, ListedTurn
from bench.without_graph import figures, interval
from graphmem.retrieve.weights import TurnWeights

PLAIN = replace(TurnWeights(**{each.name: 0.0 for each in fields(TurnWeights)}), text=1.0, belief_text=2.0)


def question(group: str, number: int) -> Example:
    """One turn of twenty answers; full text has it last, and only a belief cites it."""
    others = [
        ListedTurn(id=f"{number}-{at:02}", session="", scores={"text": 1 - at / 50}, answers=False) for at in range(19)
    ]
    right = ListedTurn(id=f"{number}-right", session="", scores={"belief_text": 1.0}, answers=True)
    return Example(group=group, candidates=(*others, right), wanted=1)


def test_what_only_beliefs_find_is_lost_without_them() -> None:
    examples = [question(group, number) for group, number in product("ab", range(4))]
    told = figures(examples, PLAIN)

    assert told["held_out"] == {"5": 1.0, "10": 1.0, "20": 1.0}
    without = cast("dict[str, object]", told["without_graph"])
    assert (without["10"], without["20"], without["difference"], without["interval"]) == (0.0, 1.0, 1.0, [1.0, 1.0])


def test_the_interval_of_a_mean_is_around_it_and_narrows_with_more_questions() -> None:
    few, many = interval([0.0, 0.1] * 10, samples=500), interval([0.0, 0.1] * 200, samples=500)

    assert few[0] < many[0] < 0.05 < many[1] < few[1]
    assert interval([0.2] * 5, samples=100) == (0.2, 0.2)
