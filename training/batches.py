"""Examples as tensors, those of like length together."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from graphmem.extract.reader.padding import padded
from training.targets import Learnt, Target

_TOGETHER = 50
"""Batches among which examples are sorted by length."""


@dataclass(frozen=True, slots=True)
class Batch:
    """``pointable``: where each pointer may point, [examples, 6, tokens]; ``foreign``: tokens of words of others."""

    learnt: Sequence[Learnt]
    ids: Tensor
    types: Tensor
    mask: Tensor
    of_text: Tensor
    pointable: Tensor
    foreign: Tensor

    @property
    def targets(self) -> list[tuple[int, Target]]:
        """Each with its row."""
        return [(row, target) for row, learnt in enumerate(self.learnt) for target in learnt.targets]


def batch_of(learnt: Sequence[Learnt]) -> Batch:
    """The examples, padded to the longest."""
    arrays = padded([each.layout for each in learnt])
    foreign = torch.zeros(arrays.ids.shape, dtype=torch.bool)
    for row, each in enumerate(learnt):
        foreign[row, sorted(each.foreign)] = True
    ids, types, mask, of_text, pointable = map(
        torch.from_numpy, (arrays.ids, arrays.types, arrays.mask, arrays.of_text, arrays.pointable)
    )
    return Batch(learnt, ids, types, mask, of_text, pointable, foreign)


def batches(learnt: Sequence[Learnt], size: int, rng: random.Random) -> Iterator[Batch]:
    """All examples in batches of like length, shuffled."""
    order = list(learnt)
    rng.shuffle(order)
    runs = [order[at : at + size * _TOGETHER] for at in range(0, len(order), size * _TOGETHER)]
    order = [each for run in runs for each in sorted(run, key=lambda each: len(each.layout.ids))]
    groups = [order[at : at + size] for at in range(0, len(order), size)]
    rng.shuffle(groups)
    yield from map(batch_of, groups)
