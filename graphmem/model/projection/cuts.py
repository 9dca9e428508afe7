"""What ends earlier values of a successive predicate: where somebody starts at Otto, the job before is over.

    Acme    ├────────────┤            Otto cuts it
    bakery       ├──────────────────  “I also work at the bakery” stands beside others
    Otto                 ├──────────  “I started at Otto”

A start of another value cuts what began before it, and so does an end of nothing in particular (“I quit my job”), which
cuts also what stands beside others. What stands beside others cuts nothing, and no start cuts it. Neither does a
confirmation cut anything, nor a start that nobody knows.

Cuts follow from the claims and are stored nowhere. There is none where a claim says otherwise: where the end of the
value is stated, and it was not begun again in between; or where it was said later that the value holds then.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from itertools import accumulate
from typing import NamedTuple

from graphmem.model.claim import NEVER, Telling
from graphmem.model.interval import BEGIN, Interval
from graphmem.model.projection.slot import PlacedClaim

_UNSAID = Telling(BEGIN, start=-1)
"""Before ``NEVER``: of what nobody said at all."""


def cutting_claims(
    asserted: Sequence[PlacedClaim], ends: Iterable[PlacedClaim], extents: dict[str, Interval]
) -> dict[str, PlacedClaim]:
    """Of each claim that is cut, by its id, the claim that cuts it first.

    ``asserted`` are the claims of a slot that assert something, ``extents`` how long each says that its value holds.
    """
    all_ends = list(ends)
    general = [end for end in all_ends if not end.target]
    stated = {(end.target, end.start) for end in all_ends if end.claim.from_stated}
    starting = (claim for claim in asserted if cuts_others(claim))
    every, unnamed = _Cutting([*starting, *general]), _Cutting(general)
    of_value: dict[str, list[PlacedClaim]] = defaultdict(list)
    for claim in asserted:
        of_value[claim.target].append(claim)
    cuts: dict[str, PlacedClaim] = {}
    for target, same in of_value.items():
        value = _CutValue(target, same, stated)
        first, first_unnamed = value.first_cuts(every), value.first_cuts(unnamed)
        for claim in same:
            by = (first_unnamed if claim.claim.beside else first).after(claim.start)
            ending = claim.id in extents and not claim.claim.to_stated
            if by is not None and ending and by.start < value.last_cut(extents[claim.id].end):
                cuts[claim.id] = by
    return cuts


def cuts_others(placed: PlacedClaim) -> bool:
    """Whether other values end with it: it begins a value that follows others, at an instant that somebody told."""
    claim = placed.claim
    return claim.kind.begins and not (claim.beside or claim.protecting or placed.inferred)


class _CutValue:
    """What is said of one value of a slot; ``stated`` are the ends, each of a value, whose instants were stated."""

    def __init__(self, target: str, claims: Iterable[PlacedClaim], stated: AbstractSet[tuple[str, datetime]]) -> None:
        self._target = target
        self._stated = stated
        self._starts: list[datetime] = []
        self._held: list[tuple[datetime, Telling]] = []
        for claim in claims:
            if claim.claim.kind.begins:
                self._starts.append(claim.start)
            if claim.inferred or not claim.claim.kind.begins:
                self._held.append((claim.said_at if claim.inferred else claim.start, claim.telling))
        self._starts.sort()

    def first_cuts(self, cutting: "_Cutting") -> "_FirstCuts":
        return _FirstCuts(cutting, self._target, sorted(self._held))

    def last_cut(self, end: datetime) -> datetime:
        """Before which instant a cut counts of a claim that ends then: of a stated end, the last start up to it."""
        if (self._target, end) not in self._stated:
            return end
        place = bisect_right(self._starts, end)
        return self._starts[place - 1] if place else BEGIN


class _Newest(NamedTuple):
    """What was said last of some claims, by its ``telling``, and what was said last of another value than that."""

    telling: Telling
    target: str
    other: Telling

    def of_another(self, target: str) -> Telling:
        return self.other if target == self.target else self.telling


_NOTHING = _Newest(_UNSAID, "", _UNSAID)


def _newest(left: _Newest, right: _Newest) -> _Newest:
    last, before = (left, right) if left.telling >= right.telling else (right, left)
    return _Newest(last.telling, last.target, max(last.other, before.of_another(last.target)))


class _Cutting:
    """Claims that cut others, in order of time: to ask for the first one of another value that was said late enough.

    ``_nodes`` is a binary tree: node n knows the newest of the claims below 2n and 2n + 1, the leaves are the claims.
    """

    def __init__(self, claims: Iterable[PlacedClaim]) -> None:
        self.claims = sorted(claims, key=lambda claim: (claim.start, claim.ends, claim.order))
        self._instants = [claim.start for claim in self.claims]
        self._leaves = 1 << len(self.claims).bit_length()
        leaves = [_Newest(claim.telling, claim.target, _UNSAID) for claim in self.claims]
        self._nodes = [*[_NOTHING] * self._leaves, *leaves, *[_NOTHING] * (self._leaves - len(leaves))]
        for node in range(self._leaves - 1, 0, -1):
            self._nodes[node] = _newest(self._nodes[2 * node], self._nodes[2 * node + 1])

    def after(self, instant: datetime) -> int:
        """The place of the first one after an instant."""
        return bisect_right(self._instants, instant)

    def first(self, place: int, target: str, telling: Telling) -> int:
        """The first place, from one on, of a claim of another value that was said then or later; else after all."""
        node = place + self._leaves
        while self._nodes[node].of_another(target) < telling:
            while node % 2:
                node //= 2
            if not node:
                return len(self.claims)
            node += 1
        while node < self._leaves:
            node *= 2
            node += self._nodes[node].of_another(target) < telling
        return node - self._leaves


class _FirstCuts:
    """What cuts one value first from an instant on.

    ``held`` says, in order, at which instants it held, and when that was said. What cuts it by then has to be said no
    earlier: the later the instant, the fewer claims are left that say so.
    """

    def __init__(self, cutting: _Cutting, target: str, held: Sequence[tuple[datetime, Telling]]) -> None:
        self._cutting = cutting
        self._target = target
        self._until = [cutting.after(instant) for instant, _ in held]
        newest = [*accumulate((telling for _, telling in reversed(held)), max)]
        self._tellings = [*reversed(newest), NEVER]
        self._onwards = [len(cutting.claims)] * len(held)
        for number in range(len(held) - 1, -1, -1):
            self._onwards[number] = self._first(self._until[number], number + 1)

    def after(self, start: datetime) -> PlacedClaim | None:
        """The first one that cuts what began at an instant."""
        place = self._cutting.after(start)
        first = self._first(place, bisect_right(self._until, place))
        return self._cutting.claims[first] if first < len(self._cutting.claims) else None

    def _first(self, place: int, number: int) -> int:
        """The first place from one on that lies in the stretch before the held instant of this number, or after it."""
        first = self._cutting.first(place, self._target, self._tellings[number])
        inside = number == len(self._until) or first < self._until[number]
        return first if inside else self._onwards[number]
