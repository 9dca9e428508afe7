"""Reciprocal rank fusion: Cormack, Clarke & Büttcher, SIGIR 2009, with their k = 60.

https://doi.org/10.1145/1571941.1572114
"""

from collections.abc import Iterable, Mapping, Sequence

from graphmem.model.recall import Contribution, Ranked

K = 60


def fuse(channels: Mapping[str, Sequence[tuple[str, str, float]]]) -> list[Ranked]:
    """Merge ranked lists, each of (kind, id, score) with the best first.

    A thing's score is the sum over the lists of ``1 / (60 + rank)``; ties are broken by kind and id.
    """
    found: dict[tuple[str, str], list[Contribution]] = {}
    for channel, hits in channels.items():
        for rank, (kind, id_, score) in enumerate(_once(hits), start=1):
            part = Contribution(channel=channel, rank=rank, score=score, contribution=1 / (K + rank))
            found.setdefault((kind, id_), []).append(part)
    ranked = [
        Ranked(kind=kind, id=id_, score=sum(part.contribution for part in parts), contributions=tuple(parts))
        for (kind, id_), parts in found.items()
    ]
    return sorted(ranked, key=lambda item: (-item.score, item.kind, item.id))


def _once(hits: Iterable[tuple[str, str, float]]) -> Iterable[tuple[str, str, float]]:
    seen: set[tuple[str, str]] = set()
    for kind, id_, score in hits:
        if (kind, id_) not in seen:
            seen.add((kind, id_))
            yield kind, id_, score
