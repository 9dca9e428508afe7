"""Lists of turns of which it is known which answer the question, and the recall of these lists under other weights."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from graphmem.retrieve.weights import TurnWeights

RANKS = (5, 10, 20)
SESSION = "session"
"""The one reason that depends on all other weights: what the best turn of the session has by its other reasons."""

_OTHERS = tuple(each.name for each in fields(TurnWeights) if each.name != SESSION)

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Flags = NDArray[np.bool_]
Recall = Mapping[int, float]
"""By rank the mean over questions of the share of what answers each that is among so many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTurn:
    """A turn in the list of a question.

    ``scores`` are the reasons to show it before they are weighted, but for that of its session; those of 0 may be left
    out. ``fixed`` is added to its score whatever the weights are. ``session`` is "" for none.
    """

    id: str
    session: str
    scores: Mapping[str, float]
    fixed: float = 0.0
    answers: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A question of a group with its list. ``wanted`` turns answer it, whether or not they are in the list."""

    group: str
    candidates: tuple[ListedTurn, ...]
    wanted: int


class Lists:
    """Examples as tables, of all lists at once: a row a candidate, by example, session and id."""

    def __init__(self, examples: Sequence[Example]) -> None:
        """There must be at least one example that has candidates."""
        rows = list(_rows(examples))
        self._scores: Floats = np.array([[one.scores.get(name, 0.0) for name in _OTHERS] for _, one in rows])
        self._fixed: Floats = np.array([one.fixed for _, one in rows])
        self._in_session: Floats = np.array([float(bool(one.session)) for _, one in rows])
        runs = [(place, one.session, "" if one.session else one.id) for place, one in rows]
        self._begins: Places = np.array([at for at, run in enumerate(runs) if at == 0 or run != runs[at - 1]])
        self._lengths: Places = np.diff(self._begins, append=len(rows))
        self._judge(examples, rows)

    def recall(self, weights: TurnWeights) -> Recall:
        """What the lists have among the first, each in the order of its scores; of equal ones the lesser id first."""
        ranks = self._ranks(self._ranked(asdict(weights)))
        return {rank: float(np.sum(self._shares[ranks < rank])) for rank in RANKS}

    def _judge(self, examples: Sequence[Example], rows: Sequence[tuple[int, ListedTurn]]) -> None:
        """Keep where the answers are, what share of the recall each is, and what else is in the list of each."""
        by_id = sorted(range(len(rows)), key=lambda at: rows[at][1].id)
        self._order: Places = np.argsort(np.array(by_id))
        answers = [at for at, (_, one) in enumerate(rows) if one.answers]
        whose = [rows[at][0] for at in answers]
        self._answers: Places = np.array(answers, dtype=np.intp)
        self._shares: Floats = np.array([1 / (examples[place].wanted * len(examples)) for place in whose], np.float64)
        sizes = [len(one.candidates) for one in examples]
        begins, longest = [0, *accumulate(sizes)], range(max(sizes))
        beside = [[min(begins[place] + step, len(rows) - 1) for step in longest] for place in whose]
        counts = [[step < sizes[place] for step in longest] for place in whose]
        self._beside: Places = np.array(beside, dtype=np.intp).reshape(-1, len(longest))
        self._counts: Flags = np.array(counts, dtype=np.bool_).reshape(-1, len(longest))

    def _ranked(self, weights: Mapping[str, float]) -> Floats:
        """The score of each candidate."""
        own: Floats = self._scores @ np.array([weights[name] for name in _OTHERS]) + self._fixed
        best = np.repeat(np.maximum.reduceat(own, self._begins), self._lengths)
        return own + weights[SESSION] * best * self._in_session

    def _ranks(self, scores: Floats) -> Places:
        """The place of each answer in its list, from 0."""
        own, order = scores[self._answers][:, None], self._order[self._answers][:, None]
        others = scores[self._beside]
        above = (others > own) | ((others == own) & (self._order[self._beside] < order))
        return np.sum(above & self._counts, axis=1)


def _rows(examples: Sequence[Example]) -> Iterator[tuple[int, ListedTurn]]:
    for place, example in enumerate(examples):
        for one in sorted(example.candidates, key=lambda one: (one.session, one.id)):
            yield place, one
