"""Stated starts that a later statement of the same value corrects, or that a finer one refines.

“I moved to Oslo in January 2024”, and later “I was wrong, I moved in March”: since March. “I moved in 2024” and “I
moved in March 2024”, in whatever order: since March, for the year has the month in it. Both remain evidence of one
belief.

A start corrects another one of the same value, with the same attributes, only where both are stated, the two would be
one belief, and neither another value begins nor the value ends between them. Structured claims neither correct nor are
corrected so: whoever makes those says which claim is wrong. They may refine what was said.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from graphmem.model.claim import attributes_json
from graphmem.model.interval import BEGIN, Interval
from graphmem.model.projection.slot import PlacedClaim

_CLOCK_CHANGE = timedelta(hours=1)
"""By so much the end of a month may be earlier or later than its days are long."""


def corrections(
    standing: Iterable[PlacedClaim], extents: Mapping[str, Interval], parting: Iterable[PlacedClaim]
) -> Mapping[str, PlacedClaim]:
    """For each claim whose stated start another one corrects or refines, by its id: that other claim.

    ``standing`` are the claims of a slot that count, in their order, ``extents`` how long each of them says that it
    holds, by id. ``parting`` are those of them that, between two starts of one value, show that it held twice.
    """
    alike: dict[tuple[str, str], list[PlacedClaim]] = defaultdict(list)
    for claim in standing:
        if claim.id in extents and _states_start(claim):
            alike[claim.target, _said_beside(claim)].append(claim)
    several = [same for same in alike.values() if len(same) > 1]
    if not several:
        return {}
    between = _PartingInstants(parting)
    runs = (run for same in several for run in _runs(same, extents, between))
    return {id_: stands for run in runs for id_, stands in _corrected(run, extents)}


def _states_start(claim: PlacedClaim) -> bool:
    return claim.claim.kind.begins and claim.claim.from_stated and claim.start != BEGIN


def _said_beside(claim: PlacedClaim) -> str:
    """The attributes that a claim states, as JSON: “lead since May” corrects no start of the job without it."""
    return attributes_json({key: value for key, value in claim.claim.attributes.items() if value is not None})


class _PartingInstants:
    """Instants at which values begin and end, to ask whether any part two starts of one value."""

    def __init__(self, claims: Iterable[PlacedClaim]) -> None:
        self._begun: list[datetime] = []
        self._begun_of: dict[str, list[datetime]] = defaultdict(list)
        self._ended_of: dict[str, list[datetime]] = defaultdict(list)
        for claim in sorted(claims, key=lambda claim: claim.start):
            if claim.asserts:
                self._begun.append(claim.start)
                self._begun_of[claim.target].append(claim.start)
            elif claim.ends:
                self._ended_of[claim.target].append(claim.start)

    def parts(self, first: PlacedClaim, second: PlacedClaim) -> bool:
        """Whether another value begins between the two, or their value ends as one of them begins or between them."""
        ended = (self._ended_of.get(target, []) for target in {first.target, ""})
        if any(bisect_left(some, first.start) < bisect_right(some, second.start) for some in ended):
            return True
        everybody, own = (
            bisect_left(begun, second.start) - bisect_right(begun, first.start)
            for begun in (self._begun, self._begun_of[first.target])
        )
        return everybody > own


def _runs(
    same: Sequence[PlacedClaim], extents: Mapping[str, Interval], between: _PartingInstants
) -> Iterator[Sequence[PlacedClaim]]:
    """Starts of one value that would be one belief, with nothing between them; ``same`` in order of time."""
    run, until = list[PlacedClaim](), BEGIN
    for claim in same:
        if run and (claim.start >= until or between.parts(run[-1], claim)):
            yield run
            run, until = [], BEGIN
        run.append(claim)
        until = max(until, extents[claim.id].end)
    yield run


def _corrected(run: Sequence[PlacedClaim], extents: Mapping[str, Interval]) -> Iterator[tuple[str, PlacedClaim]]:
    """The claims of a run that hold since another start than they say, and the one that says since when."""
    spoken = [claim for claim in run if not claim.claim.is_structured]
    if not spoken:
        return
    stands = _newest(spoken)
    while finer := [claim for claim in run if _contains(stands, claim)]:
        stands = _newest(finer)
    for claim in spoken:
        if claim.start != stands.start < extents[claim.id].end and extents[stands.id].end > claim.start:
            yield claim.id, stands


def _newest(claims: Sequence[PlacedClaim]) -> PlacedClaim:
    """What was said last; of what was said at once, the first in order of time."""
    last = max(claim.telling for claim in claims)
    return min((claim for claim in claims if claim.telling == last), key=lambda claim: claim.order)


def _contains(coarse: PlacedClaim, fine: PlacedClaim) -> bool:
    """Whether the days that one start speaks of contain those of another: “2024” has “March 2024” in it."""
    days, others = (timedelta(days=placed.claim.from_precision) for placed in (coarse, fine))
    end = coarse.start + days
    inside = coarse.start <= fine.start < end and fine.start + others <= end + _CLOCK_CHANGE
    return others < days and inside
