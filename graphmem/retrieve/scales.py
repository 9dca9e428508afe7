"""Scores of different lists on one scale, the parts of a score, and lists made one by their ranks alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from graphmem.model.hits import Contribution, Ranked

Listed = Mapping[str, Sequence[Sequence[tuple[str, float]]]]
"""By channel its lists: hits with the scores of an index, best first."""

BEST = 30
"""In a list of vectors, the cosine at this rank is as good as none."""


def with_raw(ranked: Sequence[Ranked], listed: Listed) -> list[Ranked]:
    """The hits with the score of the index at each reason, and a reason for each list that counts nothing for a hit."""
    places = {channel: _places(lists) for channel, lists in listed.items()}
    return [replace(item, contributions=(*_named(item, places), *_silent(item, places))) for item in ranked]


Places = Mapping[str, tuple[int, float]]


def _places(lists: Sequence[Sequence[tuple[str, float]]]) -> Places:
    return {id_: (rank, score) for hits in lists for rank, (id_, score) in enumerate(hits, start=1)}


def _named(item: Ranked, places_of: Mapping[str, Places]) -> list[Contribution]:
    places = {channel: ids[item.id] for channel, ids in places_of.items() if item.id in ids}
    return [
        replace(part, raw=places[part.channel][1]) if part.channel in places else part for part in item.contributions
    ]


def _silent(item: Ranked, places_of: Mapping[str, Places]) -> list[Contribution]:
    named = {part.channel for part in item.contributions}
    return [
        Contribution(channel=channel, rank=ids[item.id][0], score=0.0, contribution=0.0, raw=ids[item.id][1])
        for channel, ids in places_of.items()
        if item.id in ids and channel not in named
    ]


def by_best(hits: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Full-text scores from 0 to 1, the best."""
    scores = dict(hits)
    best = max(scores.values(), default=0.0)
    return {id_: score / best for id_, score in scores.items()} if best > 0 else {}


def by_range(values: Mapping[str, float | None], ranked: Sequence[float]) -> dict[str, float]:
    """Values from 0, that of rank ``BEST`` of the ``ranked`` ones, best first, to 1, the best."""
    if not ranked:
        return {}
    best, last = ranked[0], ranked[:BEST][-1]
    return {
        id_: max(0.0, (value - last) / (best - last)) if best > last else float(value >= best)
        for id_, value in values.items()
        if value is not None
    }


def of_lists(
    text: Sequence[tuple[str, float]], vector: Sequence[tuple[str, float]]
) -> tuple[dict[str, float], dict[str, float]]:
    """The hits of a full-text list and of a vector list, best first, each on a scale from 0 to 1."""
    return by_best(text), by_range(dict(vector), [score for _, score in vector])


def part(channel: str, weight: float, score: float | None, rank: int | None = None) -> Contribution:
    """What a channel adds to a score."""
    score = score or 0.0
    return Contribution(channel=channel, rank=rank, score=score, contribution=weight * score)


def total(parts: Iterable[Contribution]) -> float:
    return sum(reason.contribution for reason in parts)


def ranked(kind: str, id_: str, parts: Iterable[Contribution], worth: float, *, is_open: bool = False) -> Ranked:
    """A thing with the parts that say something, also where their weight is 0; a point is ``worth`` so much."""
    counted = tuple(
        Contribution(
            channel=reason.channel, rank=reason.rank, score=reason.score, contribution=worth * reason.contribution
        )
        for reason in parts
        if reason.score
    )
    return Ranked(kind=kind, id=id_, score=total(counted), contributions=counted, open=is_open)


def moved_to(item: Ranked, score: float, channel: str, says: float) -> Ranked:
    """The hit with another score. The reason ``channel``, which ``says`` so much, makes up the difference."""
    reason = Contribution(channel=channel, score=says, contribution=score - item.score)
    return replace(item, score=score, contributions=(*item.contributions, reason))


def ranks(hits: Iterable[tuple[str, float]]) -> dict[str, int]:
    """The place of each, from 1."""
    return {id_: rank for rank, (id_, _) in enumerate(hits, start=1)}


K = 60
OF_OPEN = 0.9
"""What a contribution to an open belief counts: as much as it does some six ranks lower. An estimate."""

ListedHit = tuple[str, str, float, bool]
"""Kind, id, score, and whether it is an open belief."""


def fuse(channels: Mapping[str, Sequence[ListedHit]]) -> list[Ranked]:
    """Merge ranked lists, each with the best first, by reciprocal rank fusion with k = 60.

    Cormack, Clarke & Büttcher, SIGIR 2009, https://doi.org/10.1145/1571941.1572114

    A thing's score is the sum over the lists of ``1 / (60 + rank)``, of open beliefs less; ties are broken by kind and
    id.
    """
    by_thing: dict[tuple[str, str], list[Contribution]] = {}
    opened = {hit[:2] for hits in channels.values() for hit in hits if hit[3]}
    for channel, hits in channels.items():
        for rank, (kind, id_, score, is_open) in enumerate(_once(hits), start=1):
            counted = (OF_OPEN if is_open else 1.0) / (K + rank)
            part = Contribution(channel=channel, rank=rank, score=score, contribution=counted)
            by_thing.setdefault((kind, id_), []).append(part)
    ranked = [
        Ranked(
            kind=kind,
            id=id_,
            score=sum(part.contribution for part in parts),
            contributions=tuple(parts),
            open=(kind, id_) in opened,
        )
        for (kind, id_), parts in by_thing.items()
    ]
    return sorted(ranked, key=lambda item: (-item.score, item.kind, item.id))


def _once(hits: Iterable[ListedHit]) -> Iterable[ListedHit]:
    seen: set[tuple[str, str]] = set()
    for hit in hits:
        if hit[:2] not in seen:
            seen.add(hit[:2])
            yield hit
