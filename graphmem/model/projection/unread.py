"""Starts that nobody knows: “I moved to Oslo back in the Henderson days”, “sorry, Milan, not Turin”.

The words that say when could not be read, or what is said takes the place of what was said wrongly. All that is known
is that the value held when it was said. Where another claim of the value holds then, the unread start supports that one
and begins with it. Else it begins right after the last instant at which, by what was said before it, something else was
so: another value held, where one holds at a time, or this one had ended. If nothing of the kind was said, its start is
unknown.

It cuts nothing that was said later: if another value holds at that instant by what was said after it, or this one had
ended by then, it never was.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from heapq import heappop, heappush
from operator import attrgetter

from graphmem.model.claim import Telling
from graphmem.model.interval import BEGIN, END, MICROSECOND, Interval
from graphmem.model.projection.pieces import KnownEnds, Stretches
from graphmem.model.projection.slot import PlacedClaim


def _at(instant: datetime) -> Telling:
    """Before whatever is said then: of what is so at an instant, whenever it was said."""
    return Telling(instant, start=-1)


def has_unread_start(claim: PlacedClaim) -> bool:
    """Whether a claim says that its value holds, and since when nobody could read, or nobody said."""
    unknown = claim.claim.time_unread != "" or not claim.claim.from_stated
    return claim.asserts and claim.start == BEGIN and unknown and not claim.claim.to_stated


def with_unread_starts(
    unread: Iterable[PlacedClaim],
    dated: Sequence[PlacedClaim],
    ends: Sequence[PlacedClaim],
    known_ends: KnownEnds,
    extents: dict[str, Interval],
    *,
    single: bool,
) -> list[PlacedClaim]:
    """The claims of a slot that assert something, in their order, with the unread ones where they begin.

    ``extents`` says how long each holds, and gets to know it of the unread ones; those that never held are left out.
    ``known_ends`` are those ``ends`` at which what a claim asserts is over. ``single``: one value holds in the slot at
    a time.
    """
    unread_claims = sorted(unread, key=attrgetter("telling"))
    if not unread_claims:
        return list(dated)
    holding = [claim for claim in dated if claim.id in extents]
    held = dict(_supported(unread_claims, holding, extents))
    alone = [claim for claim in unread_claims if claim.id not in held]
    starts = _after_others(alone, unread_claims, holding, ends, extents) if single else _after_its_ends(alone, ends)
    for claim in _that_were(alone, starts, holding if single else (), ends, extents):
        start = starts[claim.id]
        held[claim.id] = Interval(start, known_ends.first_at(claim.target, start + MICROSECOND))
    for claim in unread_claims:
        extents.pop(claim.id, None)
    extents |= held
    begun = (replace(claim, start=held[claim.id].start, inferred=True) for claim in unread_claims if claim.id in held)
    return sorted([*dated, *begun], key=lambda claim: claim.order)


def _supported(
    unread: Iterable[PlacedClaim], holding: Iterable[PlacedClaim], extents: Mapping[str, Interval]
) -> Iterator[tuple[str, Interval]]:
    """Of each unread claim the time of the one of its value that began last of those that hold when it is said."""
    waiting: dict[str, list[Interval]] = defaultdict(list)
    for claim in holding:
        if claim.start > BEGIN:
            waiting[claim.target].append(extents[claim.id])
    for intervals in waiting.values():
        intervals.sort(reverse=True)
    begun: dict[str, list[tuple[timedelta, timedelta, Interval]]] = defaultdict(list)
    for claim in unread:
        known = begun[claim.target]
        while waiting[claim.target] and waiting[claim.target][-1].start <= claim.said_at:
            interval = waiting[claim.target].pop()
            heappush(known, (_back(interval.start), _back(interval.end), interval))
        while known and known[0][2].end <= claim.said_at:
            heappop(known)
        if known:
            yield claim.id, known[0][2]


def _back(instant: datetime) -> timedelta:
    """The later the less."""
    return BEGIN - instant


class _Lasts:
    """The last instants that tell of values, to ask for the last one that tells of another value."""

    def __init__(self) -> None:
        self._last: tuple[datetime, str] = (BEGIN, "")
        self._other = BEGIN

    def add(self, instant: datetime, target: str) -> None:
        if target == self._last[1]:
            self._last = max(self._last, (instant, target))
        elif instant > self._last[0]:
            self._last, self._other = (instant, target), self._last[0]
        else:
            self._other = max(self._other, instant)

    def of_another(self, target: str) -> datetime:
        return self._other if target == self._last[1] else self._last[0]


def _after_others(
    alone: Iterable[PlacedClaim],
    unread: Iterable[PlacedClaim],
    holding: Iterable[PlacedClaim],
    ends: Iterable[PlacedClaim],
    extents: Mapping[str, Interval],
) -> dict[str, datetime]:
    """Starts, by id, after the last instant that tells, by what was said before, that something else was so."""
    instants = [
        *(each for claim in holding for each in _known(claim, extents[claim.id])),
        *((claim.telling, claim.said_at + MICROSECOND, claim.target) for claim in unread),
    ]
    instants.sort()
    starts, lasts, position = _after_its_ends(alone, ends), _Lasts(), 0
    for claim in alone:
        while position < len(instants) and instants[position][0] < claim.telling:
            _, instant, target = instants[position]
            lasts.add(instant, target)
            position += 1
        starts[claim.id] = max(starts[claim.id], lasts.of_another(claim.target))
    return starts


def _known(claim: PlacedClaim, extent: Interval) -> Iterator[tuple[Telling, datetime, str]]:
    """Since when it is known, right after which instant, or at its end, and of which value."""
    if extent.end < END:
        yield max(claim.telling, _at(extent.end)), extent.end, claim.target
    if extent.contains(claim.said_at):
        yield claim.telling, claim.said_at + MICROSECOND, claim.target
    elif extent.start > claim.said_at:
        yield _at(extent.start), extent.start + MICROSECOND, claim.target


def _after_its_ends(alone: Iterable[PlacedClaim], ends: Iterable[PlacedClaim]) -> dict[str, datetime]:
    """Starts, by id, right after the last end of the value by what was said before; ``BEGIN`` where it had none.

    Not at the end itself: it would go on with what ended.
    """
    known = sorted((max(end.telling, _at(end.start)), end.start + MICROSECOND, end.target) for end in ends)
    last: dict[str, datetime] = defaultdict(lambda: BEGIN)
    starts, position = dict[str, datetime](), 0
    for claim in alone:
        while position < len(known) and known[position][0] < claim.telling:
            _, instant, target = known[position]
            last[target] = max(last[target], instant)
            position += 1
        starts[claim.id] = max(last[claim.target], last[""])
    return starts


def _that_were(
    alone: Sequence[PlacedClaim],
    starts: Mapping[str, datetime],
    holding: Iterable[PlacedClaim],
    ends: Iterable[PlacedClaim],
    extents: Mapping[str, Interval],
) -> Iterator[PlacedClaim]:
    """Without those of which what was said later shows that something else was so when they would have begun."""
    known = (claim for claim in holding if claim.start > BEGIN and not claim.inferred)
    stated = sorted(known, key=attrgetter("telling"))
    ended = sorted(ends, key=attrgetter("telling"))
    stretches, first_end = Stretches(), dict[str, datetime]()
    for claim in reversed(alone):
        while stated and stated[-1].telling > claim.telling:
            stretches.add(stated[-1].target, extents[stated.pop().id])
        while ended and ended[-1].telling > claim.telling:
            end = ended.pop()
            first_end[end.target] = min(first_end.get(end.target, END), end.start)
        start = starts[claim.id]
        over = min(first_end.get(target, END) for target in ("", claim.target)) <= start
        if not over and not stretches.of_another(claim.target, Interval(start, start + MICROSECOND)):
            yield claim
