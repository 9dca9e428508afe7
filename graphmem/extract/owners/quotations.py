"""Quotations: what stands between marks and is said, by whoever is named before or behind."""

import re
from collections.abc import Iterator, Sequence

from graphmem.extract.owners.lines import owned
from graphmem.extract.owners.people import FIRST, Cast
from graphmem.extract.owners.reporters import after, before, itself
from graphmem.model.owners import NOBODY, OwnedSpan, Owner, Voice

QUOTATION = "quotation"

_MOST = 3000
_BODY = r"(?:[^{0}\n]|\n(?!\s*\n)){{2,3000}}?"
QUOTED = re.compile(
    rf"“({_BODY.format('“”')})”|\"({_BODY.format(chr(34))})\"|«({_BODY.format('«»')})»|„({_BODY.format('„“”')})[“”]"
    r"|(?:(?<=[\s(:])|^)[‘']((?=[^\W_])(?:[^\n'’‘]|['’](?=\w)){8,600}?)['’](?!\w)",
    re.MULTILINE,
)
_OPENING = re.compile(r"\s*([“\"«„]|[‘'](?=\w))")
_CLOSING = {"“": "”", '"': '"', "«": "»", "„": "“”", "‘": "’'", "'": "'"}
_ENDS = re.compile(r"[.!?…,]\s*$")
_LEAST, _LONG, _BEFORE, _AFTER = 3, 6, 200, 80


def quotations(text: str, spans: Sequence[OwnedSpan], cast: Cast) -> Iterator[OwnedSpan]:
    """Where claiming spans quote somebody. Names in quotation marks and titles stay what they are."""
    for span in spans:
        if span.owner.claims:
            yield from _within(text, span, cast)


def _within(text: str, span: OwnedSpan, cast: Cast) -> Iterator[OwnedSpan]:
    for match in QUOTED.finditer(text, span.start, span.end):
        group = match.lastindex or 0
        start, end = match.span(group)
        whole = span.owner.voice is Voice.NAMED and not text[span.start : match.start()].strip()
        if whole or not is_utterance(text, start, end):
            continue
        owner = owner_of(text, match.start(), match.end(), span, cast)
        if owner.voice is not Voice.SPEAKER or span.owner.voice is not Voice.SPEAKER:
            yield from owned(start, end, owner, QUOTATION)


def owner_of(text: str, start: int, end: int, span: OwnedSpan, cast: Cast) -> Owner:
    """Whose the quotation at ``[start, end)`` is, quotation marks included."""
    return told_beside(text, start, end, span, cast) or itself(text[start + 1 : end - 1], cast) or NOBODY


def told_beside(text: str, start: int, end: int, span: OwnedSpan, cast: Cast) -> Owner | None:
    """Who the words before or behind a quotation say that it is by."""
    line = text.rfind("\n", span.start, start) + 1
    ahead = text[max(line, span.start, start - _BEFORE) : start].rstrip()
    behind = text[end : min(end + _AFTER, span.end)]
    return before(ahead, cast) or after(behind, cast)


def is_utterance(text: str, start: int, end: int) -> bool:
    """Whether what is quoted is said, and no title or name: it says “I”, is a sentence, or is told after a colon."""
    quote = text[start:end]
    words = quote.split()
    if FIRST.search(quote) and len(words) > 1:
        return True
    titled = sum(word[0].isupper() for word in words) * 2 > len(words)
    introduced = text[max(0, start - 12) : start].rstrip(" \"“«„'‘").endswith((":", ","))
    ends = _ENDS.search(quote) is not None
    return len(words) >= _LEAST and not titled and (ends or introduced or len(words) > _LONG)


def quotation_at(text: str, at: int, end: int) -> tuple[int, int] | None:
    """The quotation that begins at a place, marks included; None where none does, or it is not closed."""
    opening = _OPENING.match(text, at, end)
    if opening is None:
        return None
    first = opening.start(1)
    for place in range(first + 1, min(end, first + _MOST)):
        single = opening[1] in "‘'"
        if text[place] in _CLOSING[opening[1]] and not (single and text[place + 1 : place + 2].isalnum()):
            return first, place + 1
    return None
