"""The owners of a text: one step before anything is read, over the raw text."""

from collections.abc import Iterator, Sequence

from graphmem.extract.owners.frames import frames, genres
from graphmem.extract.owners.layouts import layouts
from graphmem.extract.owners.lines import TextLine, joined, lines, overlaid
from graphmem.extract.owners.mails import mails
from graphmem.extract.owners.matter import SUBTITLES, matter
from graphmem.extract.owners.people import Cast
from graphmem.extract.owners.quotations import quotations
from graphmem.extract.owners.reports import reports
from graphmem.extract.owners.turns import asked_and_answered, cards, turns
from graphmem.extract.owners.unmeant import unmeant
from graphmem.model.owners import NOBODY, SPEAKER, OwnedSpan, Owner, Voice

MOST_OWNERS = 40
"""Named in one text; the words of further ones are nobody's."""
_ANONYMOUS = Cast()


def owned_spans(content: str, cast: Cast = _ANONYMOUS) -> tuple[OwnedSpan, ...]:
    """Whose each part of a content is: spans in their order that cover it and do not overlap; of "" there are none."""
    if not content:
        return ()
    text_lines = lines(content)
    solid = matter(content, text_lines, cast)
    spans = overlaid([OwnedSpan(0, len(content), SPEAKER)], solid)
    spans = overlaid(spans, _structure(text_lines, solid, cast))
    if cast.talks:
        for layer in (frames, reports, quotations, unmeant):
            spans = overlaid(spans, [*layer(content, spans, cast)])
        spans = overlaid(spans, [*genres(content, spans, cast), *_asked(content, spans)])
    return tuple(_bounded(joined(spans)))


def _structure(text_lines: Sequence[TextLine], solid: Sequence[OwnedSpan], cast: Cast) -> list[OwnedSpan]:
    """Mails, and the turns of transcripts in what is no mail, out of the lines that are free for them."""
    blocked = [span for span in solid if span.form != SUBTITLES]
    free = _outside(text_lines, [span for span in blocked if span.end - span.start > len("</v>")])
    posted = [*mails(free, cast)]
    posted += layouts(_outside(free, posted), cast)
    spoken = turns(_outside(free, posted), cast)
    inner = [span for turn in spoken for span in turn.spans()]
    carded = [*cards(_outside(free, [*posted, *inner]), cast)]
    return [piece for span in (*posted, *inner, *carded) for piece in _cut(span, blocked)]


def _outside(text_lines: Sequence[TextLine], spans: Sequence[OwnedSpan]) -> list[TextLine]:
    """The lines that no span touches; both are in order."""
    taken, at, free = sorted(spans, key=lambda span: span.start), 0, list[TextLine]()
    for line in text_lines:
        while at < len(taken) and taken[at].end <= line.start:
            at += 1
        if at == len(taken) or taken[at].start >= max(line.end, line.start + 1):
            free.append(line)
    return free


def _cut(span: OwnedSpan, blocked: Sequence[OwnedSpan]) -> Iterator[OwnedSpan]:
    """What of a span lies outside the blocked ones."""
    at = span.start
    for block in _touching(span, blocked):
        if at < block.start:
            yield OwnedSpan(at, block.start, span.owner, span.form)
        at = max(at, block.end)
    if at < span.end:
        yield OwnedSpan(at, span.end, span.owner, span.form)


def _touching(span: OwnedSpan, blocked: Sequence[OwnedSpan]) -> list[OwnedSpan]:
    return sorted(
        (each for each in blocked if each.start < span.end and span.start < each.end), key=lambda each: each.start
    )


def _asked(content: str, spans: Sequence[OwnedSpan]) -> Iterator[OwnedSpan]:
    for span in spans:
        if span.owner.voice is Voice.SPEAKER:
            yield from asked_and_answered(content, span.start, span.end)


def _bounded(spans: Sequence[OwnedSpan]) -> Iterator[OwnedSpan]:
    """The spans; those of whoever is named after so many others are nobody's."""
    named = dict.fromkeys(span.owner for span in spans if span.owner.voice is Voice.NAMED)
    kept: set[Owner] = set(list(named)[:MOST_OWNERS])
    for span in spans:
        beyond = span.owner.voice is Voice.NAMED and span.owner not in kept
        yield OwnedSpan(span.start, span.end, NOBODY, span.form) if beyond else span
