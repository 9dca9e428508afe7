"""``python -m training.average FIRST SECOND OUT [--share S]``: the average of two trainings, as a training of its own.

Weights that were trained from the same ones, with the same seed, on corpora of which one is within the other, differ
little enough for their average to be a reader, and it reads better than either: Wortsman et al., *Model soups*, 2022
(https://arxiv.org/abs/2203.05482).
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

from training.reader import saved


def averaged(first: Mapping[str, Tensor], second: Mapping[str, Tensor], share: float) -> dict[str, Tensor]:
    """The weights between two: ``share``, from 0 to 1, is that of the second."""
    return {
        name: torch.lerp(weight, second[name], share) if weight.is_floating_point() else weight
        for name, weight in first.items()
    }


def main(arguments: Sequence[str]) -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="of the second, from 0 to 1")
    given = parser.parse_args(arguments)
    given.out.mkdir(parents=True, exist_ok=True)
    weights = averaged(saved(given.first), saved(given.second), given.share)
    torch.save({"reader": weights}, given.out / "state.pt")


if __name__ == "__main__":
    main(sys.argv[1:])
