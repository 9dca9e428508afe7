"""Claims that something said later shows never held: starts dated only by when they were said, and plans.

“I work at Acme”, ten days on “I left in March”: no job. “I live in Rome”, then “I moved to Oslo in April”: Oslo; where
values are successive, only of starts that cut others, and by one that does. Whoever makes structured claims says which
one is wrong: of successive values these neither cancel others so, nor are they cancelled.
“I start at Otto on 1 May”, and on 20 April “I won't”: a plan that ended before its day. Said once more after that, it
stands again; and whatever ended before the plan was made, or holds while an end of nothing in particular is told (“I
quit my job”), is another thing. Of successive values that begin as they are said, at one instant, the last one said
stands: “My new boss is Ana. No, Bo.”
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from graphmem.model.interval import MICROSECOND, Interval
from graphmem.model.projection.cuts import cuts_others
from graphmem.model.projection.pieces import KnownEnds, Stretches, extents_of, first_at, is_unknown
from graphmem.model.projection.predicate import ONE, SUCCESSIVE, Policy
from graphmem.model.projection.slot import PlacedClaim
from graphmem.model.projection.unread import has_unread_start

_NOWHERE = Stretches()


def cancellations(standing: Sequence[PlacedClaim], rule: Policy) -> set[str]:
    """Ids of the claims of a slot that are cancelled."""
    extents = extents_of(standing, KnownEnds(standing))
    cancelled: set[str] = set()
    ended = _Ended(extents.values(), rule)
    moved = Stretches()
    begun: dict[datetime, set[str]] = defaultdict(set)
    telling = attrgetter("telling")
    for _, together in groupby(sorted(standing, key=telling, reverse=True), key=telling):
        at_once = list(together)  # by the same words: none of them is later than another
        for claim in at_once:
            said_over = rule == SUCCESSIVE and _begins_as_said(claim) and begun[claim.start] - {claim.target}
            never_was = _never_was(claim, ended, moved if _moves(claim, rule) else _NOWHERE)
            if claim.asserts and (said_over or never_was or ended.plan(claim)):
                cancelled.add(claim.id)
        for claim in at_once:
            if claim.ends:
                ended.add(claim)
            elif _is_stated_start(claim) and _moves(claim, rule) and claim.id in extents:
                moved.add(claim.target, extents[claim.id])
            elif _begins_as_said(claim) and claim.id not in cancelled:
                begun[claim.start].add(claim.target)
    return cancelled


def _never_was(claim: PlacedClaim, ended: "_Ended", moved: Stretches) -> bool:
    """Whether its value had ended, or another one held, when it was said; of claims that are dated only by that."""
    if claim.claim.from_stated or is_unknown(claim) or has_unread_start(claim):
        return False
    return ended.before(claim) or moved.of_another(claim.target, Interval(claim.start, claim.start + MICROSECOND))


def _moves(claim: PlacedClaim, rule: Policy) -> bool:
    """Whether it says that its value holds in the place of others."""
    return rule == ONE or (rule == SUCCESSIVE and cuts_others(claim) and not claim.claim.is_structured)


def _begins_as_said(claim: PlacedClaim) -> bool:
    """Whether it puts a value in the place of others, dated only by when it was said."""
    return cuts_others(claim) and not (claim.claim.from_stated or is_unknown(claim) or has_unread_start(claim))


def _is_stated_start(claim: PlacedClaim) -> bool:
    return claim.claim.kind.begins and claim.claim.from_stated and not is_unknown(claim)


class _Ended:
    """The ends that were said so far, to ask whether they cancel what was said before them.

    ``extents`` say when something holds: an end of nothing in particular ends what holds then, if anything does, and
    only else what is planned. Of successive values it ends none that begins as it ends (“I quit, and work at Otto”).
    """

    def __init__(self, extents: Iterable[Interval], rule: Policy) -> None:
        known = list(extents)
        self._successive = rule == SUCCESSIVE
        self._starts = sorted(interval.start for interval in known)
        self._ends = sorted(interval.end for interval in known)
        self._of: dict[str, list[datetime]] = defaultdict(list)
        self._of_plans: list[datetime] = []

    def add(self, end: PlacedClaim) -> None:
        insort(self._of[end.target], end.start)
        if not end.target and bisect_left(self._starts, end.start) == bisect_left(self._ends, end.start):
            insort(self._of_plans, end.start)

    def before(self, claim: PlacedClaim) -> bool:
        """Whether the value of a claim had ended at its start, or by then."""
        own, general = self._of[claim.target][:1], self._of[""][:1]
        if self._successive and general == [claim.start]:
            general = []
        return any(instant <= claim.start for instant in (*own, *general))

    def plan(self, claim: PlacedClaim) -> bool:
        """Whether a claim tells a plan that ended before its day, and no earlier than it was told."""
        ends = (self._of[claim.target], self._of_plans)
        return min(first_at(some, claim.said_at) for some in ends) < claim.start
