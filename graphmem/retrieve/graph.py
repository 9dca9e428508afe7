"""How near beliefs are, in the graph, to the entities that a question names."""

from collections.abc import Iterable, Mapping, Sequence
from math import log10

from graphmem.model.hits import Reached

_HOPS = {1: 0.6, 2: 0.2}
"""How near a belief is by the number of relationships between it and what the question names."""
_SAID = 0.4
"""How much nearer one is whose predicate is a word of the question."""
_FEW = 10
"""Of an entity with so few beliefs each counts in full."""
_STEM = 4
"""So many letters tell two words apart, whatever their endings."""


def nearness(reached: Iterable[Reached], words: Sequence[str]) -> dict[str, float]:
    """For each belief from 0 to 1 how near it is; from two entities it is nearer than from one of them.

    One of few beliefs is nearer than one of many, and one whose predicate is among the ``words`` nearer than others.
    """
    far = dict[tuple[str, str], float]()
    for one in reached:
        path = (one.id, one.start)
        far[path] = min(far.get(path, 1.0), 1.0 - _near(one, words))
    apart = dict[str, float]()
    for (id_, _), distance in sorted(far.items()):
        apart[id_] = apart.get(id_, 1.0) * distance
    return {id_: 1.0 - distance for id_, distance in apart.items()}


def starts_beyond(reached: Sequence[Reached], most: int) -> Mapping[str, str]:
    """The entities at the other ends, with what each was reached from: of few beliefs first, at most so many."""
    starts = {one.start for one in reached}
    found = dict[str, str]()
    for one in sorted(reached, key=lambda one: (one.beliefs, one.start, one.id)):
        if one.other is not None and one.other not in starts and len(found) < most:
            found.setdefault(one.other, one.start)
    return found


def _near(one: Reached, words: Sequence[str]) -> float:
    many = 1.0 + log10(max(1.0, one.beliefs / _FEW))
    said = any(_alike(part, word) for part in one.predicate.split("_") for word in words)
    return _HOPS[one.hops] / many + (_SAID if said and one.hops == 1 else 0.0)


def _alike(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) >= _STEM and one[:_STEM] == other[:_STEM])
