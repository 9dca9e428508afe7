"""Examples as tensors, those of like length together."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from graphmem.extract.reader.layout import SPEAKER_AT, USER_AT
from training.targets import Learnt, Target

_TOGETHER = 50
"""Batches among which examples are sorted by length."""


@dataclass(frozen=True, slots=True)
class Batch:
    """``of_text`` are tokens of texts, ``subjects`` those that may be the subject, ``named`` also those before."""

    learnt: Sequence[Learnt]
    ids: Tensor
    types: Tensor
    mask: Tensor
    of_text: Tensor
    subjects: Tensor
    named: Tensor
    foreign: Tensor

    @property
    def targets(self) -> list[tuple[int, Target]]:
        """Each with its row."""
        return [(row, target) for row, learnt in enumerate(self.learnt) for target in learnt.targets]


def batch_of(learnt: Sequence[Learnt]) -> Batch:
    """The examples, padded to the longest."""
    length = max(len(each.layout.ids) for each in learnt)
    shape = (len(learnt), length)
    ids, types, mask = (torch.zeros(shape, dtype=torch.long) for _ in range(3))
    of_text, named, foreign = (torch.zeros(shape, dtype=torch.bool) for _ in range(3))
    for row, each in enumerate(learnt):
        layout = each.layout
        ids[row, : len(layout.ids)] = torch.tensor(layout.ids)
        types[row, : len(layout.ids)] = torch.tensor(layout.types)
        mask[row, : len(layout.ids)] = 1
        of_text[row, layout.first : layout.last + 1] = True
        named[row, USER_AT + 1 : USER_AT + 1 + len(layout.offsets_before)] = True
        foreign[row, sorted(each.foreign)] = True
    subjects = of_text.clone()
    subjects[:, [SPEAKER_AT, USER_AT]] = True
    return Batch(learnt, ids, types, mask, of_text, subjects, named | subjects, foreign)


def batches(learnt: Sequence[Learnt], size: int, rng: random.Random | None = None) -> Iterator[Batch]:
    """All examples in batches of like length; ``rng`` shuffles them, else they come by length."""
    order = list(learnt)
    if rng is None:
        order.sort(key=lambda each: len(each.layout.ids))
    else:
        rng.shuffle(order)
        runs = [order[at : at + size * _TOGETHER] for at in range(0, len(order), size * _TOGETHER)]
        order = [each for run in runs for each in sorted(run, key=lambda each: len(each.layout.ids))]
    groups = [order[at : at + size] for at in range(0, len(order), size)]
    if rng is not None:
        rng.shuffle(groups)
    yield from map(batch_of, groups)
