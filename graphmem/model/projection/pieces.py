"""Pieces of valid time over which one value is believed, with the claims that make them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.model.claim import Scalar
from graphmem.model.interval import END, Interval
from graphmem.model.projection.slot import PlacedClaim

Extents = dict[str, Interval]
"""How long each claim that asserts says it holds, by claim id; those that hold at no time are left out."""
Pieces = Iterable[tuple[Interval, PlacedClaim]]


@dataclass(slots=True)
class Piece:
    """An interval over which one value is believed, with the claims that make it.

    ``attributes`` are what they say beside; a ``version`` is a part of a piece, over which these have one value each.
    """

    interval: Interval
    claims: list[PlacedClaim]
    attributes: Mapping[str, Scalar] = field(default_factory=dict[str, Scalar])
    version: bool = False

    @property
    def target(self) -> str:
        return self.claims[0].target

    @property
    def first(self) -> PlacedClaim:
        """The claim that lends its words: of a version rather one that starts with it than one that runs on."""
        return min(self.claims, key=lambda claim: (self.version and claim.start < self.interval.start, claim.order))


def latest(begun: Sequence[PlacedClaim], extents: Extents) -> Pieces:
    """Each until the next of another value; what was cut never resumes."""
    cut, target, start = END, "", END
    for claim in reversed(begun):
        if claim.target != target:
            cut = start
        extent = extents.get(claim.id)
        if extent is not None and extent.start < cut:
            yield Interval(extent.start, min(extent.end, cut)), claim
        target, start = claim.target, claim.start


def coalesced(pieces: Pieces) -> list[Piece]:
    """Join neighbouring pieces of one value that overlap or touch."""
    joined: list[Piece] = []
    for interval, claim in sorted(pieces, key=lambda piece: (piece[0], piece[1].order)):
        last = joined[-1] if joined else None
        if last is not None and last.target == claim.target and last.interval.meets(interval):
            last.interval = last.interval.union(interval)
            last.claims.append(claim)
        else:
            joined.append(Piece(interval, [claim]))
    return joined
