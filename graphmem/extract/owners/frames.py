"""What nobody claims because of the words before it: texts to be worked on, fiction, examples, genres of their own."""

import re
from collections.abc import Iterator, Sequence

from graphmem.extract.owners.lines import TextLine, owned, paragraph_end, sentences
from graphmem.extract.owners.people import FIRST, Cast, is_name
from graphmem.extract.owners.quotations import QUOTATION, quotation_at, told_beside
from graphmem.extract.owners.reporters import author, itself, signature
from graphmem.extract.owners.words import Frame, Reach, words
from graphmem.model.owners import NOBODY, OwnedSpan, Owner, Voice

TASK, FICTION = "task", "fiction"

_TELLER = re.compile(r"(?<![\w'’])(?:I|we|We)(?![\w-])")
_COLON = re.compile(r"[:：]|\s[–—]\s|\s-\s")
_EMOTE = re.compile(r"\s*(?:\*([a-z][^*\n]{2,80})\*|_([a-z]+s [^_\n]{2,80})_)")


def frames(text: str, spans: Sequence[OwnedSpan], cast: Cast) -> Iterator[OwnedSpan]:
    """What the frames of a text cover: made-up turns too, but a chat to be translated is of those who are named."""
    opened = ""
    for span in spans:
        if span.owner.voice is Voice.SPEAKER:
            reading = _Framing(text, span, cast, opened)
            yield from reading.spans()
            opened = reading.opened
        elif span.owner.voice is Voice.NAMED:
            if opened == FICTION:
                yield from owned(span.start, span.end, NOBODY, FICTION)
            else:
                yield from _Framing(text, span, cast, "").spans()


def genres(text: str, spans: Sequence[OwnedSpan], cast: Cast) -> Iterator[OwnedSpan]:
    """Paragraphs of a kind that nobody writes of themselves: terms, advertisements, horoscopes, forms, mottoes."""
    for start, end in _paragraphs(text, spans):
        part = text[start:end]
        needed = 1 + (end - start) // _PAGE
        form = next((genre.form for genre in words().genres if genre.has(part, genre.least * needed)), "")
        if form or _SIGNED.search(part) or _signed_in_line(part, cast):
            yield from owned(start, end, NOBODY, form or QUOTATION)


_SIGNED = re.compile(r"\n\s*(?:—|–|--|―)\s?[*_]?[^\W\d_][\w .’'-]{2,50}(?:,[^\n.]{0,60}|\([^)\n]{0,60}\))?[*_]?\s*$")
"""“— Ada Lovelace, Letters” below what she wrote."""
_IN_LINE = re.compile(
    r"[.!?…”\"]\s+(?:—|–|--|―)\s?(?P<name>[^\W\d_][\w’'-]+(?: [^\W\d_][\w’'.-]*){0,2})(?P<more>, [^\n.!?]{1,30})?\s*$"
)
_LONGEST_SIGNATURE = 100


def _signed_in_line(part: str, cast: Cast) -> bool:
    """“… — Tim, 34” and “… – Uwe K.” behind what somebody else wrote."""
    match = _IN_LINE.search(part[-_LONGEST_SIGNATURE:])
    if match is None or not is_name(match["name"]) or cast.is_me(match["name"]):
        return False
    return " " in match["name"] or match["more"] is not None or cast.is_familiar(match["name"])


def _paragraphs(text: str, spans: Sequence[OwnedSpan]) -> Iterator[tuple[int, int]]:
    """The paragraphs of a text; where others speak, of what each says."""
    named = [span for span in spans if span.owner.voice is Voice.NAMED]
    for span in spans if named else [OwnedSpan(0, len(text), NOBODY)]:
        at = span.start
        while at < span.end:
            end = paragraph_end(text, at, span.end)
            yield at, end
            at = end + 1
            while at < span.end and text[at].isspace():
                at += 1


