"""The sentence of a clause in the third person, as it can be read alone: names for “I”, days for “last week”."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo

from graphmem.extract.offline.clauses import Tense, tense
from graphmem.extract.offline.dates.calendar import Unit, day_in_words
from graphmem.extract.offline.dates.finder import NO_CONTEXT, Bearing, DateContext, Dated
from graphmem.extract.offline.dates.spoken import spoken_dates
from graphmem.extract.offline.open.clause import AUXILIARIES, subject, told_tense
from graphmem.extract.offline.open.references import antecedent, referent
from graphmem.extract.offline.open.status import shares_denial
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.folds import PACKAGED, Folds
from graphmem.extract.offline.tables.open import (
    DEMONSTRATIVES,
    IRREGULAR,
    PLURAL,
    SHORTENED,
    TIMES,
    UNCHANGED,
)
from graphmem.extract.offline.tables.tenses import STRONG_PAST

_SIBILANTS = ("s", "sh", "ch", "x", "z", "o")
_VOWELS = "aeiou"
_NO_SPACE_BEFORE = frozenset({",", ".", ";", ":", "'s", "’s", ")", "%", "!", "?"})
_OF_SPEAKER = {
    "i": ("{}", "{}"), "me": ("{}", "{}"), "my": ("{}'s", "their"), "mine": ("{}'s", "{}'s"),
    "we": ("{} and others", "they"), "us": ("{} and others", "them"), "our": ("{}'s", "their"),
    "ours": ("{}'s", "theirs"), "myself": ("themselves", "themselves"), "ourselves": ("themselves", "themselves"),
}  # fmt: skip
"""What stands for a pronoun of the first person, the first time in a sentence, and later."""
_CLAUSES = ("ROOT", "conj", "ccomp", "advcl", "relcl", "acl", "parataxis", "pcomp")
_WITHIN = ("relcl", "acl", "ccomp")
_EARLIER = frozenset({"after", "since", "following", "given"})
_A_DAY, _A_FEW, _A_WEEK, _A_MONTH, _A_YEAR = 1, 3, 7, 31, 360


@dataclass(frozen=True, slots=True)
class Narrator:
    """Who tells: ``name`` is said for “I”; relative dates are counted from ``said_at``; ``folds`` name what is told.

    Days are written and counted as in ``context``.
    """

    parse: Parse
    name: str
    said_at: datetime
    folds: Folds = PACKAGED
    context: DateContext = NO_CONTEXT

    @property
    def zone(self) -> tzinfo:
        """Whose days are meant."""
        return self.said_at.tzinfo or UTC

    def statement(self, verb: Token, words: Sequence[Token]) -> str:
        """The sentence that the ``words`` of the clause of ``verb`` make."""
        dates = [each for each in self.dates(words, verb) if not self.lasted(verb, each)]
        text = _Sentence(self, verb, dates).compose(words)
        if subject(self.parse, verb) not in words:
            text = " ".join((self._left_out(verb), *self._auxiliaries(verb, words), text))
        if text.count('"') % 2:
            text = f'{text}"' if words[-1].quoted else text.replace('"', "")
        return f"{text[:1].upper()}{text[1:]}".rstrip(" ,;:-") + "."

    def lasted(self, verb: Token, dated: Dated) -> bool:
        """“He was with us for ten years” is not since then."""
        over = verb.tag == "VBD" and not self.parse.children(verb, "aux")
        return over and dated.bearing is Bearing.SINCE and self.parse.text[dated.start :].startswith("for ")

    def phrase(self, words: Sequence[Token]) -> str:
        """The words in the third person: “my old friends” are “Ana's old friends”."""
        text = _Sentence(self, None, ()).compose(words)
        return text.replace('"', "").strip() if text.count('"') % 2 else text

    def noun_phrase(self, noun: Token, *, together: bool = False) -> tuple[Token, ...]:
        """The words of a noun without its relative clauses, and without what is coordinated if not ``together``."""
        others = () if together else ("cc", "conj", "punct")
        apart = [each for each in self.parse.children(noun, "relcl", "appos", "case", *others) if each.tag != "HYPH"]
        sentence = self.parse.within(self.parse.sentence_of(noun))
        return tuple(
            token
            for token in sentence
            if self.parse.hangs_from(token, noun) and not any(self.parse.hangs_from(token, each) for each in apart)
        )

    def _left_out(self, verb: Token) -> str:
        shared = subject(self.parse, verb)
        if shared is None or shared.text.casefold() == "i":
            return self.name
        if shared.text.casefold() == "we":
            return f"{self.name} and others"
        meant = antecedent(self.parse, shared) if shared.tag == "PRP" else shared
        return self.phrase(self.noun_phrase(meant or shared))

    def _auxiliaries(self, verb: Token, words: Sequence[Token]) -> Sequence[str]:
        """What a participle shares with the verb before it, or is left out: “(Has) been thinking”."""
        if verb.tag not in ("VBG", "VBN"):
            return ()
        if own := [word for word in self.parse.children(verb, *AUXILIARIES) if word in words]:
            return () if own[0].tag in ("VBP", "VBZ", "VBD", "MD") else ("has",)
        above = verb
        while above.dep == "conj" and above.tag == self.parse.head(above).tag:
            above = self.parse.head(above)
        shared = self.parse.children(above, *AUXILIARIES) if above != verb else []
        if not shared:
            return ("is",) if verb.tag == "VBG" else ("has",)
        return (self.phrase(shared), *(("not",) if shares_denial(self.parse, verb) else ()))

    def grounded(self, words: Sequence[Token]) -> tuple[Dated, ...]:
        """The dates in the words that say when, to the day or roughly."""
        start, end = min(word.start for word in words), max(word.end for word in words)
        dates = spoken_dates(self.parse.text, self.said_at, self.context).ground(start, end)
        return tuple(each for each in dates if each.rough or not each.vague)

    def dates(self, words: Sequence[Token], verb: Token) -> tuple[Dated, ...]:
        """The dates in the words of a clause of ``verb`` that are no mere guess: “on Monday” is ahead in “I start”."""
        start, end = min(word.start for word in words), max(word.end for word in words)
        spoken = spoken_dates(self.parse.text, self.said_at, self.context)
        by_start = {each.start: each for each in spoken.ground(start, end)}
        before = {at for at, each in by_start.items() if self.is_of_the_past(each, verb)}
        if before:
            over = {each.start: each for each in spoken.ground(start, end, over=True)}
            by_start |= {at: each for at, each in over.items() if at in before}
        if by_start and _is_to_come(self.parse, verb):
            ahead = {each.start: each for each in spoken.ground(start, end, ahead=True)}
            by_start |= {at: each for at, each in ahead.items() if at in by_start and self._is_own(each, verb)}
        again = tense(self.parse, verb) is Tense.PRESENT and verb.lemma != "be"
        return tuple(each for each in by_start.values() if not (each.vague or (again and self._is_of_each_week(each))))

    def _is_of_each_week(self, dated: Dated) -> bool:
        """“I work from Monday to Friday”."""
        ranging = dated.bearing is Bearing.SPAN and dated.unit is Unit.DAY
        return ranging and not any(letter.isdigit() for letter in self.parse.text[dated.start : dated.end])

    def own_dates(self, words: Sequence[Token], verb: Token) -> Iterator[Dated]:
        """Dates of when the clause is so: without those of a clause within, “the book that I began in March”."""
        for each in self.dates(words, verb):
            within = self._verb_of(each, verb).dep in _WITHIN and self.is_of_the_past(each, verb)
            if each.bearing is not Bearing.UNTIL and not within:
                yield each

    def _is_own(self, dated: Dated, verb: Token) -> bool:
        """Whether a date is of the verb's own clause, and not of one within: “I like that you left in May”.

        What is to be done is as far ahead as its verb: “I have a deadline to meet on 22 July”.
        """
        inside = self._verb_of(dated, verb)
        to_do = inside.tag == "VB" and any(each.tag == "TO" for each in self.parse.children(inside, "aux"))
        return to_do or inside == verb or self.parse.hangs_from(verb, inside)

    def is_of_the_past(self, dated: Dated, verb: Token) -> bool:
        """Whether a date is in a clause within that tells of the past: “I'm writing to her whom I met on 2 April”."""
        inside = self._verb_of(dated, verb)
        if inside == verb or self.parse.hangs_from(verb, inside):
            return False
        leading = self.parse.head(inside).text.casefold() if inside.dep == "pcomp" else ""
        return tense(self.parse, inside) is Tense.PAST or leading in _EARLIER

    def _verb_of(self, dated: Dated, verb: Token) -> Token:
        """The verb of the innermost clause that a date stands in."""
        inside = next((token for token in self.parse.tokens if token.end > dated.start), verb)
        while inside.head != inside.i and not (inside.tag.startswith("VB") and inside.dep in _CLAUSES):
            inside = self.parse.head(inside)
        return inside


