"""Reads what can be read: what somebody else has spoilt is left out and named, and spoils nothing else."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import structlog

from graphmem.errors import AnswerTooLarge, QueryDefinitionError
from graphmem.model.recall import BELIEFS, Ranked

UNREADABLE = (QueryDefinitionError, ValueError, KeyError, TypeError)
"""What a row that somebody else has changed makes of reading it."""

Wanted = TypeVar("Wanted")
Read = TypeVar("Read")

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


async def readable(
    read: Callable[[Sequence[Wanted]], Awaitable[Read]], wanted: Sequence[Wanted], name: Callable[[Wanted], str]
) -> tuple[list[Read], list[str]]:
    """What is read of all at once, else of each half by itself; and a sentence for each that cannot be read."""
    if not wanted:
        return [], []
    try:
        return [await read(wanted)], []
    except (*UNREADABLE, AnswerTooLarge) as error:
        if len(wanted) > 1:
            half = len(wanted) // 2
            first, lost_first = await readable(read, wanted[:half], name)
            second, lost_second = await readable(read, wanted[half:], name)
            return [*first, *second], [*lost_first, *lost_second]
        log.warning("unreadable", entry=name(wanted[0]), error=type(error).__name__)
        return [], [f"{name(wanted[0])} cannot be read, and was left out."]


def name_of(item: Ranked) -> str:
    """What a hit is called to people: its kind and its id."""
    return f"{'Belief' if item.kind in BELIEFS else item.kind.capitalize()} {item.id}"
