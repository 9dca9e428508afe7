"""What the graph is worth to the search for turns: recall with it and without, each with weights of its own.

Without the graph a turn counts for nothing that a belief citing it has: by full text, by vector, or by nearness to what
the question names. Both are ranked by weights fitted to the other conversations, from the packaged ones on, and from
those with nothing for beliefs. The turns are those that the search lists among its first 100 with the graph.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from statistics import mean

from bench.common import say
from bench.rank.judged import RANKS, Example, Recall
from bench.rank.training import left_out, recall
from graphmem.retrieve.weights import TurnWeights

BELIEFS = ("belief_text", "belief_vector", "belief_graph")
RANK = 10
_SAMPLES = 10_000
_TAIL = 0.025


def figures(examples: Sequence[Example], packaged: TurnWeights) -> dict[str, object]:
    """``held_out`` is the recall with the graph, ``without_graph`` that without it and what is lost at 10."""
    say(f"{len(examples)} questions: weights without the conversation asked")
    whole = _held_out(examples, packaged)
    say("the same without the graph")
    start = replace(packaged, belief_text=0.0, belief_vector=0.0, belief_graph=0.0)
    without = _held_out(examples, start, BELIEFS)
    differences = [one[RANK] - other[RANK] for one, other in zip(whole, without, strict=True)]
    return {
        "held_out": _means(whole),
        "without_graph": {
            **_means(without),
            "difference": round(mean(differences), 4),
            "interval": list(interval(differences)),
        },
    }


def interval(differences: Sequence[float], samples: int = _SAMPLES) -> tuple[float, float]:
    """Where the mean lies in 95 of 100 samples drawn anew from the same questions: a paired bootstrap (Efron, 1979)."""
    rng = random.Random(0)  # noqa: S311 - reproducible on purpose
    means = sorted(mean(rng.choices(differences, k=len(differences))) for _ in range(samples))
    return round(means[int(_TAIL * samples)], 4), round(means[int((1 - _TAIL) * samples) - 1], 4)


def _held_out(examples: Sequence[Example], start: TurnWeights, fixed: Sequence[str] = ()) -> list[Recall]:
    """The recall of each question by weights fitted to the others' conversations, in the order of the questions."""
    found = {id(one): recall([one], weights) for part, weights in left_out(examples, start, fixed) for one in part}
    return [found[id(one)] for one in examples]


def _means(found: Sequence[Recall]) -> dict[str, float]:
    return {str(rank): round(mean(one[rank] for one in found), 4) for rank in RANKS}
