"""What gives way to what: facts that say what another one says, and claims that contradict a belief that ranks higher.

Each decision follows from the slots alone, in any order, and made again on what it leads to it changes nothing. It is
written as evidence (``resolve.acts.give_way``): nobody deletes anything.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from graphmem.model.acts import LIKENESS, CurrentFact, Lowering, SlotState, WhyGivesWay
from graphmem.model.belief import Belief
from graphmem.model.claim import status_of
from graphmem.model.interval import BEGIN, Interval
from graphmem.model.projection.predicate import MANY, ONE, Cardinality, key_of
from graphmem.model.projection.slot import PlacedClaim, after_acts
from graphmem.resolve.acts import give_way

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ROUNDING = 1e-9
_TURNING = re.compile(
    "no|not|never|none|nobody|nothing|neither|nor|without|cannot|against|instead|except|less|fewer|ex|formerly?"
    "|hat(?:es?|ed|ing)|dislike[sd]?|avoid(?:s|ed)?|refuse[sd]?|detests?|loathes?|stop(?:s|ped)?|quits?|.*n['’]t"
)
"""Words that turn what is said into something else."""
_OPPOSING = ("dis", "un", "non", "anti", "in", "im")
"""Beginnings of words that say the opposite of what is left without them."""

Words = frozenset[str]


def words_of(text: str) -> Words:
    """The words of a text, in lower case."""
    return frozenset(word.casefold() for word in _WORD.findall(text))


def likeness(a: Words, b: Words) -> float:
    """The share of words that both have, from 0 to 1; of texts without words 0."""
    return len(a & b) / len(a | b) if a and b else 0.0


def alike(texts: Sequence[Words], least: float) -> Iterator[tuple[int, int]]:
    """The places of all pairs that share at least so much, the smaller place first; in no particular order."""
    count = Counter(word for words in texts for word in words)
    holders: dict[str, list[int]] = defaultdict(list)
    for place, words in enumerate(texts):
        rarest = sorted(words, key=lambda word: (count[word], word))
        shared = ceil(least * len(words) - _ROUNDING)
        beginning = rarest[: len(words) - shared + 1]
        for other in sorted({other for word in beginning for other in holders[word]}):
            if likeness(texts[other], words) >= least:
                yield other, place
        for word in beginning:
            holders[word].append(place)


def says_another(a: str, b: str) -> bool:
    """Whether two sentences that are alike say something else all the same, by the words that only one of them has.

    That is a number, another name in the place of a name, or a word that turns what is said: not, never, dislikes.
    """
    first, second = words_of(a), words_of(b)
    only_first, only_second = first - second, second - first
    differing = only_first | only_second
    return (
        any(_turns(word) or any(sign.isdigit() for sign in word) for word in differing)
        or _has_opposite(only_first, only_second)
        or _has_opposite(only_second, only_first)
        or (_has_name(a, only_first) and _has_name(b, only_second))
    )


def _turns(word: str) -> bool:
    return _TURNING.fullmatch(word) is not None


def _has_opposite(words: Words, others: Words) -> bool:
    return any(start + word in others for word in words for start in _OPPOSING)


def _has_name(text: str, words: Words) -> bool:
    """Whether one of these words is written with a capital, where not every first word is."""
    return any(word[0].isupper() and word.casefold() in words for word in _WORD.findall(text)[1:])


@dataclass(frozen=True)
class _CompetingValue:
    """A value that is believed in a slot: its beliefs in order of time, and the claims that count for it."""

    state: SlotState
    target: str
    beliefs: tuple[Belief, ...]
    counting: tuple[PlacedClaim, ...]

    @property
    def newest(self) -> Belief:
        return self.beliefs[-1]

    @property
    def statement(self) -> str:
        return self.newest.first.statement

    @cached_property
    def words(self) -> Words:
        return words_of(self.statement)

    @property
    def unit(self) -> Hashable:
        """Only facts of one user, about one subject, of one category can say the same."""
        slot = self.state.slot
        return slot.user, slot.subject_id, self.newest.category

    @property
    def protected(self) -> bool:
        return any(placed.claim.protecting for placed in self.state.of_value(self.target))

    @property
    def may_go(self) -> bool:
        """Whether nothing else comes to be believed where it is believed no more."""
        others = (placed for placed in after_acts(self.state.claims) if placed.asserts and placed.target != self.target)
        return not self.protected and (self.state.policy.competition == MANY or not any(others))

    @property
    def order(self) -> tuple[Hashable, ...]:
        """The first of those that say the same is kept.

        Who asserts it, how sure and how important it is, since when it holds; then, of equals, by what it is.
        """
        slot, newest = self.state.slot, self.newest
        surest = max((placed.rank for placed in self.counting), default=0)
        best = (
            -surest,
            -max(belief.confidence for belief in self.beliefs),
            -max(belief.importance for belief in self.beliefs),
        )
        what = (slot.predicate, self.target, slot.day, slot.open, slot.distinguished_by)
        return (not self.protected, *best, self.beliefs[0].interval.start, newest.interval.start, *what)


def candidates(facts: Sequence[CurrentFact], least: float = LIKENESS) -> list[list[CurrentFact]]:
    """Facts that may say the same, by their words, in groups; the groups, and what is in them, in order of ids."""
    ordered = sorted(facts, key=lambda fact: fact.id)
    by_unit: dict[Hashable, list[CurrentFact]] = defaultdict(list)
    for fact in ordered:
        by_unit[fact.user, fact.subject_id, fact.category].append(fact)
    return [
        [in_unit[place] for place in sorted(places)]
        for in_unit in by_unit.values()
        for places in _joined(alike([words_of(fact.statement) for fact in in_unit], least))
    ]


def duplicates(states: Iterable[SlotState], least: float = LIKENESS) -> list[Lowering]:
    """The facts to drop because another one says the same; the better one of each two stays.

    What somebody confirmed stays. So does what tells of a time of which the other one says nothing: an end that the
    other one does not have, or a start that was stated and lies before the other's.
    """
    by_unit: dict[Hashable, list[_CompetingValue]] = defaultdict(list)
    for value in (value for state in states for value in _values(state)):
        by_unit[value.unit].append(value)
    return [lowering for unit in sorted(by_unit, key=repr) for lowering in _dropped(by_unit[unit], least)]


def conflicts(states: Iterable[SlotState]) -> list[Lowering]:
    """The claims that give way because they contradict a belief of a slot of one value that ranks above them.

    By who asserted them, then by confidence, then the newer one. Where the latest start is believed, only who asserted
    them decides: what is said later of an earlier time tells history more often than it contradicts. What would
    change what is believed at any time, and not only how surely, is left to a person.
    """
    return [lowering for state in states for lowering in _settled(state)]


def _dropped(values: Sequence[_CompetingValue], least: float) -> Iterator[Lowering]:
    ordered = sorted(values, key=lambda value: value.order)
    partners: dict[int, list[int]] = defaultdict(list)
    for better, worse in alike([value.words for value in ordered], least):
        partners[worse].append(better)
    kept: set[int] = set()
    for place, value in enumerate(ordered):
        same = (other for other in sorted(partners[place]) if other in kept and _says_what(ordered[other], value))
        better = next(same, None) if value.may_go else None
        if better is None:
            kept.add(place)
        else:
            yield _duplicate(value, ordered[better])


def _duplicate(value: _CompetingValue, kept: _CompetingValue) -> Lowering:
    share = likeness(value.words, kept.words)
    return Lowering(
        why=WhyGivesWay.DUPLICATE,
        belief=value.newest,
        claims=value.state.of_value(value.target),
        kept=kept.newest,
        to=kept.newest.first,
        because="its words are the same" if share == 1 else f"{share:.0%} of the words are the same",
    )


def _says_what(kept: _CompetingValue, other: _CompetingValue) -> bool:
    """Whether one value, which is kept, says what another one says, and of all its time."""
    return _same_kind(kept, other) and all(
        any(_spans(belief, each) for belief in kept.beliefs) for each in other.beliefs
    )


def _same_kind(kept: _CompetingValue, other: _CompetingValue) -> bool:
    """Whether the two may mean the same at all, whatever their words.

    Entities are told apart by who is who, not by words; and predicates that somebody defined mean what they mean.
    """
    a, b = kept.newest.first, other.newest.first
    predicates = a.predicate == b.predicate or key_of(a.predicate) or key_of(b.predicate)
    entities = kept.newest.object_id is not None and other.newest.object_id is not None
    texts = isinstance(a.value, str) and isinstance(b.value, str)
    return (
        bool(predicates)
        and (a.open, a.day) == (b.open, b.day)
        and status_of(a.predicate, is_open=a.open) == status_of(b.predicate, is_open=b.open)
        and not (entities and kept.target != other.target)
        and not (texts and words_of(str(a.value)).isdisjoint(words_of(str(b.value))))
        and not says_another(kept.statement, other.statement)
    )


def _spans(kept: Belief, other: Belief) -> bool:
    """Whether nothing that is known of the time of a belief is lost where only the kept one is left."""
    stated_before = other.from_stated and other.interval.start < kept.interval.start
    same_end = kept.interval.end == other.interval.end
    return same_end and not stated_before


def _values(state: SlotState) -> Iterator[_CompetingValue]:
    """The facts of a slot: of each value all beliefs, if they are of one category."""
    counting = [placed for placed in after_acts(state.claims) if placed.asserts]
    of_target: dict[str, list[Belief]] = defaultdict(list)
    for belief in state.beliefs:
        of_target[belief.target].append(belief)
    for target, beliefs in of_target.items():
        categories = {belief.category for belief in beliefs}
        if len(categories) == 1 and "" not in categories:
            yield _CompetingValue(
                state, target, tuple(beliefs), tuple(placed for placed in counting if placed.target == target)
            )


def _joined(pairs: Iterable[tuple[int, int]]) -> list[set[int]]:
    """The places that pairs join, in order of the first of each."""
    group_of: dict[int, set[int]] = {}
    for a, b in pairs:
        joined = group_of.get(a, {a}) | group_of.get(b, {b})
        for place in joined:
            group_of[place] = joined
    return sorted({min(group): group for group in group_of.values()}.values(), key=min)


def _settled(state: SlotState) -> Iterator[Lowering]:
    """Lower one value after the other, each on the slot that the last one leaves, while claims rank clearly."""
    step = next(_conflicts(state), None)
    while step is not None:
        lowering, state = step
        yield lowering
        step = next(_conflicts(state), None)


def _conflicts(state: SlotState) -> Iterator[tuple[Lowering, SlotState]]:
    """What may give way, each with the slot that it leads to."""
    if state.policy.cardinality is not Cardinality.ONE:
        return
    standing = [placed for placed in after_acts(state.claims) if placed.asserts]
    for belief in state.beliefs:
        if not belief.contested:
            continue
        best = max((placed for placed in standing if placed.id in belief.supported_by), key=_rank)
        for target in sorted({placed.target for placed in standing if placed.cap is None} - {belief.target}):
            naming = state.of_value(target)
            spanning = [placed for placed in standing if placed.target == target and _holds_in(placed, belief.interval)]
            if (
                not spanning
                or any(placed.claim.protecting for placed in naming)
                or not _disputes(state, target, belief)
            ):
                continue
            because = _above(best, max(spanning, key=_rank), by_time=state.policy.competition == ONE)
            if not because:
                continue
            lowering = Lowering(
                why=WhyGivesWay.CONFLICT, belief=belief, claims=naming, kept=belief, to=best.claim, because=because
            )
            after = state.knowing(give_way(lowering, BEGIN).claims)
            if _believed(after) == _believed(state):
                yield lowering, after


def _believed(state: SlotState) -> list[tuple[str, Interval]]:
    """What is believed, and when."""
    return [(belief.id, belief.interval) for belief in state.beliefs]


def _disputes(state: SlotState, target: str, belief: Belief) -> bool:
    """Whether a value would contest a belief if the two were alone."""
    return any(
        other.contested and other.target == belief.target and other.interval.overlaps(belief.interval)
        for other in state.only({target, belief.target}).beliefs
    )


def _holds_in(placed: PlacedClaim, interval: Interval) -> bool:
    start, end = placed.start, placed.claim.valid_to
    return start < end and Interval(start, end).overlaps(interval)


def _rank(placed: PlacedClaim) -> tuple[int, float, object, object, str]:
    """The rank of a claim as a projection ranks it where confidence decides."""
    return (placed.rank, placed.confidence, placed.start, placed.telling, placed.id)


def _above(best: PlacedClaim, other: PlacedClaim, *, by_time: bool) -> str:
    """Why one claim ranks clearly above another one; "" where it does not."""
    if best.rank != other.rank:
        ranks = f"{best.claim.asserted_by} goes before {other.claim.asserted_by}"
        return ranks if best.rank > other.rank else ""
    if by_time:
        return ""
    if best.confidence != other.confidence:
        sure = f"confidence {best.confidence:.2f} goes before {other.confidence:.2f}"
        return sure if best.confidence > other.confidence else ""
    return "the newer one goes first" if (best.start, best.telling) > (other.start, other.telling) else ""
