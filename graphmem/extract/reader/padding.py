"""Layouts of several turns as arrays, padded to the longest."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphmem.extract.reader.layout import SPEAKER_AT, USER_AT, Layout

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Scores = NDArray[np.float32]
POINTERS = ("subject", "time", "antecedent")
"""What a claim points at; each has a first and a last token."""


@dataclass(frozen=True, slots=True)
class Padded:
    """Arrays of [turns, tokens].

    ``of_text`` are tokens of texts, ``subjects`` those that may be a subject, ``named`` those that may be what a
    pronoun stands for.
    """

    ids: Numbers
    types: Numbers
    mask: Numbers
    of_text: Flags
    subjects: Flags
    named: Flags

    @property
    def pointable(self) -> Flags:
        """Where each end of each pointer may point, [turns, 6, tokens]."""
        times = self.of_text.copy()
        times[:, SPEAKER_AT] = True
        return np.repeat(np.stack([self.subjects, times, self.named], axis=1), 2, axis=1)


def padded(layouts: Sequence[Layout]) -> Padded:
    """The layouts, in their order."""
    shape = len(layouts), max(len(layout.ids) for layout in layouts)
    ids, types, mask = (np.zeros(shape, dtype=np.int64) for _ in range(3))
    of_text, before = (np.zeros(shape, dtype=np.bool_) for _ in range(2))
    for row, layout in enumerate(layouts):
        ids[row, : len(layout.ids)] = layout.ids
        types[row, : len(layout.ids)] = layout.types
        mask[row, : len(layout.ids)] = 1
        of_text[row, layout.first : layout.last + 1] = True
        before[row, USER_AT + 1 : USER_AT + 1 + len(layout.offsets_before)] = True
    subjects = of_text.copy()
    subjects[:, [SPEAKER_AT, USER_AT]] = True
    return Padded(ids, types, mask, of_text, subjects, before | subjects)
