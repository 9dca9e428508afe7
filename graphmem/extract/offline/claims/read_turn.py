"""A turn that was read, and where its words stand."""

import re
from dataclasses import dataclass
from functools import cached_property

from graphmem.extract.offline.claims.subjects import CONCEPT, Speakers
from graphmem.extract.offline.claims.times import UNSAID, When, when
from graphmem.extract.offline.dates.spoken import SpokenDates
from graphmem.extract.offline.tables.lexicon import ABBREVIATED
from graphmem.extract.overlaps import Span
from graphmem.extract.owners.people import FIRST
from graphmem.extract.pieces import TextPiece, sentences
from graphmem.extract.reader.layout import Span as Place
from graphmem.model.fragment import ThingName

_NAMED, _THING = 0.95, 0.5
"""Confidence in a span that a claim names, and in one of a thing without a name: identifiers in it are surer."""
_FAR = 160  # characters
_YOU = re.compile(r"you(?:r|['’](?:re|ve))?\b(?!,)", re.IGNORECASE)
_CLAUSE_ENDS = re.compile(
    r"[;:()–—]|\b(?:because|although|though|while|after|before|until)\b"
    r"|(?:,|\b(?:and|but|so)\b)\s+(?=(?:so |then |now )?"
    r"(?:I|we|you|he|she|they|it|my|our|his|her|their|the|a|an|this|that|there)\b|(?-i:[A-Z]))",
    re.IGNORECASE,
)
"""Where another clause begins: “he'll quit and join Otto in May” is one."""
_MISTOLD = re.compile(
    r"\b(?:(?:told|gave) you (?:it )?wrong|got (?:it|that|this|her|him) (?:all )?wrong|I (?:was|had it) wrong"
    r"|my mistake|I misspoke|scratch that|I take (?:it|that) back)\b",
    re.IGNORECASE,
)
_NOT_SO = re.compile(
    r"(?:(?:oh|oops|sorry|wait|no|actually|please|ah|hm+)[\s,.!…–—-]+)*(?:"
    r"(?:scratch|strike|ignore|forget|disregard|delete) (?:all )?"
    r"(?:that|it|(?:my|the|that) last (?:message|one|bit|part|thing)|what I (?:just )?(?:said|wrote))"
    r"|(?:that|it) (?:was|is) (?:all )?(?:a joke|not true|wrong|a lie)"
    r"|I (?:was|am|['’]m) (?:only |just )?(?:joking|kidding)|(?:just|only) (?:joking|kidding)|jk)"
    r"(?:[\s,]+(?:please|sorry|lol|haha|of course))*[\s.!…)]*",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"\b(?:sorry|apologies|oops|whoops|typos?|mistyped|misspel(?:t|led)|correction|mistaken?|wrong(?:ly)?|I meant?"
    r"|misspoke|my bad|(?:scratch|strike) that|make that|I tell a lie|actually|in fact|rather|not)\b|n['’]t\b"
    r"|(?:^|[.!?]\s+)(?:no|nope)\b|^\s*\*",
    re.IGNORECASE,
)
_ARTICLE_OF_NAME = re.compile(r"(?<=[\w,;] )(?P<article>(?:A|El|La|Le|Los|Las|The)\s+)$")
_TOLD = re.compile(r",\s+(?:an?|the|who|whose|which|he|she|they|it|my|our)(?:['’]\w+)?\s", re.IGNORECASE)
_BOUGHT = re.compile(
    r"(?:[^,]{2,40},\s+)?(?:bought|got|found|put|need|paid|there(?: is|['’]s))\s+(?:(?:an?|the|my|our|one)\s+)?",
    re.IGNORECASE,
)
_ELIDED = re.compile(r"[snt][- ](?=[A-Z])")
"""“’s-Hertogenbosch”, “'t Veld”."""


