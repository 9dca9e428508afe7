"""Pieces of valid time over which one value is believed, with the claims that make them, and where they start.

A claim may say only when it ended: “I lived in Rome until 2015”. Where many values hold, its start stays unknown. Where
one value holds at a time, it starts after the last instant before its end at which another value is known to have held:
the start of that one, or its end if that is known, too.

Attributes make versions: “dev at Acme”, later “lead at Acme”, is one relationship in two versions. A claim that is
silent on a key supports any value of it; only a different value of the same key starts a version. The values of a key
follow each other as those of a slot of one value do: a later start cuts the earlier value, and what was cut never
resumes. The first value of a key holds from the beginning, for nothing was said against it.
"""

import json
from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from operator import attrgetter

from graphmem.model.claim import Scalar
from graphmem.model.interval import BEGIN, END, MICROSECOND, Interval
from graphmem.model.projection.predicate import ONE, Policy
from graphmem.model.projection.slot import PlacedClaim

Extents = dict[str, Interval]
"""How long each claim that asserts says it holds, by claim id; those that hold at no time are left out."""


@dataclass(frozen=True, slots=True)
class Stay:
    """An interval over which a claim has its value believed.

    ``cut_by`` is the id of a claim that ends it, "" where its end is said of the value itself, or there is none.
    """

    interval: Interval
    claim: PlacedClaim
    cut_by: str = ""


Stays = Iterable[Stay]


@dataclass(slots=True)
class Piece:
    """An interval over which one value is believed, with the claims that make it.

    ``attributes`` are what they say beside; a ``version`` is a part of a piece, over which these have one value each.
    ``cut_by`` is the id of a claim that says nothing of the value and ends it, "" where none does.
    """

    interval: Interval
    claims: list[PlacedClaim]
    cut_by: str = ""
    attributes: Mapping[str, Scalar] = field(default_factory=dict[str, Scalar])
    version: bool = False

    @property
    def target(self) -> str:
        return self.claims[0].target

    @property
    def first(self) -> PlacedClaim:
        """The claim that lends its words: of a version rather one that starts with it than one that runs on."""
        return min(self.claims, key=lambda claim: (self.version and claim.start < self.interval.start, claim.order))

    def add(self, stay: Stay) -> None:
        """Go on with a stay that meets it."""
        if stay.interval.end > self.interval.end:
            self.cut_by = stay.cut_by
        self.interval = self.interval.union(stay.interval)
        self.claims.append(stay.claim)


class Stretches:
    """Intervals of several values, to ask whether any of another value overlaps one."""

    def __init__(self) -> None:
        self._all: tuple[list[datetime], list[datetime]] = ([], [])
        self._of: dict[str, tuple[list[datetime], list[datetime]]] = defaultdict(lambda: ([], []))

    def add(self, target: str, interval: Interval) -> None:
        for starts, ends in (self._all, self._of[target]):
            insort(starts, interval.start)
            insort(ends, interval.end)

    def of_another(self, target: str, interval: Interval) -> bool:
        """Count those that begin before its end and do not end by its start: all, against those of this value."""
        everybody, own = (
            bisect_left(starts, interval.end) - bisect_right(ends, interval.start)
            for starts, ends in (self._all, self._of[target])
        )
        return everybody > own


class KnownEnds:
    """The ends that claims of a slot tell, to ask for the first end of a value at an instant or after it.

    An end of no value in particular is that of each.
    """

    def __init__(self, claims: Iterable[PlacedClaim]) -> None:
        self._of: dict[str, list[datetime]] = defaultdict(list)
        for claim in sorted((claim for claim in claims if claim.ends), key=attrgetter("start")):
            self._of[claim.target].append(claim.start)

    def first_at(self, target: str, start: datetime) -> datetime:
        """``END`` where there is none."""
        return min(first_at(self._of.get(of, ()), start) for of in ("", target))


def first_at(instants: Sequence[datetime], start: datetime) -> datetime:
    """The first of some instants in order that is not before another one; ``END`` where there is none."""
    place = bisect_left(instants, start)
    return instants[place] if place < len(instants) else END


def extents_of(claims: Iterable[PlacedClaim], ends: KnownEnds) -> Extents:
    """To the stated end, else to the first of the known ends at or after the start."""
    extents: Extents = {}
    for claim in claims:
        start, end = claim.start, claim.claim.valid_to
        if not claim.claim.to_stated:
            end = ends.first_at(claim.target, start)
        if claim.asserts and start < end:
            extents[claim.id] = Interval(start, end)
    return extents


def latest(begun: Sequence[PlacedClaim], extents: Extents) -> Stays:
    """Each claim stays until the next of another value begins; what was cut never resumes."""
    cutting: PlacedClaim | None = None
    after: PlacedClaim | None = None
    for claim in reversed(begun):
        if after is not None and claim.target != after.target:
            cutting = after
        after = claim
        if claim.id in extents:
            yield from _until(claim, extents[claim.id], cutting)


def _until(claim: PlacedClaim, extent: Interval, cutting: PlacedClaim | None) -> Stays:
    """How long a claim has its value believed that another one may cut."""
    if cutting is None or extent.end <= cutting.start:
        yield Stay(extent, claim)
    elif extent.start < cutting.start:
        yield Stay(Interval(extent.start, cutting.start), claim, cut_by=cutting.id)


def coalesced(stays: Stays) -> list[Piece]:
    """Join stays of one value that overlap or touch; in order of time."""
    joined: list[Piece] = []
    for stay in sorted(stays, key=lambda stay: (stay.claim.target, stay.interval, stay.claim.order)):
        last = joined[-1] if joined else None
        if last is not None and last.target == stay.claim.target and last.interval.meets(stay.interval):
            last.add(stay)
        else:
            joined.append(Piece(stay.interval, [stay.claim], stay.cut_by))
    return sorted(joined, key=lambda piece: (piece.interval, piece.target))


def insists(claim: PlacedClaim, extent: Interval, policy: Policy) -> Interval:
    """The part of its ``extent`` in which a claim excludes every other value.

    Where the latest start is believed, a start that tells no end leaves it to the next start to end what it says.
    """
    if policy.competition == ONE and not claim.claim.to_stated:
        return Interval(extent.start, extent.start + MICROSECOND)
    return extent


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
        instants = {
            (instant, claim.target)
            for claim in asserted
            if claim.id in extents
            for instant in (extents[claim.id].start, extents[claim.id].end)
            if instant not in (BEGIN, END)
        }
        ordered = sorted(instants)
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
    cuts = {instant for stretches in values.values() for instant in stretches.instants()}
    instants = sorted({*cuts, piece.interval.start, piece.interval.end})
    if len(instants) > 2:  # noqa: PLR2004 - the two ends of the piece
        return list(_cut(piece, instants, claims, values, extents))
    return [replace(piece, attributes=_at(piece.interval.start, values))]


def _cut(
    piece: Piece,
    instants: Sequence[datetime],
    claims: Sequence[PlacedClaim],
    values: Mapping[str, _Values],
    extents: Extents,
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
        cut_by = piece.cut_by if end == piece.interval.end else ""
        yield Piece(Interval(start, end), own, cut_by, attributes, version=True)


def compatible(claimed: Attributes, believed: Attributes) -> bool:
    """Whether a claim that says this supports a belief of that: no key has two values."""
    return all(
        value is None or believed.get(key) is None or same(value, believed[key]) for key, value in claimed.items()
    )


def same(left: Scalar, right: Scalar) -> bool:
    """True and 1 are two values."""
    return type(left) is type(right) and left == right


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
    return {key: value for key, stretches in values.items() if (value := stretches.at(instant)) is not None}
