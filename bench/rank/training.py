"""Weights of turns that are fitted to questions whose answers are known.

Coordinate ascent: one weight after the other is moved as long as the measure rises (Metzler & Croft, Linear
feature-based models for information retrieval, 2007, https://doi.org/10.1007/s10791-006-9019-z). The measure is the
mean of the recall among the first 5, 10 and 20. It depends on the order of scores alone: ``text`` keeps its weight and
gives the others their scale.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from statistics import mean

from bench.rank.judged import RANKS, Example, Lists, Recall
from graphmem.retrieve.weights import TurnWeights

ANCHOR = "text"
STEPS = (0.05, -0.05, 0.1, -0.1, 0.2, -0.2, 0.4, -0.4, 0.8, -0.8)
FOLDS = 10
"""More groups than this are left out several at a time."""
FOLDS_OF_ONE = 5
"""The questions of a single group are left out in so many parts."""
_ROUNDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """``held_out`` is the recall on questions that the weights were not fitted to, left out in so many ``folds``.

    ``by_group``: whole groups were left out.
    """

    weights: TurnWeights
    before: Recall
    after: Recall
    held_out: Recall
    folds: int
    by_group: bool

    @property
    def gains(self) -> bool:
        """Whether weights fitted to other questions find more than those that were there before."""
        return mean(self.held_out.values()) > mean(self.before.values())


def train(examples: Sequence[Example], start: TurnWeights, advance: Callable[[], None] = lambda: None) -> Trained:
    """Fit weights from ``start`` on: to all examples, and, to tell what that is worth, to all but each fold.

    ``advance`` is called after each fit, so once more than there are ``folds_of``. The lists must not all be empty.
    """
    weights = fit(examples, start)
    advance()
    held_out: dict[int, float] = dict.fromkeys(RANKS, 0.0)
    folds = 0
    for part, of_others in left_out(examples, start):
        found = recall(part, of_others)
        held_out = {rank: held_out[rank] + found[rank] * len(part) / len(examples) for rank in RANKS}
        folds += 1
        advance()
    return Trained(
        weights=weights,
        before=recall(examples, start),
        after=recall(examples, weights),
        held_out=held_out,
        folds=folds,
        by_group=_groups(examples) > 1,
    )


def left_out(
    examples: Sequence[Example], start: TurnWeights, fixed: Collection[str] = ()
) -> Iterator[tuple[list[Example], TurnWeights]]:
    """Each fold, with the weights that are fitted to all the others."""
    parts = folds_of(examples)
    for place, part in enumerate(parts):
        others = list(chain.from_iterable(parts[:place] + parts[place + 1 :]))
        yield part, fit(others, start, fixed)


def folds_of(examples: Sequence[Example]) -> list[list[Example]]:
    """The parts that are left out: a group each, of many groups several; of a single group every fifth question."""
    groups = list(dict.fromkeys(one.group for one in examples))
    folds = {group: place % FOLDS for place, group in enumerate(groups)}
    parts = defaultdict[int, list[Example]](list)
    for place, one in enumerate(examples):
        parts[folds[one.group] if len(groups) > 1 else place % FOLDS_OF_ONE].append(one)
    return list(parts.values())


def fit(examples: Sequence[Example], start: TurnWeights, fixed: Collection[str] = ()) -> TurnWeights:
    """The weights, from ``start`` on, of which none gains by a step as much as one question is worth.

    Of several steps the one that gains the most is taken, of those alike the smallest. Steps are multiples of .05.
    ``fixed`` are the names of weights that stay as they are.
    """
    if not any(one.candidates for one in examples):
        return start
    lists, weights = Lists(examples), start
    best, least = _measure(lists, weights), 1 / len(examples)
    for _ in range(_ROUNDS):
        before = best
        for name in (each.name for each in fields(TurnWeights) if each.name not in {ANCHOR, *fixed}):
            tried = [_moved(weights, name, step) for step in STEPS]
            measures = [_measure(lists, one) for one in tried]
            if max(measures) - best >= least:
                best = max(measures)
                weights = tried[measures.index(best)]
        if best == before:
            break
    return weights


def recall(examples: Sequence[Example], weights: TurnWeights) -> Recall:
    """What the lists have among the first, ranked by these weights."""
    if not any(one.candidates for one in examples):
        return dict.fromkeys(RANKS, 0.0)
    return Lists(examples).recall(weights)


def _measure(lists: Lists, weights: TurnWeights) -> float:
    return mean(lists.recall(weights).values())


def _moved(weights: TurnWeights, name: str, step: float) -> TurnWeights:
    return replace(weights, **{name: round(getattr(weights, name) + step, 4)})


def _groups(examples: Sequence[Example]) -> int:
    return len({one.group for one in examples})
