"""An order of hits by preference: what is newer or surer counts more, and none is too like one above it.

The latter is maximal marginal relevance: Carbonell & Goldstein, The use of MMR, diversity-based reranking, SIGIR 1998,
https://doi.org/10.1145/290941.291025.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from graphmem.model.embedding import Vector
from graphmem.model.hits import Contribution, Ranked
from graphmem.model.interval import BEGIN
from graphmem.model.search import Preferences, Traits
from graphmem.retrieve.scales import moved_to

DIVERSITY = "diversity"

Floats = NDArray[np.float64]

RECENCY, CONFIDENCE = "recency", "confidence"
_DAY = timedelta(days=1)


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


def preferring(
    ranked: Sequence[Ranked], traits: Mapping[str, Traits], preferences: Preferences, now: datetime
) -> list[Ranked]:
    """The things found, best first, with what ``recency`` and ``confidence`` add to the score of each.

    Recency adds its share of the best score, halved for every half-life between ``since`` and ``now``; confidence takes
    away its share of the best score times what is missing of certainty. What has no ``since`` or no confidence is as it
    was.
    """
    best = max((abs(item.score) for item in ranked), default=0.0)
    weighed = [
        _with(item, list(_reasons(traits[item.id], preferences, best, now)) if item.id in traits else [])
        for item in ranked
    ]
    return sorted(weighed, key=lambda item: (-item.score, item.kind, item.id))


def freshness(since: datetime, now: datetime, half_life_days: float) -> float:
    """1 of what is of now, half as much for every half-life before; what is yet to come is of now."""
    return 0.5 ** (max(0.0, (now - since) / _DAY) / half_life_days)


def _reasons(traits: Traits, preferences: Preferences, best: float, now: datetime) -> Iterator[Contribution]:
    if preferences.recency and traits.since is not None and traits.since > BEGIN:
        fresh = freshness(traits.since, now, preferences.half_life_days)
        yield Contribution(channel=RECENCY, score=fresh, contribution=preferences.recency * best * fresh)
    if preferences.confidence and traits.confidence is not None:
        missing = 1 - traits.confidence
        lost = preferences.confidence * best * missing
        yield Contribution(channel=CONFIDENCE, score=traits.confidence, contribution=-lost)


def _with(item: Ranked, reasons: Sequence[Contribution]) -> Ranked:
    added = sum(reason.contribution for reason in reasons)
    return replace(item, score=item.score + added, contributions=(*item.contributions, *reasons))
