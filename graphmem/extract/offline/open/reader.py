"""Every clause of a parse with what it asserts, or why it makes no claim."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from graphmem.extract.offline.clauses import Tense, tense
from graphmem.extract.offline.dates.finder import Bearing
from graphmem.extract.offline.open.clarity import clear
from graphmem.extract.offline.open.clause import heads, own_subject
from graphmem.extract.offline.open.clause import words as words_of
from graphmem.extract.offline.open.filters import drop
from graphmem.extract.offline.open.implied import ABOUT_ME, Praise, praised, relative_clauses
from graphmem.extract.offline.open.possessions import shown
from graphmem.extract.offline.open.references import is_between_us
from graphmem.extract.offline.open.statement import Narrator
from graphmem.extract.offline.open.status import Drop, Stand, status
from graphmem.extract.offline.open.subjects import Subject, Who, subject_of
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.open import PONDERING
from graphmem.model.claim import ClaimStatus


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause as it is read. ``about`` and ``statement`` are None and "" where it makes no claim.

    ``object`` and ``predicate`` are what it claims, where its verb does not say it.
    """

    verb: Token
    words: tuple[Token, ...]
    stand: Stand
    about: Subject | None = None
    statement: str = ""
    object: Token | None = None
    predicate: str = ""

    @property
    def concerns_speaker(self) -> bool:
        """Whether it tells what somebody or something is or does to the speaker."""
        return self.about is not None and self.about.who is Who.CONCERNING


def clauses(narrator: Narrator) -> Iterator[Clause]:
    """The clauses in the order of the text, then those that others imply."""
    parse = narrator.parse
    read = [_read(narrator, verb, words) for verb in heads(parse) if (words := words_of(parse, verb))]
    yield from read
    told_words = [word for clause in read if clause.statement for word in clause.words]
    for each in relative_clauses(narrator, told_words):
        statement = narrator.statement(each.verb, each.words)
        yield Clause(each.verb, each.words, ClaimStatus.ASSERTED, each.about, statement, each.object)
    for praise in praised(narrator):
        if clause := _of_praise(narrator, praise):
            yield clause
    for verb, noun in shown(narrator):
        if clause := _of_thing(narrator, verb, noun):
            yield clause


def _of_thing(narrator: Narrator, verb: Token, noun: Token) -> Clause | None:
    """The clause that says that somebody has what they show; None where it is not clear what."""
    parse = narrator.parse
    phrase = tuple(token for token in narrator.noun_phrase(noun) if token.dep != "poss" or token.head != noun.i)
    if not phrase or clear(parse, noun, phrase) != phrase or drop(parse, verb, phrase, ABOUT_ME) is Drop.ADDRESSEE:
        return None
    thing = narrator.phrase(phrase)
    article = "an" if thing[0].casefold() in "aeiou" else "a"
    return Clause(verb, phrase, ClaimStatus.ASSERTED, ABOUT_ME, f"{narrator.name} has {article} {thing}.", noun, "has")


def _of_praise(narrator: Narrator, praise: Praise) -> Clause | None:
    """The clause that says how somebody finds what they do; None where it is not clear, or is dropped."""
    parse, done = narrator.parse, praise.done
    words = tuple(token for token in parse.within(parse.sentence_of(done)) if parse.hangs_from(token, done))
    if clear(parse, done, words) != words or drop(parse, done, words, ABOUT_ME) is not None:
        return None
    deed = narrator.phrase(words)
    how = narrator.phrase(praise.evaluation)
    finding = f"it {how} {deed}" if done.tag == "VB" else f"{deed} {how}"
    statement = f"{narrator.name} {'found' if praise.over else 'finds'} {finding}."
    return Clause(praise.verb, words, ClaimStatus.ASSERTED, ABOUT_ME, statement, done, "experienced")


def _read(narrator: Narrator, verb: Token, words: tuple[Token, ...]) -> Clause:
    parse = narrator.parse
    stand = status(parse, verb)
    if isinstance(stand, Drop):
        return Clause(verb, words, stand)
    about = subject_of(parse, verb, words)
    if isinstance(about, Drop):
        return Clause(verb, words, about)
    kept = clear(parse, verb, words)
    if stand is ClaimStatus.ASSERTED and kept and is_ahead(narrator, verb, kept):
        stand = ClaimStatus.PLANNED
    if kept and _is_late(narrator, verb, kept):
        return Clause(verb, words, Drop.UNDATED)
    dropped = drop(parse, verb, kept, about) if kept else _why_unclear(parse, words)
    if dropped is not None:
        return Clause(verb, words, dropped)
    return Clause(verb, kept, stand, about, narrator.statement(verb, kept))


def _why_unclear(parse: Parse, words: tuple[Token, ...]) -> Drop:
    return Drop.TALK if any(is_between_us(parse, word) for word in words) else Drop.UNRESOLVED


def _is_late(narrator: Narrator, verb: Token, words: tuple[Token, ...]) -> bool:
    """“I'm resting this weekend”, said on a Monday: what goes on was not on days that are over."""
    going_on = tense(narrator.parse, verb) is Tense.PROGRESSIVE
    return going_on and any(
        each.bearing is Bearing.AT and each.days.end <= narrator.said_at and not narrator.is_of_the_past(each, verb)
        for each in narrator.dates(words, verb)
    )


def is_ahead(narrator: Narrator, verb: Token, words: tuple[Token, ...]) -> bool:
    """“I'm having a party next week”: what is told in the present of days to come."""
    parse = narrator.parse
    getting = any(
        word.text.casefold() == "getting" for word in parse.children(verb, "auxpass")
    )  # “we're getting married”
    going_on = tense(parse, verb) in (Tense.PRESENT, Tense.PROGRESSIVE) or getting or verb.text.casefold() == "got"
    if not going_on or verb.lemma in PONDERING or (verb.lemma == "be" and parse.children(verb, "acomp")):
        return False
    apart = parse.children(verb, "ccomp", "advcl", "relcl", "acl")  # “she says that I will leave in May”
    own = tuple(word for word in words if not any(parse.hangs_from(word, each) for each in apart))
    tomorrow = narrator.said_at + timedelta(days=1)
    ahead = bool(own) and any(
        each.bearing is Bearing.AT and each.days.end > tomorrow for each in narrator.dates(own, verb)
    )
    above = parse.head(verb)
    joined = verb.dep == "conj" and above.tag == verb.tag and own_subject(parse, verb) is None
    return ahead or (joined and is_ahead(narrator, above, words_of(parse, above)))
