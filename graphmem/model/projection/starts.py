"""Where a claim starts that says only when it ended: “I lived in Rome until 2015”.

Where many values hold, its start stays unknown. Where one value holds at a time, it starts after the last instant
before its end at which another value is known to have held: the start of that one, or its end if that is known, too.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.model.interval import BEGIN, END, Interval
from graphmem.model.projection.slot import PlacedClaim


def is_unknown(claim: PlacedClaim) -> bool:
    """Whether a claim says when something ended, and not since when it held."""
    return claim.asserts and claim.start == BEGIN and claim.claim.to_stated


def with_starts(asserted: Sequence[PlacedClaim], extents: dict[str, Interval]) -> list[PlacedClaim]:
    """The asserting claims of a slot of one value in their order, unknown starts resolved there and in ``extents``."""
    if not any(is_unknown(claim) for claim in asserted):
        return list(asserted)
    known = _Known(asserted, extents)
    resolved: list[PlacedClaim] = []
    for claim in asserted:
        if is_unknown(claim):
            end = claim.claim.valid_to
            start = known.last_of_another(claim.target, end)
            resolved.append(replace(claim, start=start, inferred=True))
            extents[claim.id] = Interval(start, end)
        else:
            resolved.append(claim)
    return sorted(resolved, key=lambda claim: claim.order)


class _Known:
    """Instants at which values are known to hold, or to have just held; to ask for the last one of another value."""

    def __init__(self, asserted: Iterable[PlacedClaim], extents: dict[str, Interval]) -> None:
        found = {
            (instant, claim.target)
            for claim in asserted
            if claim.id in extents
            for instant in (extents[claim.id].start, extents[claim.id].end)
            if instant not in (BEGIN, END)
        }
        ordered = sorted(found)
        self._instants = [instant for instant, _ in ordered]
        self._lasts: list[tuple[tuple[datetime, str], datetime]] = []
        last, other = (BEGIN, ""), BEGIN
        for instant, target in ordered:
            if target != last[1]:
                other = last[0]
            last = (instant, target)
            self._lasts.append((last, other))

    def last_of_another(self, target: str, before: datetime) -> datetime:
        """The last instant before this one that tells of another value; BEGIN if none does."""
        position = bisect_left(self._instants, before)
        if position == 0:
            return BEGIN
        (instant, latest), other = self._lasts[position - 1]
        return other if latest == target else instant
