"""The lines and sentences of a text, with their places."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graphmem.model.owners import OwnedSpan, Owner

_SENTENCE = re.compile(r"[.!?…]+[\"”’»)\]*]*(?=\s)|\n")
_ABBREVIATED = re.compile(r"(?:\b(?:mrs?|ms|dr|prof|st|vs|etc|e\.g|i\.e|a\.m|p\.m|[A-Z]))\.$", re.IGNORECASE)
_LONGEST_ABBREVIATION = 6


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line, or a sentence, at ``[start, end)`` of a text, without its end."""

    start: int
    end: int
    text: str

    @property
    def blank(self) -> bool:
        return not self.text.strip()


def lines(text: str) -> list[TextLine]:
    """All lines, the empty ones too."""
    text_lines, start = list[TextLine](), 0
    for part in text.split("\n"):
        text_lines.append(TextLine(start, start + len(part), part))
        start += len(part) + 1
    return text_lines


def sentences(text: str, start: int, end: int) -> Iterator[TextLine]:
    """The sentences of ``[start, end)`` of a text, without the blanks around them; a line end ends one."""
    at = start
    for match in _SENTENCE.finditer(text, start, end):
        ends = match.end()
        if match[0] == "." and _ABBREVIATED.search(text, max(at, ends - _LONGEST_ABBREVIATION), ends):
            continue
        yield from _sentence(text, at, ends)
        at = ends
    yield from _sentence(text, at, end)


def _sentence(text: str, start: int, end: int) -> Iterator[TextLine]:
    words = text[start:end]
    begins = start + len(words) - len(words.lstrip())
    if words.strip():
        yield TextLine(begins, begins + len(words.strip()), words.strip())


def paragraph_end(text: str, start: int, end: int) -> int:
    """Where the paragraph around ``start`` ends: at an empty line, or at ``end``."""
    blank = _BLANK_LINE.search(text, start, end)
    return blank.start() if blank else end


_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


def overlaid(below: Iterable[OwnedSpan], above: Iterable[OwnedSpan]) -> list[OwnedSpan]:
    """The spans ``below``, which cover a text, with those ``above`` in their place; of these, the first wins."""
    result, covers = list[OwnedSpan](), _apart(above)
    place = 0
    for span in below:
        at = span.start
        while place < len(covers) and covers[place].end <= at:
            place += 1
        number = place
        while number < len(covers) and covers[number].start < span.end:
            cover = covers[number]
            result += _piece(span, at, cover.start)
            result += _piece(cover, max(cover.start, span.start), min(cover.end, span.end))
            at = max(at, min(cover.end, span.end))
            number += 1
        result += _piece(span, at, span.end)
    return joined(result)


def _apart(spans: Iterable[OwnedSpan]) -> list[OwnedSpan]:
    """The spans without overlaps: what begins first stands."""
    kept = list[OwnedSpan]()
    for span in sorted(spans, key=lambda each: each.start):
        start = max(span.start, kept[-1].end if kept else 0)
        kept += _piece(span, start, span.end)
    return kept


def _piece(span: OwnedSpan, start: int, end: int) -> list[OwnedSpan]:
    return [OwnedSpan(start, end, span.owner, span.form)] if start < end else []


def joined(spans: Iterable[OwnedSpan]) -> list[OwnedSpan]:
    """The spans in their order, neighbours of one owner and form as one."""
    result = list[OwnedSpan]()
    for span in spans:
        last = result[-1] if result else None
        if last and last.end == span.start and (last.owner, last.form) == (span.owner, span.form):
            result[-1] = OwnedSpan(last.start, span.end, span.owner, span.form)
        else:
            result.append(span)
    return result


def owned(start: int, end: int, owner: Owner, form: str) -> Iterator[OwnedSpan]:
    """One span, or none where it would be empty."""
    if start < end:
        yield OwnedSpan(start, end, owner, form)
