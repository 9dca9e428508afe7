"""Spans become the mentions of a fragment."""

from collections.abc import Iterable

from graphmem.extract.overlaps import Span, without_overlaps
from graphmem.model.fragment import ProposedMention


def mentions(spans: Iterable[Span]) -> tuple[ProposedMention, ...]:
    """The spans that stand where they overlap, in their order."""
    return tuple(ProposedMention(entity=span.name, start=span.start, end=span.end) for span in without_overlaps(spans))
