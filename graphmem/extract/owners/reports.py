"""What is told without quotation marks: “Mum wrote: …”, “Ana says she quit”, and what is taken back at once."""

import re
from collections.abc import Iterator, Sequence

from graphmem.extract.owners.lines import TextLine, owned, paragraph_end, sentences
from graphmem.extract.owners.people import Cast
from graphmem.extract.owners.quotations import quotation_at
from graphmem.extract.owners.reporters import REPORT, reporter
from graphmem.extract.owners.unmeant import WITHDRAWN
from graphmem.extract.owners.words import words
from graphmem.model.owners import NOBODY, SPEAKER, OwnedSpan, Voice
from graphmem.model.owners import REPORT as REPORT_FORM

_COLON = re.compile(r"(?:(?!\b(?:I|and|to|but)\b)[^.!?\n:：“\"]){0,40}[:：](?!//)")
_HEARERS = (
    r"(?:(?:me|us|you|him|them|everyone|everybody|[A-Z]\w+|(?:my|her|his|our|the|their) [a-z]+"
    r"|to|today|yesterday|also|again|in) )"
)
_OF_THEMSELVES = re.compile(rf"{_HEARERS}{{0,3}}?(?:(?i:that) )?(?P<said>(?i:(?:she|he)\b|(?:her|his) (?!own\b)\w))")
_ASKED = re.compile(r"\bask(?:s|ed)?\b.*$")
_CLAUSE_END = re.compile(r",? (?:but|though|although|yet|which|whereas|while) |; | – | — ")
_HELD_BACK = re.compile(r"\b(?:if|unless|whether|did|does|when|maybe|perhaps)\b[^.!?]{0,20}$", re.IGNORECASE)
_OBJECTION = re.compile(r",? (?:but|and|which|though|yet) |; | – | — ")


def reports(text: str, spans: Sequence[OwnedSpan], cast: Cast) -> Iterator[OwnedSpan]:
    """Where the speaker hands on what somebody said; the whole is nobody's where the next words take it back."""
    for span in spans:
        if span.owner.voice is Voice.SPEAKER:
            yield from _Telling(text, span, cast).spans()


class _Telling:
    """The speaker's words, sentence by sentence."""

    def __init__(self, text: str, span: OwnedSpan, cast: Cast) -> None:
        self._text, self._span, self._cast = text, span, cast

    def spans(self) -> Iterator[OwnedSpan]:
        text_sentences = list(sentences(self._text, self._span.start, self._span.end))
        at = self._span.start
        for number, sentence in enumerate(text_sentences):
            if sentence.start < at:
                continue
            following = text_sentences[number + 1] if number + 1 < len(text_sentences) else None
            covered = [*self._of(sentence, following)]
            yield from covered
            at = max([at, *(span.end for span in covered)])

    def _of(self, sentence: TextLine, following: TextLine | None) -> Iterator[OwnedSpan]:
        if words().voiced.search(sentence.text[-_LONGEST_VOICE:]):
            yield from owned(sentence.start, sentence.end, NOBODY, "reporting verb")
            return
        match = REPORT.search(sentence.text[:_LONGEST])
        after = following.text if following and "\n\n" not in self._text[sentence.end : following.start] else ""
        if words().takes_back.match(after) or (match and words().contradicts.match(after)):
            yield from owned(sentence.start + (match.end() if match else 0), sentence.end, NOBODY, WITHDRAWN)
            return
        if match is None or sentence.text.endswith("?") or _HELD_BACK.search(sentence.text[: match.start()]):
            return
        if objected := self._objected(sentence, match):
            yield from objected
            return
        colon = _COLON.match(sentence.text, match.end())
        yield from self._after_colon(sentence, match, colon.end()) if colon else self._indirect(sentence, match)

    def _objected(self, sentence: TextLine, match: re.Match[str]) -> list[OwnedSpan]:
        """What is told and denied in one sentence, as “Ana says she quit, but that is not true.” is."""
        for parted in _OBJECTION.finditer(sentence.text, match.end()):
            rest = sentence.text[parted.end() :]
            if words().contradicts.match(rest) or words().takes_back.match(rest):
                return [*owned(sentence.start + match.end(), sentence.start + parted.start(), NOBODY, WITHDRAWN)]
        return []

    def _after_colon(self, sentence: TextLine, match: re.Match[str], colon: int) -> Iterator[OwnedSpan]:
        """“Mum wrote: I am …”: the rest of the paragraph, or the next one."""
        start = sentence.start + colon
        owner = reporter(match, self._cast)
        if owner == SPEAKER or quotation_at(self._text, start, self._span.end):
            return
        at = start
        while at < self._span.end and self._text[at].isspace():
            at += 1
        yield from owned(start, paragraph_end(self._text, at, self._span.end), owner, "reporting verb")

    def _indirect(self, sentence: TextLine, match: re.Match[str]) -> Iterator[OwnedSpan]:
        clause = _OF_THEMSELVES.match(sentence.text, match.end() + 1)
        owner = reporter(match, self._cast)
        if owner == SPEAKER and not match["other"]:
            yield from owned(sentence.start, sentence.end, SPEAKER, REPORT_FORM)
            return
        if clause is None or owner.voice is not Voice.NAMED or _ASKED.search(match[0]):
            return
        start = clause.start("said")
        end = _CLAUSE_END.search(sentence.text, start)
        yield from owned(
            sentence.start + start, sentence.start + (end.start() if end else len(sentence.text)), owner, REPORT_FORM
        )


_LONGEST, _LONGEST_VOICE = 300, 40
