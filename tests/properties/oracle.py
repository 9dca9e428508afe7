"""A small pure oracle of beliefs: it paints days, and shares no code with ``graphmem.model.projection.timeline``.

Each day it asks which values are believed; runs of days are the beliefs. Times are whole days.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

DAYS = 14
OPEN = DAYS
"""The first day that nobody looks at: who holds until then holds for ever."""
BEFORE = -1
"""The day before all others, on which begins what began nobody knows when."""

Rule = Literal["many", "single", "confident", "successive"]
Belief = tuple[str, str, int, int]
"""Predicate, value, first day, first day after."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A claim as the test made it, and when it was recorded and retracted, counted in changes."""

    id: str
    predicate: str
    ends: bool
    value: str
    day: float
    """That a half follows is right after it."""
    until: float | None
    stated: bool
    said: int
    confidence: float = 1.0
    recorded: int
    unknown: bool = False
    """Only the end is known; ``day`` is BEFORE."""
    unread: bool = False
    """Nobody could read when it began; ``day`` is BEFORE."""
    retracted: int | None = None
    rejects: bool = False
    """It says nothing of the world: its value, as far as it was said before, counts as never said."""
    lowers: float | None = None
    """Neither does this: its value, as far as it was said before, has at most this confidence; at 0 as never said."""
    protecting: bool = False
    """Nothing lowers it."""
    rank: int = 1
    """By who asserted it: 2 a person, 1 in passing, 0 a model."""
    cap: float | None = None
    """What it was lowered to."""
    turn: tuple[int, int] = (-1, 0)
    """Of what was said on one day, that with the lesser turn was said first; of one turn, what begins first in it."""
    quoted: int = 0
    width: int = 0
    """How many days the words of a stated start speak of."""
    structured: bool = False
    holds: bool = False
    """It supports without starting."""
    beside: bool = False
    """It stands beside other values of a successive predicate."""
    moved: bool = False
    """Another claim of its value says since when it is so."""

    @property
    def when(self) -> tuple[int, tuple[int, int], int]:
        return (self.said, self.turn, self.quoted)

    @property
    def order(self) -> tuple[float, bool, tuple[int, tuple[int, int], int], float, str]:
        return (self.day, self.unknown or self.moved, self.when, self.confidence, self.id)

    def stands(self, known: int) -> bool:
        return self.recorded <= known and (self.retracted is None or known < self.retracted)


def believed(
    told: Iterable[Told],
    single: frozenset[str],
    known: int,
    confident: frozenset[str] = frozenset(),
    successive: frozenset[str] = frozenset(),
) -> set[Belief]:
    """The beliefs after so many changes: of ``single`` predicates the latest value, of ``confident`` the surest.

    Of ``successive`` ones several may hold, and what begins later ends those that stand before it.
    """
    of_rule: Mapping[Rule, frozenset[str]] = {"single": single, "confident": confident, "successive": successive}
    by_predicate: dict[str, list[Told]] = {}
    for claim in told:
        if claim.stands(known):
            by_predicate.setdefault(claim.predicate, []).append(claim)
    found: set[Belief] = set()
    for predicate, said in by_predicate.items():
        rule = _rule_of(predicate, of_rule)
        claims = _corrected(_after_acts(said), rule)
        days = [_PAINT[rule](claims, day) for day in range(BEFORE, DAYS)]
        for value in {value for values in days for value in values}:
            found |= {(predicate, value, first, after) for first, after in _runs(value, days)}
    return found


def _rule_of(predicate: str, of_rule: Mapping[Rule, frozenset[str]]) -> Rule:
    for rule, predicates in of_rule.items():
        if predicate in predicates:
            return rule
    return "many"


def _after_acts(said: Sequence[Told]) -> list[Told]:
    """What is left of what was said of the world once values were rejected and lowered."""
    left: list[Told] = []
    for claim in said:
        later = [other for other in said if other.value == claim.value and other.when > claim.when and not claim.ends]
        caps = [other.lowers for other in later if other.lowers is not None and not claim.protecting]
        never = any(other.rejects for other in later) or 0 in caps
        if not (never or claim.rejects or claim.lowers is not None):
            left.append(replace(claim, cap=min(caps, default=None)))
    return left


