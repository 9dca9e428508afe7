"""Recall of the vector index under filters, against the exact answer over all vectors of the big tenant."""

import numpy as np
import numpy.typing as npt

from bench.scale.made import BIG, BLOCK, DAYS, Floats, big_blocks, day, number_of, queries, times, vectors
from bench.scale.reads import Ground
from graphmem.model.scope import Scope
from graphmem.model.search import RELATIONSHIP

NEAREST = 20
SHARES = (0.01, 0.12, 0.5)
_ASKED = (NEAREST, 50)
"""As many as are wanted, and as many as ``recall`` asks for (max(50, 2.5 k))."""

Numbers = npt.NDArray[np.int64]


async def vector_recall(ground: Ground, count: int) -> dict[str, object]:
    """For each share of the relationships that a valid time selects: how many of the nearest 20 are found."""
    asked = queries(count)
    return {f"{share:.0%}": await _at_share(ground, asked, day_of_share(ground.blocks, share)) for share in SHARES}


async def _at_share(ground: Ground, asked: Floats, number: int) -> dict[str, object]:
    exact = _nearest(ground.blocks, asked, number)
    when = Scope(BIG, day(number), ground.known_at)
    figures: dict[str, object] = {
        "selected": round(_share(ground.blocks, number), 4),
        "valid_at": when.valid_at.date().isoformat(),
    }
    for limit in _ASKED:
        found = [await _found(ground, when, vector.tolist(), limit) for vector in asked]
        hits = sum(len(set(one) & set(right.tolist())) for one, right in zip(found, exact, strict=True))
        figures[f"recall_asking_{limit}"] = round(hits / exact.size, 4)
    return figures


async def _found(ground: Ground, when: Scope, vector: list[float], limit: int) -> list[int]:
    near = await ground.memory.store.by_vector(when, vector, [RELATIONSHIP], limit)
    found = await ground.memory.store.beliefs_by_id(when, [hit.id for hit in near[RELATIONSHIP].hits[:NEAREST]])
    ground.database.take()
    return [number for belief in found.beliefs if (number := number_of(belief.statement)) is not None]


def _nearest(blocks: int, asked: Floats, number: int) -> Numbers:
    """The numbers of the claims nearest to each query among those that held on a day; one row a query."""
    best = np.full((len(asked), NEAREST), -2.0, dtype=np.float32)
    names = np.full((len(asked), NEAREST), -1, dtype=np.int64)
    for block in big_blocks(blocks):
        those = np.flatnonzero(held(block, number))
        cosines = np.hstack([best, asked @ vectors(block)[those].T])
        whose = np.hstack([names, np.broadcast_to(BLOCK * block + those, (len(asked), len(those)))])
        order = np.argpartition(-cosines, NEAREST - 1, axis=1)[:, :NEAREST]
        best, names = np.take_along_axis(cosines, order, axis=1), np.take_along_axis(whose, order, axis=1)
    return names


def held(block: int, number: int) -> npt.NDArray[np.bool_]:
    """Which claims of a block held on a day."""
    begins, ends = times(block)
    return (begins <= number) & (ends > number)


def _share(blocks: int, number: int) -> float:
    return float(np.mean([held(block, number).mean() for block in big_blocks(blocks)[:50]]))


def day_of_share(blocks: int, share: float) -> int:
    """The day on which about this share held: it grows with the years."""
    return min(range(0, DAYS, 10), key=lambda number: abs(_share(blocks, number) - share))
