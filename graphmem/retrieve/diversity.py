"""A list whose items are unlike each other: maximal marginal relevance.

Carbonell & Goldstein, The use of MMR, diversity-based reranking, SIGIR 1998, https://doi.org/10.1145/290941.291025.
"""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from graphmem.model.embedding import Vector
from graphmem.model.recall import Ranked
from graphmem.retrieve.scales import moved_to

DIVERSITY = "diversity"

Floats = NDArray[np.float64]


def diverse(
    ranked: Sequence[Ranked],
    vectors: Mapping[str, Vector],
    diversity: float,
    slots: Mapping[str, Hashable] | None = None,
) -> list[Ranked]:
    """The things found, best first, in an order in which none is too like one above it.

    One after the other, that is taken next for which ``(1 - diversity) · score - diversity · spread · likeness`` is the
    most. ``likeness`` is the greatest cosine with one that was taken, at least 0; ``spread`` is the difference between
    the best and the last score, so that the scale of scores does not matter. What has no vector is like nothing.

    The reason ``diversity`` has the likeness as its score, and what it adds makes the score of each what it was taken
    for, counted from the best score: the first keeps its score, and scores go on falling. No score leaves the range of
    those that came in. Things of one of the ``slots``, by id, stay in the order in which they came in.
    """
    if not diversity or len(ranked) <= 1:
        return list(ranked)
    scores = np.array([item.score for item in ranked])
    best, spread = float(scores[0]), float(scores[0] - scores[-1])
    alike, nearest = _alike(ranked, vectors), np.zeros(len(ranked))
    queues = _queues(ranked, slots or {})
    taken = list[Ranked]()
    while queues:
        values = best - (1 - diversity) * (best - scores) - diversity * spread * nearest
        place, value = _next(queues, values)
        taken.append(moved_to(ranked[place], value, DIVERSITY, float(nearest[place])))
        nearest = np.maximum(nearest, alike[place])
    return taken


def _next(queues: list[list[int]], values: Floats) -> tuple[int, float]:
    """Take the first of the queue with the greatest value; it is worth as much as the best that waits behind it."""
    worth = [max(float(values[place]) for place in queue) for queue in queues]
    chosen = max(range(len(queues)), key=lambda at: (worth[at], -queues[at][0]))
    place = queues[chosen].pop(0)
    if not queues[chosen]:
        del queues[chosen]
    return place, worth[chosen]


def _queues(ranked: Sequence[Ranked], slots: Mapping[str, Hashable]) -> list[list[int]]:
    """The places of what is to stay in order, slot by slot, and of everything else alone."""
    queues = dict[Hashable, list[int]]()
    for place, item in enumerate(ranked):
        queues.setdefault(("slot", slots[item.id]) if item.id in slots else ("alone", place), []).append(place)
    return list(queues.values())


def _alike(ranked: Sequence[Ranked], vectors: Mapping[str, Vector]) -> Floats:
    """The cosine of each two, at least 0. A vector of another length than the first is of another model: like none."""
    known = [vectors.get(item.id) or [] for item in ranked]
    dimensions = next((len(vector) for vector in known if vector), 1)
    table = np.array([vector if len(vector) == dimensions else [0.0] * dimensions for vector in known])
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    units = np.divide(table, lengths, out=np.zeros_like(table), where=lengths > 0)
    return np.clip(units @ units.T, 0.0, 1.0)
