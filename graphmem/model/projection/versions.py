"""Attributes make versions: “dev at Acme”, later “lead at Acme”, is one relationship in two versions.

A claim that is silent on a key supports any value of it; only a different value of the same key starts a version. The
values of a key follow each other as those of a slot of one value do: a later start cuts the earlier value, and what was
cut never resumes. The first value of a key holds from the beginning, for nothing was said against it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

from graphmem.model.claim import Scalar
from graphmem.model.interval import Interval
from graphmem.model.projection.pieces import Extents, Piece, coalesced, latest

Attributes = Mapping[str, Scalar]


@dataclass(frozen=True, slots=True)
class _Values:
    """What a key is said to be over time, in order."""

    stretches: Sequence[tuple[Interval, Scalar]]

    def at(self, instant: datetime) -> Scalar:
        return next((value for interval, value in self.stretches if interval.contains(instant)), None)


def versions(piece: Piece, extents: Extents) -> list[Piece]:
    """The piece cut where an attribute gets a different value, or where the stated time of a value ends."""
    keys = {key for placed in piece.claims for key, value in placed.claim.attributes.items() if value is not None}
    if not keys:
        return [piece]
    values = {key: _values(key, piece, extents) for key in sorted(keys)}
    cuts = {end for one in values.values() for interval, _ in one.stretches for end in (interval.start, interval.end)}
    instants = sorted({*cuts, piece.interval.start, piece.interval.end})
    if len(instants) > 2:  # noqa: PLR2004 - the two ends of the piece
        return [_version(piece, Interval(*ends), values, extents) for ends in pairwise(instants)]
    return [replace(piece, attributes=_at(piece.interval.start, values))]


def compatible(said: Attributes, believed: Attributes) -> bool:
    """Whether a claim that says this supports a belief of that: no key has two values."""
    return all(value is None or believed.get(key) is None or same(value, believed[key]) for key, value in said.items())


def same(one: Scalar, other: Scalar) -> bool:
    """True and 1 are two values."""
    return type(one) is type(other) and one == other


def _values(key: str, piece: Piece, extents: Extents) -> _Values:
    """The stretches of a key within the piece; the first one from its beginning."""
    saying = [
        replace(placed, target=json.dumps(placed.claim.attributes[key]))
        for placed in sorted(piece.claims, key=lambda placed: placed.order)
        if placed.claim.attributes.get(key) is not None
    ]
    stretches: list[tuple[Interval, Scalar]] = []
    for stretch in coalesced(latest(saying, extents)):
        start = stretch.interval.start if stretches else piece.interval.start
        end = min(stretch.interval.end, piece.interval.end)
        if start < end:
            stretches.append((Interval(start, end), stretch.claims[0].claim.attributes[key]))
    return _Values(stretches)


def _version(piece: Piece, interval: Interval, values: Mapping[str, _Values], extents: Extents) -> Piece:
    """The claims of the piece that hold then and do not say otherwise; those that start then come first."""
    attributes = _at(interval.start, values)
    claims = [
        placed
        for placed in piece.claims
        if extents[placed.id].overlaps(interval) and compatible(placed.claim.attributes, attributes)
    ]
    return Piece(interval, claims, attributes, version=True)


def _at(instant: datetime, values: Mapping[str, _Values]) -> dict[str, Scalar]:
    return {key: value for key, one in values.items() if (value := one.at(instant)) is not None}
