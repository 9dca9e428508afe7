"""Reading by index what is to stay the same.

A row that is superseded moves from one index to another. While its transaction commits, it may be in neither: on a busy
machine for longer than a read takes. Along relationships it is never missed.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeVar

from graphmem.model.interval import LATEST

Answer = TypeVar("Answer")
MOST_PASSES = 6


async def read_in_passes(
    known_at: datetime, read: Callable[[], Awaitable[Answer]], found: Callable[[Answer], object]
) -> list[Answer]:
    """Answers to the same question about the past: two that ``found`` the same, after those that did not.

    Each row moves once, so that what one pass misses is in a later one; while passes differ, rows are moving. What is
    believed now is read once.
    """
    answers = [await read()]
    if known_at >= LATEST:
        return answers
    while len(answers) < MOST_PASSES:
        answers.append(await read())
        if found(answers[-1]) == found(answers[-2]):
            break
    return answers
