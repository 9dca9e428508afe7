"""Summaries and reflections without what was withdrawn of them since: so they are found until they are made again."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from graphmem.model.reflection import StoredReflection
from graphmem.model.summary import QuotedSpan, StoredSummary, any_overlap
from graphmem.retrieve.summaries import standing_lines


def standing_summary(summary: StoredSummary, withdrawn: Collection[QuotedSpan]) -> StoredSummary | None:
    """A summary without the sentences that cite what was withdrawn; None where nothing is left.

    ``text.tokens`` are still those of the whole version.
    """
    text, lines = summary.text, standing_lines(summary, withdrawn)
    if len(lines) == len(text.lines):
        return summary
    if not lines:
        return None
    kept = [place for place, sentence in enumerate(text.sentences) if not any_overlap(sentence.spans, withdrawn)]
    content = _without(text.content, text.lines, kept)
    sentences = tuple(text.sentences[place] for place in kept)
    return replace(summary, text=replace(text, content=content, lines=tuple(lines), sentences=sentences))


def standing_reflection(reflection: StoredReflection, withdrawn: Collection[str]) -> StoredReflection | None:
    """A reflection without the sentences that cite claims that were withdrawn, likewise."""
    text, left = reflection.text, reflection.standing(withdrawn)
    if len(left) == len(text.sentences):
        return reflection
    if not left:
        return None
    kept = [place for place, sentence in enumerate(text.sentences) if sentence in left]
    content = _without(text.content, [one.text for one in text.sentences], kept)
    return replace(reflection, text=replace(text, content=content, sentences=tuple(left)))


def _without(content: str, lines: Sequence[str], kept: Collection[int]) -> str:
    """A text without those of its lines that are not kept; each stands in it after the one before."""
    parts, rest = list[str](), content
    for place, line in enumerate(lines):
        before, _, rest = rest.partition(line)
        parts += [before, line] if place in kept else [before.rstrip()]
    return "".join([*parts, rest]).strip()
