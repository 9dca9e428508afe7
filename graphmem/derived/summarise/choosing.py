"""Which sentences make a summary: those near to what the whole is about, and far from each other.

Maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998): the next sentence is the one with the highest
``RELEVANCE * relevance - (1 - RELEVANCE) * redundancy``. Relevance is the cosine with the mean of all sentences plus
the importance, redundancy the highest cosine with a sentence chosen before (docs/decisions/0045).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graphmem.model.embedding import Vector

RELEVANCE = 0.3
"""The weight of relevance, from 0 to 1."""
SAID_ALREADY = 0.8
"""From this cosine on with a sentence chosen before, a sentence says nothing more."""
_DIGITS = 6
"""Scores are compared to so many digits, so that the last bits of a sum decide nothing."""

Floats = NDArray[np.float64]


class Choice:
    """Choosing from sentences with their ``vectors``, their ``importances`` and what each ``costs`` in tokens."""

    def __init__(self, vectors: Sequence[Vector], importances: Sequence[float], costs: Sequence[int]) -> None:
        self._vectors = _unit(np.asarray(vectors, dtype=np.float64))
        self._costs = np.asarray(costs)
        self._relevance: Floats = self._vectors @ _unit(self._vectors.mean(axis=0)) + np.asarray(importances)
        self._redundancy: Floats = np.zeros(len(costs))
        self.chosen: list[int] = []

    def add(self, places: range, room: int) -> int:
        """Choose from the sentences at ``places`` while one fits into the room, in tokens; gives what room is left."""
        inside = np.zeros(len(self._costs), dtype=bool)
        inside[places.start : places.stop] = True
        while True:
            open_ = inside & (self._costs <= room) & (self._redundancy < SAID_ALREADY)
            if not open_.any():
                return room
            scores = np.round(RELEVANCE * self._relevance - (1 - RELEVANCE) * self._redundancy, _DIGITS)
            best = int(np.where(open_, scores, -np.inf).argmax())
            self.chosen.append(best)
            inside[best] = False
            room -= int(self._costs[best])
            self._redundancy = np.maximum(self._redundancy, self._vectors @ self._vectors[best])


def _unit(vectors: Floats) -> Floats:
    """Vectors of length one; those without a direction stay as they are."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1.0)
