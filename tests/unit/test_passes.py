"""Reads of the past by index: again until nothing moves."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from graphmem.model.interval import LATEST
from graphmem.store.named import MOST_PASSES, read_in_passes

PAST = datetime(2025, 1, 1, tzinfo=UTC)


async def read(known_at: datetime, passes: Sequence[set[int]]) -> list[set[int]]:
    waiting = iter(passes)

    async def one() -> set[int]:
        return next(waiting)

    return await read_in_passes(known_at, one, frozenset)


@pytest.mark.parametrize(
    ("passes", "taken"),
    [
        ([{1, 2}, {1, 2}, {3}], 2),
        ([{1}, {2}, {1, 2}, {1, 2}, {3}], 4),
        ([{number} for number in range(9)], MOST_PASSES),
    ],
)
async def test_the_past_is_read_until_two_passes_find_the_same(passes: Sequence[set[int]], taken: int) -> None:
    assert await read(PAST, passes) == passes[:taken]


async def test_what_is_believed_now_is_read_once() -> None:
    assert await read(LATEST, [{1}, {2}]) == [{1}]