def _runs(value: str, days: Sequence[frozenset[str]]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for day, values in enumerate(days, start=BEFORE):
        if value in values and runs and runs[-1][1] == day:
            runs[-1] = (runs[-1][0], day + 1)
        elif value in values:
            runs.append((day, day + 1))
    return runs


def _stop(start: Told, claims: Iterable[Told]) -> float:
    if start.until is not None:
        return start.until
    ends = (end.day for end in claims if end.ends and end.value in ("", start.value) and end.day >= start.day)
    return min(ends, default=OPEN)


def _never_was(start: Told, claims: Sequence[Told], rule: Rule) -> bool:
    """Whether a start without a stated time, or a plan, is cancelled by what was said after it."""
    if any(_undoes(end, start, claims) for end in claims):
        return True
    later = [other for other in claims if other.when > start.when and other.day <= start.day and not other.unknown]
    ended = any(
        other.ends and (other.value == start.value or (not other.value and _ends_at(other, start, rule)))
        for other in later
    )
    moved = _moves(start, rule) and any(
        _moves(other, rule) and other.stated and other.value != start.value and start.day < _stop(other, claims)
        for other in later
    )
    said_over = rule == "successive" and any(
        _says_over(other, start) and not _never_was(other, claims, rule) for other in claims
    )
    return not start.stated and not start.unknown and (ended or moved or said_over)


def _moves(claim: Told, rule: Rule) -> bool:
    """Whether it says that its value holds in the place of others."""
    return not claim.ends and (rule == "single" or (rule == "successive" and _replaces(claim) and not claim.structured))


def _says_over(other: Told, start: Told) -> bool:
    """Whether it puts another value in the place of what was said before it to begin at the same instant."""
    begins = all(_replaces(one) and not one.stated for one in (other, start))
    return begins and other.value != start.value and other.day == start.day and other.when > start.when


def _ends_at(end: Told, start: Told, rule: Rule) -> bool:
    """Of successive values an end of nothing in particular leaves what begins as it ends."""
    return rule != "successive" or end.day < start.day


def _undoes(end: Told, plan: Told, claims: Sequence[Told]) -> bool:
    """Whether an end says that a plan comes to nothing: after it was made, and before its day.

    An end of nothing in particular is one of what holds, unless nothing does.
    """
    between = end.ends and end.when > plan.when and plan.said <= end.day < plan.day
    idle = not any(not one.ends and one.day < end.day <= _stop(one, claims) for one in claims)
    return between and (end.value == plan.value or (not end.value and idle))


def _corrected(claims: Sequence[Told], rule: Rule) -> list[Told]:
    """The claims; of those that state one start, each at the day that the one says which stands."""
    was = [claim for claim in claims if not _never_was(claim, claims, rule)]
    stops = _stopping(claims, rule)
    days: dict[str, float] = {}
    for run in _runs_of_starts(was, claims, rule):
        said = [claim for claim in run if not claim.structured]
        stands = _last_said(said) if said else run[0]
        while finer := [claim for claim in run if _is_within(claim, stands)]:
            stands = _last_said(finer)
        for claim in said:
            if max(claim.day, stands.day) < min(_stop(claim, stops), _stop(stands, stops)):
                days[claim.id] = stands.day
    return [
        replace(claim, day=days[claim.id], moved=True) if days.get(claim.id, claim.day) != claim.day else claim
        for claim in claims
    ]


def _stopping(claims: Sequence[Told], rule: Rule) -> Sequence[Told]:
    """Claims whose ends say until when others hold: of successive values not those of nothing in particular."""
    return [claim for claim in claims if claim.value] if rule == "successive" else claims


def _parts(claim: Told, rule: Rule) -> bool:
    """Whether another value, where this begins, has held twice if it began before and after."""
    return _replaces(claim) if rule == "successive" else rule != "many" and not claim.ends


def _runs_of_starts(was: Sequence[Told], claims: Sequence[Told], rule: Rule) -> list[list[Told]]:
    """Of each value the stated starts that follow each other without a gap, another value, or an end between them."""
    stops = _stopping(claims, rule)
    starts = [claim for claim in was if claim.stated and not (claim.ends or claim.unknown or claim.holds)]
    holding = [claim for claim in starts if claim.day < _stop(claim, stops)]
    runs: list[list[Told]] = []
    for claim in sorted(holding, key=lambda claim: (claim.value, claim.order)):
        last = runs[-1][-1] if runs else claim
        gap = max((_stop(other, stops) for other in (runs[-1] if runs else ())), default=BEFORE) <= claim.day
        between = any(
            last.day < other.day < claim.day and _parts(other, rule) and other.value != claim.value for other in was
        )
        ended = any(
            other.ends and other.value in ("", claim.value) and last.day <= other.day <= claim.day for other in claims
        )
        if not runs or last.value != claim.value or gap or between or ended:
            runs.append([])
        runs[-1].append(claim)
    return runs


def _last_said(claims: Sequence[Told]) -> Told:
    last = max(claim.when for claim in claims)
    return min((claim for claim in claims if claim.when == last), key=lambda claim: claim.order)


def _is_within(claim: Told, other: Told) -> bool:
    """Whether the days of one start are some of those of another."""
    days, others = ({int(one.day) + n for n in range(max(1, one.width))} for one in (claim, other))
    return claim.width < other.width and days <= others


def _many(claims: Sequence[Told], day: int) -> frozenset[str]:
    named = [claim for claim in claims if claim.value]
    known = [claim for claim in claims if not claim.ends and not _never_was(claim, claims, "many")]
    starts = _with_unread(known, named, "many")
    return frozenset(start.value for start in starts if start.day <= day < _stop(start, named))


def _replaces(claim: Told) -> bool:
    """Whether a claim of a successive predicate puts its value in the place of others."""
    return not (claim.ends or claim.holds or claim.beside or claim.protecting or claim.unread)


def _successive(claims: Sequence[Told], day: int) -> frozenset[str]:
    """The values that hold: each until its end or until something cuts it; a hold where its value does not hold yet."""
    known = [claim for claim in claims if not claim.ends and not _never_was(claim, claims, "successive")]
    told = _with_unread(known, claims, "successive")
    begun: list[tuple[Told, float]] = []
    for claim in sorted(told, key=lambda claim: (claim.day, claim.holds, claim.order)):
        covered = any(one.value == claim.value and one.day <= claim.day < stop for one, stop in begun)
        if not (claim.holds and covered):
            begun.append((claim, _cut(claim, told, claims)))
    return frozenset(one.value for one, stop in begun if one.day <= day < stop)


def _cut(claim: Told, told: Sequence[Told], claims: Sequence[Told]) -> float:
    """The day on which a claim ends: where it says so, where its value ends, or where something cuts it before."""
    if claim.until is not None and not claim.unread:
        return claim.until
    stop = _stop(claim, _stopping(claims, "successive"))
    stated = any(one.ends and one.value == claim.value and one.day == stop and one.stated for one in claims)
    days = [stop]
    for other in [*(one for one in told if _replaces(one)), *(one for one in claims if one.ends and not one.value)]:
        cuts = other.ends or (other.value != claim.value and not claim.beside)
        again = any(one.value == claim.value and not one.holds and other.day < one.day <= stop for one in told)
        still = any(one.value == claim.value and _says_it_holds(one, other) for one in told)
        if cuts and claim.day < other.day < stop and (again or not stated) and not still:
            days.append(other.day)
    return min(days)


def _says_it_holds(one: Told, cut: Told) -> bool:
    """Whether it was said later than what cuts a value that this one held when that began or after."""
    holds = (one.holds and one.day >= cut.day) or (one.unread and one.said >= cut.day)
    return holds and one.when > cut.when


def _single(claims: Sequence[Told], day: int) -> frozenset[str]:
    """The value of the last start by then, if it or one of its value just before it still holds."""
    known = [claim for claim in claims if not claim.ends and not _never_was(claim, claims, "single")]
    starts = _with_unread(_with_unknown(known, claims), claims, "single")
    run: list[Told] = []
    for start in sorted((start for start in starts if start.day <= day), key=lambda start: start.order):
        run = [*run, start] if run and run[-1].value == start.value else [start]
    return frozenset(start.value for start in run if day < _stop(start, claims))


def _with_unknown(known: Sequence[Told], claims: Sequence[Told]) -> list[Told]:
    dated = [claim for claim in known if not claim.unread]
    return [_after_others(claim, dated, claims) if claim.unknown and not claim.unread else claim for claim in known]


def _with_unread(known: Sequence[Told], claims: Sequence[Told], rule: Rule) -> list[Told]:
    """The claims, those with an unread start where they begin; without those that never were."""
    stops = _stopping(claims, rule)
    dated = [claim for claim in known if not claim.unread and claim.day < _stop(claim, stops)]
    begun = [_begin(claim, dated, known, claims, rule) for claim in known if claim.unread]
    return [claim for claim in known if not claim.unread] + [claim for claim in begun if claim]


def _begin(
    start: Told, dated: Sequence[Told], known: Sequence[Told], claims: Sequence[Told], rule: Rule
) -> Told | None:
    """With another claim of its value that holds when it is said; else right after what, as said before, was so."""
    stops, single = _stopping(claims, rule), rule in ("single", "confident")
    same = [one for one in dated if one.value == start.value and BEFORE < one.day <= start.said < _stop(one, stops)]
    if same:
        held = max(same, key=lambda one: (one.day, _stop(one, stops)))
        return replace(start, day=held.day, until=_stop(held, stops))
    others = [one for one in dated if single and one.value != start.value]
    ends = [one for one in claims if one.ends and one.value in ("", start.value)]
    before = [one.day + 0.5 for one in ends if one.when < start.when and one.day <= start.said]
    before += [
        one.said + 0.5 for one in known if one.unread and single and one.value != start.value and one.when < start.when
    ]
    for one in others:
        if one.when < start.when:
            before += [day for day in _last_known(one, _stop(one, claims)) if day <= start.said + 0.5]
    day = max(before, default=BEFORE)
    over = any(one.when > start.when and one.day <= day for one in ends)
    moved = any(
        one.when > start.when and BEFORE < one.day <= day < _stop(one, claims) and not one.unknown for one in others
    )
    until = min((one.day for one in ends if one.day > day and one in stops), default=OPEN)
    return None if over or moved else replace(start, day=day, until=until)


def _last_known(one: Told, stop: float) -> Iterable[float]:
    if stop < OPEN:
        yield stop
    if one.day <= one.said < stop:
        yield one.said + 0.5
    elif one.day > one.said:
        yield one.day + 0.5


def _after_others(start: Told, known: Iterable[Told], claims: Sequence[Told]) -> Told:
    """An unknown start lies where another value last held, as far as is known, before its end."""
    days = [
        day
        for other in known
        if other.value != start.value and other.day < _stop(other, claims)
        for day in (other.day, _stop(other, claims))
        if start.until is not None and BEFORE < day < start.until
    ]
    return replace(start, day=max(days, default=BEFORE))


def _confident(claims: Sequence[Told], day: int) -> frozenset[str]:
    """Of the starts that hold then, the value of that which ranks highest."""
    known = [claim for claim in claims if not claim.ends and not _never_was(claim, claims, "confident")]
    starts = _with_unread(_with_unknown(known, claims), claims, "confident")
    holding = [start for start in starts if start.day <= day < _stop(start, claims)]
    return frozenset({max(holding, key=_surety).value} if holding else ())


def _surety(start: Told) -> tuple[int, float, float, tuple[int, tuple[int, int], int], str]:
    lowered = start.cap is not None
    confidence = min(start.confidence, start.cap) if start.cap is not None else start.confidence
    return (0 if lowered else start.rank, confidence, start.day, start.when, start.id)


_PAINT: Mapping[Rule, Callable[[Sequence[Told], int], frozenset[str]]] = {
    "many": _many,
    "single": _single,
    "confident": _confident,
    "successive": _successive,
}