@dataclass(slots=True)
class _Sentence:
    """A sentence as it is put together, word by word."""

    narrator: Narrator
    verb: Token | None
    dates: Sequence[Dated]
    text: str = ""
    named: bool = False
    written: set[int] = field(default_factory=set[int])
    words: tuple[Token, ...] = ()

    def compose(self, words: Sequence[Token]) -> str:
        self.words = tuple(words)
        before: Token | None = None
        for word in words:
            dated = next((each for each in self.dates if each.start <= word.start < each.end), None)
            if dated is None:
                spelled = self._spelled(word)
            elif dated.start in self.written:
                continue
            else:
                self.written.add(dated.start)
                spelled = days(dated, self.narrator.zone)
                if self._is_of_a_noun(before, word, dated):
                    article = "the " if word.tag == "DT" else ""
                    spelled = article + spelled.removeprefix("on ").removeprefix("in ")
            begins = not (self.text or self.named) or word.i == self.narrator.parse.sentence_of(word).first
            written = word.text.isupper() and word.tag.startswith("NN")  # “an A”
            meant = word.tag.startswith("PRP") and spelled != word.text
            if begins and not (word.proper or word.label or written or meant):
                spelled = spelled[:1].lower() + spelled[1:]
            self._append(spelled, joined=spelled == word.text and self._are_joined(before, word))
            before = word
        return self.text

    def _is_of_a_noun(self, before: Token | None, first: Token, dated: Dated) -> bool:
        """Whether a date stands before a noun, as in “the June 5 deadline”."""
        following = next((token for token in self.narrator.parse.tokens if token.start >= dated.end), None)
        noun = following is not None and following.tag in ("NN", "NNS")
        return noun and any(each is not None and each.tag in ("DT", "PRP$", "JJ") for each in (before, first))

    def _append(self, spelled: str, *, joined: bool) -> None:
        if spelled == "," and self.text.endswith(","):
            return
        alone = not self.text or not spelled or spelled in _NO_SPACE_BEFORE or (joined and self.text[-1] != ",")
        self.text += spelled if alone else f" {spelled}"

    def _are_joined(self, before: Token | None, word: Token) -> bool:
        """Whether both stand together in the text as they are: “self-taught”, not “gonna”."""
        if before is None or before.end != word.start:
            return False
        written = self.narrator.parse.text[before.start : word.end].replace("’", "'")
        return written == before.text + word.text

    def _spelled(self, word: Token) -> str:
        key = word.text.casefold()
        if word.quoted or self.narrator.parse.text[word.end : word.end + 1] == "-":
            return word.text  # “me-time”
        if key in _OF_SPEAKER and (word.tag.startswith("PRP") or key in ("mine", "ours")):
            first, later = _OF_SPEAKER[key]
            spelled = (later if self.named else first).format(self.narrator.name)
            self.named = True
            return spelled
        if key in DEMONSTRATIVES and word.dep == "det":
            return self._pointed(word)
        if key == "'d":
            had = word.tag != "MD" or self.narrator.parse.head(word).tag in ("VBD", "VBN")
            return "had" if had else "would"
        return self._meant(word) if word.tag in ("PRP", "PRP$") else self._verb(word)

    def _pointed(self, word: Token) -> str:
        """“this bowl” is a bowl to those who do not see it; “this week” and “those moments that …” stay."""
        parse, noun = self.narrator.parse, self.narrator.parse.head(word)
        if noun.dep != "dobj" or noun.lemma in TIMES or parse.children(noun, "relcl", "acl"):
            return word.text
        if noun.tag in ("NNS", "NNPS"):
            return ""
        return "an" if parse.tokens[word.i + 1].text[0].casefold() in _VOWELS else "a"

    def _meant(self, word: Token) -> str:
        """A pronoun as it stands, or what it stands for, where the sentence does not say it before."""
        parse = self.narrator.parse
        noun = referent(parse, word, self.words)
        if noun is None or any(noun.i == each.i for each in self.words):
            return word.text
        phrase = self.narrator.phrase(self.narrator.noun_phrase(noun, together=word.text.casefold() in PLURAL))
        first, _, rest = phrase.partition(" ")
        phrase = f"the {rest}" if rest and first.casefold() in ("a", "an", "some", "another") else phrase
        return f"{phrase}'s" if word.tag == "PRP$" else phrase

    def _verb(self, word: Token) -> str:
        parse, key = self.narrator.parse, word.text.casefold()
        governing = parse.head(word) if word.dep in AUXILIARIES else word
        who = subject(parse, governing)
        first = parse.head(word) if word.dep == "conj" else word  # “go” of “I will sit and go”
        alone = word.tag == "VB" and not (parse.children(word, "aux") or parse.children(first, "aux"))
        mine = who is not None and who.text.casefold() == "i" and who.dep != "conj"
        plain = word.tag == "VBP" or key in ("were", "'re", "'ve", "'m") or (alone and word == self.verb)
        if plain and (mine or (who is None and (key == "'m" or governing == self.verb))):
            return third_person(word.text)
        if key == "'s" and word.tag == "VBZ":
            return "has" if _is_perfect(parse, word) else "is"
        return word.text if key == "ca" and word.tag != "MD" else SHORTENED.get(key, word.text)


