"""The mentions that a model read, as spans beside those of other providers."""

from collections.abc import Iterable

from graphmem.extract.overlaps import Span
from graphmem.model.fragment import ProposedMention

READ = 0.96
"""Confidence in a span that a language model names: less than in an e-mail or a URL, more than in other identifiers."""


def spans_of(mentions: Iterable[ProposedMention]) -> tuple[Span, ...]:
    return tuple(Span(each.entity, each.start, each.end, READ) for each in mentions)
