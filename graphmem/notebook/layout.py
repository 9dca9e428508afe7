"""Where boxes and arrows of a graph go: things that are related lie near each other, and no box covers another.

The same graph is laid out the same way: distances along arrows become distances on paper (stress majorisation).
"""
# ruff: noqa: PLC0415 - numpy comes with pandas, and is imported where it is needed

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Points = NDArray[float64]

Box = tuple[float, float]
"""Width and height."""

_HOP = 85.0
"""How far apart the middles of two boxes should be that touch one arrow."""
_FLAT = 0.75
"""Screens are wider than high."""
_GAP = 10.0
_WIDEST = 1000.0
_ROUNDS = 200
_TOUCHES = 400


def placed(boxes: Sequence[Box], arrows: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    """The middle of each box, from the left upper corner of them all; ``arrows`` are between their places in the list.

    What no arrows connect is laid out apart, part beside part, in rows.
    """
    import numpy as np

    points = np.zeros((len(boxes), 2))
    sizes = np.array(boxes, dtype=float).reshape(-1, 2)
    hops = _hops(len(boxes), arrows)
    corner, row = np.zeros(2), 0.0
    for part in _parts(hops):
        inside = _apart(_near(hops[np.ix_(part, part)] * _HOP) * np.array([1.0, _FLAT]), sizes[part])
        inside -= (inside - sizes[part] / 2).min(axis=0)
        width, height = (inside + sizes[part] / 2).max(axis=0)
        if corner[0] and corner[0] + width > _WIDEST:
            corner, row = np.array([0.0, corner[1] + row + 4 * _GAP]), 0.0
        points[part] = inside + corner
        corner, row = corner + np.array([width + 4 * _GAP, 0.0]), max(row, float(height))
    return [(float(x), float(y)) for x, y in points]


def _hops(count: int, arrows: Sequence[tuple[int, int]]) -> "Points":
    """How many arrows apart any two are; infinitely many where none connect them."""
    import numpy as np

    hops = np.full((count, count), np.inf)
    np.fill_diagonal(hops, 0.0)
    for start, end in arrows:
        if start != end:
            hops[start, end] = hops[end, start] = 1.0
    for middle in range(count):
        hops = np.minimum(hops, hops[:, middle : middle + 1] + hops[middle : middle + 1, :])
    return hops


def _parts(hops: "Points") -> list[list[int]]:
    """Which places in the list are connected with each other, the largest parts first."""
    import numpy as np

    parts = {tuple(int(place) for place in np.flatnonzero(np.isfinite(row))) for row in hops}
    return [list(part) for part in sorted(parts, key=lambda part: (-len(part), part))]


def _near(wanted: "Points") -> "Points":
    """Points whose distances are about those that are wanted, the short ones above all."""
    import numpy as np

    count = len(wanted)
    points = np.random.default_rng(3).normal(scale=float(wanted.max()) or 1.0, size=(count, 2))
    weights = 1.0 / np.maximum(wanted, 1.0) ** 2
    np.fill_diagonal(weights, 0.0)
    inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    for _ in range(_ROUNDS):
        far = np.linalg.norm(points[:, None] - points[None, :], axis=2)
        pull = weights * wanted / np.maximum(far, 1e-9)
        points = inverse @ ((np.diag(pull.sum(axis=1)) - pull) @ points)
    return points


def _apart(points: "Points", sizes: "Points") -> "Points":
    """The points moved, each pair the shorter way, until no two boxes touch."""
    import numpy as np

    least = (sizes[:, None] + sizes[None, :]) / 2 + _GAP
    for _ in range(_TOUCHES):
        offset = points[:, None] - points[None, :]
        over = least - np.abs(offset)
        touching = np.triu((over > 0).all(axis=2), 1)
        if not touching.any():
            break
        for first, second in np.argwhere(touching):
            axis = int(over[first, second].argmin())
            way = 1.0 if points[first, axis] >= points[second, axis] else -1.0
            step = max(0.0, least[first, second, axis] - abs(points[first, axis] - points[second, axis])) / 2
            points[first, axis] += way * step
            points[second, axis] -= way * step
    return points