def _is_to_come(parse: Parse, verb: Token) -> bool:
    """Whether the clause of a verb is in the present, which tells of days to come: “I've got a meeting on Monday”."""
    got = verb.text.casefold() == "got" and tense(parse, verb) is Tense.PERFECT
    able = any(word.text.casefold() in ("can", "ca", "could") for word in parse.children(verb, "aux"))
    return got or able or told_tense(parse, verb) in (Tense.PRESENT, Tense.PROGRESSIVE)


def _is_perfect(parse: Parse, auxiliary: Token) -> bool:
    """“She's helped me”, not “she's tired”, nor “she's helped by”."""
    verb = parse.head(auxiliary)
    been = any(each.text.casefold() == "been" for each in (verb, *parse.children(verb, *AUXILIARIES)))
    return been or verb.text == "got" or (verb.tag == "VBN" and bool(parse.children(verb, "dobj", "ccomp")))


def third_person(verb: str) -> str:
    """The form for he, she or a name, of one for I: “have” is “has”."""
    key = verb.casefold()
    if key in IRREGULAR:
        return IRREGULAR[key]
    if key in UNCHANGED or key in STRONG_PAST:
        return verb  # the tagger takes “forgot” for a present
    if key.endswith(_SIBILANTS):
        return f"{verb}es"
    if key.endswith("y") and key[-2:-1] not in _VOWELS:
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def days(dated: Dated, zone: tzinfo = UTC) -> str:
    """The days as they are written: “on 8 May 2023”, “in the week of 1 May 2023”, “since 2019”; days of a zone."""
    first, after = dated.days.start.astimezone(zone), dated.days.end.astimezone(zone)
    last, length = after - timedelta(days=1), (after - first).days
    lead = str(dated.bearing) if dated.bearing in (Bearing.SINCE, Bearing.UNTIL) else ""
    if dated.bearing is Bearing.SPAN and length > _A_DAY:
        return f"from {_edge(first, dated)} to {_edge(last, dated)}"
    if length <= _A_FEW:
        return f"{lead or 'on'} {day_in_words(first)}{'' if length <= _A_DAY else f' to {day_in_words(last)}'}"
    if length <= _A_WEEK:
        return f"{lead or 'in'} the week of {day_in_words(first)}"
    if length <= _A_MONTH:
        return f"{lead or 'in'} {first:%B %Y}"
    if length < _A_YEAR or first.year != last.year:
        return f"{lead} {first:%B %Y}" if lead else f"between {first:%B %Y} and {last:%B %Y}"
    return f"{lead or 'in'} {first:%Y}"


def _edge(day: datetime, dated: Dated) -> str:
    """The first or last day of a range, as precisely as its beginning is said."""
    return f"{day:%Y}" if dated.unit is Unit.YEAR else f"{day:%B %Y}" if dated.unit is Unit.MONTH else day_in_words(day)
