"""Attributes make versions: “dev at Acme”, later “lead at Acme”, is one relationship in two versions.

A claim that is silent on a key supports any value of it; only a different value of the same key starts a version. The
values of a key follow each other as those of a slot of one value do: a later start cuts the earlier value, and what was
cut never resumes. The first value of a key holds from the beginning, for nothing was said against it.
"""

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from graphmem.model.claim import Scalar
from graphmem.model.interval import Interval
from graphmem.model.projection.pieces import Extents, Piece, coalesced, latest
from graphmem.model.projection.slot import PlacedClaim

Attributes = Mapping[str, Scalar]


class _Values:
    """What a key is said to be over time, in order."""

    def __init__(self, stretches: Sequence[tuple[Interval, Scalar]]) -> None:
        self._stretches = stretches
        self._starts = [interval.start for interval, _ in stretches]

    def at(self, instant: datetime) -> Scalar:
        position = bisect_right(self._starts, instant) - 1
        if position < 0 or not self._stretches[position][0].contains(instant):
            return None
        return self._stretches[position][1]

    def instants(self) -> Iterator[datetime]:
        for interval, _ in self._stretches:
            yield from (interval.start, interval.end)


def versions(piece: Piece, extents: Extents) -> list[Piece]:
    """The piece cut where an attribute gets a different value, or where the stated time of a value ends."""
    keys = {key for placed in piece.claims for key, value in placed.claim.attributes.items() if value is not None}
    if not keys:
        return [piece]
    claims = sorted({placed.id: placed for placed in piece.claims}.values(), key=lambda placed: placed.order)
    values = {key: _values(key, piece, claims, extents) for key in sorted(keys)}
    cuts = {instant for one in values.values() for instant in one.instants()}
    instants = sorted({*cuts, piece.interval.start, piece.interval.end})
    if len(instants) > 2:  # noqa: PLR2004 - the two ends of the piece
        return list(_cut(instants, claims, values, extents))
    return [replace(piece, attributes=_at(piece.interval.start, values))]


def _cut(
    instants: Sequence[datetime], claims: Sequence[PlacedClaim], values: Mapping[str, _Values], extents: Extents
) -> Iterator[Piece]:
    """The versions between neighbouring instants, each with the claims that begin in it and do not say otherwise.

    Where none begins, the last one that runs on carries it: nothing that was said after it is against it.
    """
    position, begun = 0, list[PlacedClaim]()
    for start, end in pairwise(instants):
        attributes, own = _at(start, values), list[PlacedClaim]()
        while position < len(claims) and claims[position].start < end:
            begun.append(claims[position])
            if compatible(claims[position].claim.attributes, attributes):
                own.append(claims[position])
            position += 1
        if not own:
            while extents[begun[-1].id].end <= start:
                begun.pop()
            own.append(begun[-1])
        yield Piece(Interval(start, end), own, attributes, version=True)


def compatible(said: Attributes, believed: Attributes) -> bool:
    """Whether a claim that says this supports a belief of that: no key has two values."""
    return all(value is None or believed.get(key) is None or same(value, believed[key]) for key, value in said.items())


def same(one: Scalar, other: Scalar) -> bool:
    """True and 1 are two values."""
    return type(one) is type(other) and one == other


def _values(key: str, piece: Piece, claims: Sequence[PlacedClaim], extents: Extents) -> _Values:
    """The stretches of a key within the piece; the first one from its beginning."""
    saying = [
        replace(placed, target=json.dumps(placed.claim.attributes[key]))
        for placed in claims
        if placed.claim.attributes.get(key) is not None
    ]
    stretches: list[tuple[Interval, Scalar]] = []
    for stretch in coalesced(latest(saying, extents)):
        start = stretch.interval.start if stretches else piece.interval.start
        end = min(stretch.interval.end, piece.interval.end)
        if start < end:
            stretches.append((Interval(start, end), stretch.claims[0].claim.attributes[key]))
    return _Values(stretches)


def _at(instant: datetime, values: Mapping[str, _Values]) -> dict[str, Scalar]:
    return {key: value for key, one in values.items() if (value := one.at(instant)) is not None}