class _Framing:
    """One owner's words, sentence by sentence. ``opened`` is the form of a frame that is open at the beginning."""

    def __init__(self, text: str, span: OwnedSpan, cast: Cast, opened: str) -> None:
        self._text, self._span, self._cast = text, span, cast
        self.opened = opened
        self._owner = NOBODY
        self._telling = ""

    def spans(self) -> Iterator[OwnedSpan]:
        at = self._span.start
        if emotes(self._text, self._span) or self._is_played():
            yield from owned(at, self._span.end, NOBODY, FICTION)
            return
        while sentence := next(sentences(self._text, at, self._span.end), None):
            covered = self._read(at, sentence)
            yield from covered
            at = max([sentence.end, *(span.end for span in covered)])

    def _is_played(self) -> bool:
        """Whether somebody with another name than the speaker's says it: “*bows* My name is Thorin”."""
        emote = _EMOTE.match(self._text, self._span.start, self._span.end)
        if emote is None or not self._cast.mine:
            return False
        named = itself(self._text[emote.end() : min(self._span.end, emote.end() + _LONGEST)], self._cast)
        return named is not None and named.voice is Voice.NAMED

    def _read(self, at: int, sentence: TextLine) -> list[OwnedSpan]:
        begins_line = self._begins_line(sentence)
        if self.opened and not (begins_line and words().resumes.match(sentence.text)):
            return [*owned(at, sentence.end, self._owner, self.opened)]
        self.opened = ""
        if self._telling and not self._ends_telling(at, sentence):
            return [*owned(at, sentence.end, NOBODY, self._telling)]
        self._telling = ""
        for frame, start, end in _met(sentence):
            return self._covered(frame, sentence, sentence.start + start, sentence.start + end)
        return []

    def _begins_line(self, sentence: TextLine) -> bool:
        return not self._text[
            max(self._text.rfind("\n", 0, sentence.start) + 1, self._span.start) : sentence.start
        ].strip()

    def _ends_telling(self, at: int, sentence: TextLine) -> bool:
        return "\n\n" in self._text[at : sentence.start] or FIRST.search(sentence.text) is not None

    def _covered(self, frame: Frame, sentence: TextLine, start: int, end: int) -> list[OwnedSpan]:
        self._owner = NOBODY
        if frame.reach is Reach.SENTENCE:
            return [*owned(start, self._told_end(sentence, end), NOBODY, frame.form)]
        if frame.reach is Reach.TELLING:
            self._telling = frame.form
            return [*owned(sentence.start if frame.anywhere else start, sentence.end, NOBODY, frame.form)]
        body = start if frame.starts else self._body(sentence, end)
        if quoted := quotation_at(self._text, body, self._span.end):
            owner = self._author(frame, sentence, *quoted)
            return [*owned(quoted[0] + 1, quoted[1] - 1, owner, frame.form)]
        if frame.reach is Reach.PARAGRAPH:
            after = self._skip(body)
            writer = author(self._text[sentence.start : body], self._cast) if frame.form == QUOTATION else None
            return [*owned(body, paragraph_end(self._text, after, self._span.end), writer or NOBODY, frame.form)]
        self.opened = frame.form
        rest = self._text[body : min(self._span.end, body + _PAGE)]
        self._owner = (
            (author(sentence.text, self._cast) or signature(rest, self._cast) or NOBODY)
            if frame.form == TASK
            else NOBODY
        )
        return [*owned(body, max(body, sentence.end), self._owner, frame.form)]

    def _told_end(self, sentence: TextLine, end: int) -> int:
        """Where ends what a sentence tells: with the quotation behind its colon, else with the sentence."""
        colon = _COLON.match(self._text, end, sentence.end)
        quoted = quotation_at(self._text, colon.end(), self._span.end) if colon else None
        return max(sentence.end, quoted[1]) if quoted else sentence.end

    def _author(self, frame: Frame, sentence: TextLine, start: int, end: int) -> Owner:
        if frame.form != TASK:
            return NOBODY
        writer = author(self._text[sentence.start : start], self._cast)
        beside = writer or told_beside(self._text, start, end, self._span, self._cast)
        return beside or signature(self._text[start + 1 : end - 1], self._cast) or NOBODY

    def _body(self, sentence: TextLine, end: int) -> int:
        """Where what is framed begins: behind a colon, else with the next sentence."""
        if self._text[end - 1] in ":：»—–\n" or self._text[max(end - 2, 0) : end].strip() == "-":
            return end
        colon = _COLON.search(self._text, end, sentence.end)
        return colon.end() if colon else max(sentence.end, end)

    def _skip(self, at: int) -> int:
        while at < self._span.end and self._text[at].isspace():
            at += 1
        return at


def _met(sentence: TextLine) -> Iterator[tuple[Frame, int, int]]:
    """The first frame that a sentence opens, and where its words stand in it."""
    text = sentence.text[:_LONGEST]
    lead = words().lead.match(text)
    begins = lead.end() if lead else 0
    opened = words().opening.match(text, begins) or words().opening.match(text)
    if not opened and not words().inside.search(text):
        return
    for frame in words().frames:
        match = (
            frame.begins.search(text)
            if frame.anywhere
            else frame.begins.match(text, begins) or frame.begins.match(text)
        )
        if match and not (frame.reach is Reach.TELLING and _TELLER.search(text, 0, match.start())):
            yield frame, match.start(), match.end()
            return


_LONGEST, _PAGE = 400, 3000


def emotes(text: str, span: OwnedSpan) -> bool:
    """Whether somebody plays a part: “*draws a sword* …”, not “*sighs* …”."""
    match = _EMOTE.match(text, span.start, span.end)
    deed = (match[1] or match[2]) if match else ""
    first = deed.split()[0] if deed else ""
    stem = first.removesuffix("ing").removesuffix("es").removesuffix("s")
    plays = first.endswith("s") and len(deed.split()) > 1
    return plays and not {first, first.removesuffix("s"), stem} & words().emotes
