"""Which facts about somebody a context has beside those that must be known."""

from collections.abc import Iterable, Mapping

from graphmem.model.composed import Candidate
from graphmem.model.hits import Ranked
from graphmem.model.search import EPISODE

_NEARNESS, _USE = 0.5, 0.1
"""What the nearest belief to the query, and the most used one, have over others of the same importance."""
_MANY_USES = 10


def chosen(candidates: Iterable[Candidate], near: Mapping[str, float], limit: int) -> list[str]:
    """The ids of the first so many, by importance, nearness to the query (0 to 1, by id), and use.

    Of equals those that come first. “Order me something for lunch” prefers the taste for Thai food to a colour.
    """

    def worth(one: Candidate) -> float:
        used = min(one.uses, _MANY_USES) / _MANY_USES
        return one.importance + _NEARNESS * near.get(one.id, 0.0) + _USE * used

    return [one.id for one in sorted(candidates, key=worth, reverse=True)[:limit]]


def nearness(ranked: Iterable[Ranked]) -> dict[str, float]:
    """How near beliefs are to the query, by id: their share of the best score."""
    scores = {one.id: one.score for one in ranked if one.kind != EPISODE and one.score > 0}
    best = max(scores.values(), default=1.0)
    return {id_: score / best for id_, score in scores.items()}
