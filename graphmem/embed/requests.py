"""The texts of one call: cut into pieces, encoded a few pieces at a time, put together again."""

import math
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import GraphmemError, NotEmbeddable
from graphmem.model.embedding import Vector

_SENTENCE = re.compile(r"[^.!?\n]*[.!?\n]+\s*|[^.!?\n]+")


def chunks(text: str, limit: int) -> list[str]:
    """Pieces of at most ``limit`` characters that together are the text, blank ones left out."""
    pieces: list[str] = []
    piece = ""
    for sentence in _sentences(text, limit):
        if piece and len(piece) + len(sentence) > limit:
            pieces.append(piece)
            piece = ""
        piece += sentence
    pieces.append(piece)
    return [piece for piece in pieces if piece.strip()]


def _sentences(text: str, limit: int) -> Iterator[str]:
    for match in _SENTENCE.finditer(text):
        sentence = match.group()
        yield from (sentence[at : at + limit] for at in range(0, len(sentence), limit))


class EmbeddingRequest:
    """One call. ``answer`` ends exactly once: with a vector for each text, an error, or because it was cancelled."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.answer: Future[list[Vector]] = Future()
        self._texts = texts
        self._pieces: list[str] | None = None
        self._ends: list[int] = []
        self._order: list[int] = []
        self._encoded: list[NDArray[np.float32]] = []

    @property
    def ended(self) -> bool:
        return self.answer.done()

    def cut(self, limit: int) -> None:
        """Cut the texts into pieces of at most ``limit`` characters, once."""
        if self._pieces is not None:
            return
        self._pieces = []
        for text in self._texts:
            self._pieces += chunks(text, limit) or [text]
            self._ends.append(len(self._pieces))
        pieces = self._pieces
        # Pieces of one length make a batch without padding; the longest are taken first.
        self._order = sorted(range(len(pieces)), key=lambda index: -len(pieces[index]))

    def next(self, count: int) -> list[str]:
        """At most ``count`` pieces that are not encoded yet; the same ones until ``put`` is called."""
        done = len(self._encoded)
        return [(self._pieces or [])[index] for index in self._order[done : done + count]]

    def put(self, vectors: Sequence[NDArray[np.float32]]) -> None:
        """The vectors of the pieces that ``next`` gave; with the last of them the call is answered."""
        self._encoded.extend(vectors)
        if len(self._encoded) < len(self._order):
            return
        encoded = np.empty((len(self._order), len(self._encoded[0])), dtype=np.float32)
        encoded[self._order] = self._encoded
        try:
            vectors_of_texts = [_unit(part.mean(axis=0)) for part in np.split(encoded, self._ends[:-1])]
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
