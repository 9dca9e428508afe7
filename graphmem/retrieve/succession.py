"""Hits of which one stands for others: those that say the same, and versions of what replaced one another."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from graphmem.model.hits import Ranked, Version
from graphmem.retrieve.scales import moved_to

ALIKE = 0.92
"""Cosine from which two statements of one subject and one day are taken for wordings of one thing."""

REPLACES = "replaces"


def one_wording(ranked: Sequence[Ranked], alike: Iterable[tuple[str, str]]) -> list[Ranked]:
    """The things found without those that say the same as a better one, which names them.

    ``alike`` are pairs of ids. What is like a thing that is left out, and like none that stays, stays.
    """
    others: defaultdict[str, set[str]] = defaultdict(set)
    for left, right in alike:
        others[left].add(right)
        others[right].add(left)
    shown: dict[str, Ranked] = {}
    for item in ranked:
        same = next((shown[id_] for id_ in shown if id_ in others[item.id]), None)
        if same is None:
            shown[item.id] = item
        else:
            shown[same.id] = replace(same, other_wordings=(*same.other_wordings, item.id))
    return list(shown.values())


def in_succession(ranked: Sequence[Ranked], versions: Iterable[Version]) -> list[Ranked]:
    """The things found, one version of each belief, in an order in which none stands below what it replaced.

    Of several versions of one belief the newest stands for all. What replaced something is worth as much: where its
    own score is less, ``replaces`` is a reason that makes up for the difference.
    """
    scores = {item.id: item.score for item in ranked}
    known = {version.id: version for version in versions if version.id in scores}
    least, places = dict[str, float](), dict[str, int]()
    for oldest_first in _by_slot(known.values()):
        least |= _raised(oldest_first, scores)
        newest = {version.belief_id: version for version in oldest_first}
        shown = sorted(newest.values(), key=lambda version: version.order, reverse=True)
        places |= {version.id: place for place, version in enumerate(shown)}
    kept = [_lifted(item, least) for item in ranked if item.id not in known or item.id in places]
    return sorted(kept, key=lambda item: (-item.score, places.get(item.id, 0), item.kind, item.id))


def replaced(ranked: Iterable[Ranked], versions: Sequence[Version]) -> dict[str, str]:
    """Which versions are not among what is ``in_succession``, each with the one of its belief that stands for it."""
    ids = {item.id for item in ranked}
    standing = {(version.slot, version.belief_id): version.id for version in versions if version.id in ids}
    missing = [(version.id, (version.slot, version.belief_id)) for version in versions if version.id not in ids]
    return {id_: standing[belief] for id_, belief in missing if belief in standing}


def unfound(versions: Iterable[Version], others: Iterable[Version]) -> list[str]:
    """The ids of those ``others`` that replaced one of the ``versions``, which are what was found.

    Of each slot the newest of all counts, unless it was found.
    """
    hits = list(versions)
    slots, ids = {version.slot for version in hits}, {version.id for version in hits}
    of_slots = [*hits, *(version for version in others if version.slot in slots)]
    newest = {version.slot: version.id for version in sorted(of_slots, key=lambda version: version.order)}
    return sorted(set(newest.values()) - ids)


def _by_slot(versions: Iterable[Version]) -> Iterable[list[Version]]:
    slots = defaultdict[tuple[object, ...], list[Version]](list)
    for version in sorted(versions, key=lambda version: version.order):
        slots[version.slot].append(version)
    return slots.values()


def _raised(oldest_first: Iterable[Version], scores: Mapping[str, float]) -> dict[str, float]:
    """For each version the best score of it and of all that it may have replaced."""
    best, raised = float("-inf"), dict[str, float]()
    for version in oldest_first:
        best = raised[version.id] = max(best, scores[version.id])
    return raised


def _lifted(item: Ranked, least: Mapping[str, float]) -> Ranked:
    score = least.get(item.id, item.score)
    return moved_to(item, score, REPLACES, score) if score > item.score else item
