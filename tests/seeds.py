"""Seeds of tests whose order or choice is drawn: one for every change, all of them in the second tier."""

import pytest


def seeds(count: int) -> list[int | object]:
    """``count`` seeds from 0 on; all but the first are marked ``full``."""
    return [0, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(1, count))]
