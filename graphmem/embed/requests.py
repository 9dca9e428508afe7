"""The texts of one call: encoded a few at a time, and put in their order again."""

import math
from collections.abc import Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import GraphmemError, NotEmbeddable
from graphmem.model.embedding import Vector


class EmbeddingRequest:
    """One call. ``answer`` ends exactly once: with a vector for each text, an error, or because it was cancelled.

    The vector of a text that is longer than what a model reads is that of its beginning.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self.answer: Future[list[Vector]] = Future()
        self._texts = texts
        # Texts of one length make a batch without padding; the longest are taken first.
        self._order = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
        self._encoded: list[NDArray[np.float32]] = []

    @property
    def ended(self) -> bool:
        return self.answer.done()

    def next(self, count: int) -> list[str]:
        """At most ``count`` texts that are not encoded yet; the same ones until ``put`` is called."""
        done = len(self._encoded)
        return [self._texts[index] for index in self._order[done : done + count]]

    def put(self, vectors: Sequence[NDArray[np.float32]]) -> None:
        """The vectors of the texts that ``next`` gave; with the last of them the call is answered."""
        self._encoded.extend(vectors)
        if len(self._encoded) < len(self._order):
            return
        encoded = dict(zip(self._order, self._encoded, strict=True))
        try:
            vectors_of_texts = [_unit(encoded[index]) for index in range(len(encoded))]
        except NotEmbeddable as error:
            self.fail(error)
        else:
            with suppress(InvalidStateError):  # it was cancelled or closed meanwhile
                self.answer.set_result(vectors_of_texts)

    def fail(self, error: GraphmemError) -> None:
        with suppress(InvalidStateError):
            self.answer.set_exception(error)


def _unit(vector: NDArray[np.float32]) -> Vector:
    """Length one; Neo4j stores a zero vector silently and never finds it."""
    length = float(np.linalg.norm(vector))
    if not 0 < length < math.inf:
        raise NotEmbeddable("Its vector has no length, or no end. Leave out what is no text, or use another model.")
    return (vector / length).tolist()
