"""What regular expressions can say surely: “my name is …”, “my e-mail is …”, “I live in …”, each a whole clause.

For the strategy without a parser. A phrase counts at the start of a sentence and up to the next comma or full stop;
in a question, in quotes, in a transcript it counts for nothing.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from graphmem.extract.findings import Findings
from graphmem.extract.identifiers import ADDRESS, DATE, identifiers, is_street
from graphmem.extract.offline.names import Found, is_name
from graphmem.extract.offline.statements import Assertion, claim_of
from graphmem.extract.offline.tables.lexicon import ABBREVIATED, VAGUE
from graphmem.extract.overlaps import Span
from graphmem.extract.speakers import speaker_of
from graphmem.model.claim import ClaimKind
from graphmem.model.episode import Episode
from graphmem.model.fragment import Context, ProposedClaim, ThingName

_CLAIMED = 0.97
"""Confidence in a span that a claim names, as in those of the parser."""

_START = re.compile(
    r"(?:\A|(?<=[.!?\n:;])|(?<=[.!?:;][ \n]))[ \t]*"
    r"(?:(?i:hi|hello|hey|well|so|and|also|oh|btw|by the way|yes|no|ok|okay|please)(?: there| all)?[,!.]? ){0,3}"
)
_GOES_ON = re.compile(r", and (?=(?i:my )\w)")
_END = r"(?=[ \t]*(?:[.,;!](?:\s|$)|\n|\Z|[ \t](?:and|but)\b))"
_NAME = r"(?P<it>[^\W\d_a-z][\w'’-]{0,40}(?: [^\W\d_a-z][\w'’-]{0,40}){0,3})"
_AM = r"I(?:['’]m| am)"
_IS = r"(?: is|['’]s|:)"
_FOOD = r"(?P<it>[a-z]{3,20}(?: [a-z]{3,20})?)"


@dataclass(frozen=True, slots=True)
class Phrase:
    """``expression`` has a group ``it``, or an identifier of ``form`` stands where it ends. ``type`` "" is a value."""

    predicate: str
    expression: re.Pattern[str]
    type: str = ""
    form: str = ""
    asked: bool = False


def _said(words: str, it: str = _NAME) -> re.Pattern[str]:
    return re.compile(rf"(?i:{words}) {it}{_END}")


def _given(words: str, ends: str = _IS) -> re.Pattern[str]:
    return re.compile(rf"(?i:{words}{ends}) ?")


PHRASES = (
    Phrase("named", _said(rf"my (?:full |first )?name{_IS}|{_AM} called|I go by")),
    Phrase("named", _said(r"(?:just |you can )?call me"), asked=True),
    Phrase("has_email", _given(r"my (?:new |work )?e-?mail(?: address)?"), "email", form="email"),
    Phrase("has_email", _given(r"(?:you can )?(?:reach|e-?mail|contact) me at", ""), "email", form="email"),
    Phrase(
        "has_phone", _given(r"my (?:new |work )?(?:phone|mobile|cell|telephone)(?: number)?"), "phone", form="phone"
    ),
    Phrase("has_phone", _given(r"(?:you can )?(?:reach|call|phone) me (?:at|on)", ""), "phone", form="phone"),
    Phrase("ordered", _given(r"my (?:order|booking)(?: (?:number|id))?"), "order", form="order"),
    Phrase("reported", _given(r"my (?:ticket|case)(?: (?:number|id))?"), "issue", form="issue"),
    Phrase("birthday", _given(r"my birthday is(?: on)?", ""), form=DATE),
    Phrase("age", _said(_AM, r"(?P<it>\d{1,3})(?: years old)")),
    Phrase("lives_at", _given(r"my (?:new |home |current )?address"), form=ADDRESS),
    Phrase("lives_at", _given(r"I (?:now |currently )?live(?: at| in)", ""), form=ADDRESS),
    Phrase("lives_in", _said(r"I (?:now |currently )?live in"), "place"),
    Phrase("works_at", _said(r"I (?:now |currently )?work (?:at|for)"), "organization"),
    Phrase("comes_from", _said(rf"{_AM} from|I come from"), "place"),
    Phrase("allergic_to", _said(rf"{_AM} allergic to", _FOOD), "concept"),
    Phrase("is_a", _said(rf"{_AM}(?: a)?", r"(?P<it>vegan|vegetarian)"), "concept"),
)

_SHORTENED = frozenset({"st", "mt", "ft", "pt", "dr"})
"""What a full stop after them does not end: “St. Louis”."""
_QUOTES = re.compile(r"[\"“”«»„]")
_ASKED = re.compile(r"[^.!\n]{0,300}\?")
_NOTHING = VAGUE | {
    "you",
    "that",
    "this",
    "them",
    "these",
    "those",
    "him",
    "her",
    "most",
    "the",
    "any",
    "my",
    "your",
    "night",
}


class PhraseProvider:
    """Claims by whole phrases, for which no model is loaded."""

    name = "phrases"

    def warm(self) -> None:
        """There is nothing to load."""

    def read(self, episode: Episode, text: str, context: Context) -> Findings:  # noqa: ARG002 - the text says it all
        speaker = speaker_of(episode)
        if speaker is None or not episode.role.is_human:
            return Findings()
        seen = {span.start: span for span in identifiers(text)}
        starts = list(_starts(text))
        said = [(phrase, found, at) for phrase in PHRASES for found, at in _found(phrase, text, starts, seen)]
        spans = [Span(found.name, found.start, found.end, _CLAIMED) for phrase, found, _ in said if phrase.type]
        return Findings(tuple(spans), tuple(_claim(speaker, *each) for each in said))


def _starts(text: str) -> Iterator[int]:
    """Where a sentence begins that is not quoted, after a greeting and the like; “, and my …” begins one, too."""
    quotes = [match.start() for match in _QUOTES.finditer(text)]
    for start in sorted({match.end() for expression in (_START, _GOES_ON) for match in expression.finditer(text)}):
        if bisect_left(quotes, start) % 2 == 0:
            yield start


def _found(phrase: Phrase, text: str, starts: Iterable[int], seen: Mapping[int, Span]) -> Iterator[tuple[Found, int]]:
    """What the phrase is said of, and where the phrase begins."""
    for start in starts:
        match = phrase.expression.match(text, start)
        if match is None:
            continue
        found = _identifier(phrase, seen.get(match.end())) if phrase.form else _name(phrase, match)
        if found and not _ASKED.match(text, found.end):
            yield found, start


def _identifier(phrase: Phrase, span: Span | None) -> Found | None:
    if span is None or span.name.type != phrase.form:
        return None
    return Found(span.name, span.start, span.end, span.name.name)


def _name(phrase: Phrase, match: re.Match[str]) -> Found | None:
    written = match["it"]
    words = {word.casefold() for word in written.split()}
    if not (is_name(written) or phrase.predicate == "age") or words & _NOTHING:
        return None
    if phrase.predicate == "lives_in" and (is_street(written) or written.casefold() in _SHORTENED):
        return None
    end = match.end("it")
    if written.rpartition(" ")[2].casefold() in ABBREVIATED and match.string[end : end + 1] == ".":
        written, end = f"{written}.", end + 1
    return Found(ThingName(written, phrase.type), match.start("it"), end, written)


def _claim(speaker: ThingName, phrase: Phrase, found: Found, start: int) -> ProposedClaim:
    me = Found(speaker, start, found.end, speaker.name)
    end = found.end + len(" years old") if phrase.predicate == "age" else found.end
    assertion = Assertion(ClaimKind.STARTS, asked=phrase.asked)
    return claim_of(phrase.predicate, assertion, me, found, (start, end), speaker=speaker, literal=not phrase.type)