@dataclass(frozen=True)
class ReadTurn:
    """A turn that was read. Its ``text`` begins at ``start`` of a content whose ``dates`` are known.

    Where ``speakers`` know of nobody who speaks, nothing is claimed of what it says in the first person. ``talk``:
    somebody says it, so what begins or ends without a date does so when it is said; a document dates nothing.
    ``before``: what was said just before it.
    """

    text: str
    start: int
    dates: SpokenDates
    speakers: Speakers
    talk: bool = True
    before: str = ""

    def words(self, place: Place) -> str:
        """The words at a place, in one line."""
        return " ".join(self.text[slice(*place)].split())

    def whole(self, place: Place) -> Place:
        """The place with what belongs to a name: the last mark of “Acme Inc.”, the first of “'t Veld”, an article."""
        start, end = place
        named, after = self.text[start:end], self.text[end : end + 1]
        abbreviated = after == "." and named.split()[-1].casefold() in ABBREVIATED
        in_brackets = after == ")" and named.count("(") > named.count(")")
        if abbreviated or in_brackets:
            end += 1
        if self.text[:start].endswith(("'", "’")) and _ELIDED.match(named):
            start -= 1
        if self.text[start : start + 1].isupper() and (article := _ARTICLE_OF_NAME.search(self.text, 0, start)):
            start = article.start("article")
        return start, end

    def noun(self, place: Place) -> Place:
        """The place as far as a name goes: not into the next line, not over the end of a sentence, nor to what is told.

        “Jun Wei, the paralegal”, “Doreen, she's 79, she”, “It died. Then my laptop”.
        """
        start, end = place
        end = start + len(self.text[start:end].rstrip().partition("\n")[0])
        start = max([start, *(each.start for each in self._sentences if start < each.start < end)])
        told = _TOLD.search(self.text, start, end)
        end = told.start() if told else end
        bought = _BOUGHT.match(self.text, start, end)
        return bought.end() if bought else start, end

    def when(self, place: Place | None, *, ahead: bool) -> When:
        """What the phrase of time there says; nothing, where another sentence begins within it.

        ``ahead``: it speaks of what is to come; else of what was, or is.
        """
        phrase = self.within_sentence(place)
        if phrase is None:
            return UNSAID
        return when(self.dates, self.placed(phrase), self.quote(phrase), ahead=ahead)

    def within_sentence(self, place: Place | None) -> Place | None:
        """The place; None where there is none, or another sentence begins within it."""
        if place is None or any(place[0] < each.end < place[1] for each in self._sentences):
            return None
        return place

    def quote(self, *places: Place) -> Place:
        """The sentences around some places, in the content."""
        return self.placed(self.around(*places))

    def clause(self, *places: Place) -> str:
        """The words around some places, up to where another clause ends or begins, within their sentences."""
        start, end = self.around(*places)
        first, last = min(place[0] for place in places), max(place[1] for place in places)
        before = [each.end() for each in _CLAUSE_ENDS.finditer(self.text, start, first)]
        after = _CLAUSE_ENDS.search(self.text, last, end)
        return self.text[before[-1] if before else start : after.start() if after else end]

    def is_told_you(self, place: Place) -> bool:
        """Whether the sentence there is about whom the speaker talks to, as “You live in Porto” is."""
        sentence = self.sentence(place)
        return _YOU.match(sentence) is not None and FIRST.search(sentence) is None

    def around(self, *places: Place) -> Place:
        """The sentences around some places, in the text."""
        first, last = min(place[0] for place in places), max(place[1] for place in places)
        around = [each for each in self._sentences if each.start < last and each.end > first]
        text = self.text[around[0].start : around[-1].end]
        start = around[0].start + len(text) - len(text.lstrip())
        return start, around[0].start + len(text.rstrip())

    def lead(self, place: Place) -> str:
        """The words of the sentence right before a place, as far as any rule looks."""
        start, _ = self.around(place)
        return self.text[max(start, place[0] - _FAR) : place[0]]

    def sentence(self, *places: Place) -> str:
        """The words of the sentences around some places."""
        return self.text[slice(*self.around(*places))]

    @property
    def takes_back_the_last(self) -> bool:
        """Whether it says nothing but that what was said before is not so."""
        return _NOT_SO.fullmatch(self.text.strip()) is not None

    @property
    def corrects(self) -> bool:
        """Whether it has a word by which people correct what they said."""
        return _CORRECTS.search(self.text) is not None

    @property
    def takes_back(self) -> bool:
        """Whether it says that something was told wrongly."""
        return _MISTOLD.search(self.text) is not None

    @cached_property
    def _sentences(self) -> tuple[TextPiece, ...]:
        return tuple(sentences(self.text))

    def span(self, thing: ThingName, place: Place) -> Span:
        """The span of a thing that is named at a place."""
        return Span(thing, *self.placed(place), _THING if thing.type == CONCEPT else _NAMED)

    def placed(self, place: Place) -> Place:
        """Where a place of the text is in the content."""
        return self.start + place[0], self.start + place[1]
