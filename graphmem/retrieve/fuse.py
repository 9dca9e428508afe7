"""Reciprocal rank fusion: Cormack, Clarke & Büttcher, SIGIR 2009, with their k = 60.

https://doi.org/10.1145/1571941.1572114
"""

from collections.abc import Iterable, Mapping, Sequence

from graphmem.model.hits import Contribution, Ranked

K = 60
OF_OPEN = 0.9
"""What a contribution to an open belief counts: as much as it does some six ranks lower. An estimate."""

ListedHit = tuple[str, str, float, bool]
"""Kind, id, score, and whether it is an open belief."""


def fuse(channels: Mapping[str, Sequence[ListedHit]]) -> list[Ranked]:
    """Merge ranked lists, each with the best first.

    A thing's score is the sum over the lists of ``1 / (60 + rank)``, of open beliefs less; ties are broken by kind and
    id.
    """
    found: dict[tuple[str, str], list[Contribution]] = {}
    opened = {hit[:2] for hits in channels.values() for hit in hits if hit[3]}
    for channel, hits in channels.items():
        for rank, (kind, id_, score, is_open) in enumerate(_once(hits), start=1):
            counted = (OF_OPEN if is_open else 1.0) / (K + rank)
            part = Contribution(channel=channel, rank=rank, score=score, contribution=counted)
            found.setdefault((kind, id_), []).append(part)
    ranked = [
        Ranked(
            kind=kind,
            id=id_,
            score=sum(part.contribution for part in parts),
            contributions=tuple(parts),
            open=(kind, id_) in opened,
        )
        for (kind, id_), parts in found.items()
    ]
    return sorted(ranked, key=lambda item: (-item.score, item.kind, item.id))


def _once(hits: Iterable[ListedHit]) -> Iterable[ListedHit]:
    seen: set[tuple[str, str]] = set()
    for hit in hits:
        if hit[:2] not in seen:
            seen.add(hit[:2])
            yield hit
