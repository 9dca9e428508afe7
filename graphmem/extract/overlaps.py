"""Spans that several providers see in one text, and which of them stand where they overlap."""

from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass

from graphmem.model.fragment import ThingName


@dataclass(frozen=True, slots=True)
class Span:
    """``name`` stands at ``[start, end)`` of the text, in code points; ``confidence`` is from 0 to 1."""

    name: ThingName
    start: int
    end: int
    confidence: float


def overlap(left: tuple[int, int], right: tuple[int, int]) -> bool:
    """Whether two places ``[start, end)`` of a text have code points in common."""
    return left[0] < right[1] and right[0] < left[1]


def without_overlaps(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans of which no two overlap, in their order: the highest confidence wins, then the longest, then the first.

    The order of ``spans`` makes no difference.
    """
    kept: list[Span] = []
    for span in sorted(set(spans), key=_rank):
        place = bisect_left(kept, span.start, key=_start)
        before_ends = place == 0 or kept[place - 1].end <= span.start
        if before_ends and (place == len(kept) or span.end <= kept[place].start):
            insort(kept, span, key=_start)
    return tuple(kept)


def _rank(span: Span) -> tuple[float, int, int, str, str]:
    return -span.confidence, span.start - span.end, span.start, span.name.type, span.name.name


def _start(span: Span) -> int:
    return span.start
