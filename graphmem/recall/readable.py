"""Reads what one answer has room for: what is too long by itself is left out and named, and keeps out nothing else."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import structlog

from graphmem.errors import AnswerTooLarge
from graphmem.model.hits import Ranked
from graphmem.model.search import HIT_KINDS

Wanted = TypeVar("Wanted")
Read = TypeVar("Read")

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


async def readable(
    read: Callable[[Sequence[Wanted]], Awaitable[Read]], wanted: Sequence[Wanted], name: Callable[[Wanted], str]
) -> tuple[list[Read], list[str]]:
    """What is read of all at once, else of each half by itself; and a sentence for each that is too long."""
    if not wanted:
        return [], []
    try:
        return [await read(wanted)], []
    except AnswerTooLarge:
        if len(wanted) > 1:
            half = len(wanted) // 2
            first, lost_first = await readable(read, wanted[:half], name)
            second, lost_second = await readable(read, wanted[half:], name)
            return [*first, *second], [*lost_first, *lost_second]
        log.warning("too_long", entry=name(wanted[0]))
        return [], [f"{name(wanted[0])} is too long for an answer, and was left out."]


def name_of(item: Ranked) -> str:
    """What a hit is called to people: its kind and its id."""
    return f"{HIT_KINDS[item.kind].name} {item.id}"
