"""Search hits that say the same in other words: the best of them stands for all."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from graphmem.model.recall import Ranked

ALIKE = 0.92
"""Cosine from which two statements of one subject and one day are taken for wordings of one thing."""


def one_wording(ranked: Sequence[Ranked], alike: Iterable[tuple[str, str]]) -> list[Ranked]:
    """The things found without those that say the same as a better one, which names them.

    ``alike`` are pairs of ids. What is like a thing that is left out, and like none that stays, stays.
    """
    others: defaultdict[str, set[str]] = defaultdict(set)
    for one, other in alike:
        others[one].add(other)
        others[other].add(one)
    shown: dict[str, Ranked] = {}
    for item in ranked:
        same = next((shown[id_] for id_ in shown if id_ in others[item.id]), None)
        if same is None:
            shown[item.id] = item
        else:
            shown[same.id] = replace(same, other_wordings=(*same.other_wordings, item.id))
    return list(shown.values())
