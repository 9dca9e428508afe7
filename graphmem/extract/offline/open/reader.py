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
from graphmem.extract.offline.open.references import NOUNS
from graphmem.extract.offline.open.statement import Narrator
from graphmem.extract.offline.open.status import Drop, Stand, own_status, status
from graphmem.extract.offline.open.subjects import Subject, Who, subject_of
from graphmem.extract.offline.syntax import Token
from graphmem.extract.offline.tables.open import FUN, PICTURES, PONDERING, TIMES, VAGUE_OBJECTS
from graphmem.model.claim import ClaimStatus


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause as it is read. ``about`` and ``statement`` are None and "" where it makes no claim.

    ``object`` is what it claims something of, where that is not the first object of its verb.
    """

    verb: Token
    words: tuple[Token, ...]
    stand: Stand
    about: Subject | None = None
    statement: str = ""
    object: Token | None = None

    @property
    def concerns_speaker(self) -> bool:
        """Whether it tells what somebody or something is or does to the speaker."""
        return self.about is not None and self.about.who is Who.CONCERNING


def clauses(narrator: Narrator) -> Iterator[Clause]:
    """The clauses in the order of the text."""
    parse = narrator.parse
    return (_read(narrator, verb, words) for verb in heads(parse) if (words := words_of(parse, verb)))


def _read(narrator: Narrator, verb: Token, words: tuple[Token, ...]) -> Clause:
    parse = narrator.parse
    stand = status(parse, verb)
    if stand is Drop.RELATIVE and (done := _done(narrator, verb, words)):
        return done
    if isinstance(stand, Drop):
        return Clause(verb, words, stand)
    about = subject_of(parse, verb, words)
    if isinstance(about, Drop):
        return Clause(verb, words, about)
    kept = clear(parse, verb, words)
    if stand is ClaimStatus.ASSERTED and kept and is_ahead(narrator, verb, kept):
        stand = ClaimStatus.PLANNED
    dropped = drop(parse, verb, kept, about) if kept else Drop.UNRESOLVED
    if dropped is not None:
        return Clause(verb, words, dropped)
    return Clause(verb, kept, stand, about, narrator.statement(verb, kept))


def _done(narrator: Narrator, verb: Token, words: tuple[Token, ...]) -> Clause | None:
    """“a game that I played last week” says that I played one then: the noun fills the gap behind the verb."""
    parse, noun, about = narrator.parse, narrator.parse.head(verb), own_subject(narrator.parse, verb)
    done = verb.tag == "VBD" and verb.lemma not in ("have", "need", "want")
    if not done or about is None or about.text.casefold() not in ("i", "we"):
        return None
    mine = Subject(Who.SPEAKER if about.text.casefold() == "i" else Who.WE, about)
    rest = tuple(token for token in words if token.tag not in ("WDT", "WP"))
    waiting = [token for token in rest if token.dep == "prep" and not token.children]  # “the show I went to”
    place = (waiting or parse.children(verb, "prt") or [verb])[-1].i
    phrase = clear(parse, noun, narrator.noun_phrase(noun))
    filled = (*(each for each in rest if each.i <= place), *phrase, *(each for each in rest if each.i > place))
    if (
        noun.tag not in NOUNS
        or noun.lemma in VAGUE_OBJECTS | TIMES | PICTURES | FUN
        or words[0].i != noun.i + 1
        or parse.children(verb, "dobj", "attr", "acomp", "ccomp", "xcomp")
        or own_status(parse, verb) is not ClaimStatus.ASSERTED
        or not phrase
        or clear(parse, verb, rest) != rest
        or drop(parse, verb, filled, mine) not in (None, Drop.EMPTY)
    ):
        return None
    return Clause(verb, filled, ClaimStatus.ASSERTED, mine, narrator.statement(verb, filled), noun)


def is_ahead(narrator: Narrator, verb: Token, words: tuple[Token, ...]) -> bool:
    """“I'm having a party next week”: what is told in the present of days to come."""
    parse = narrator.parse
    getting = any(word.text.casefold() == "getting" for word in parse.children(verb, "auxpass"))  # “… married”
    going_on = tense(parse, verb) in (Tense.PRESENT, Tense.PROGRESSIVE) or getting or verb.text.casefold() == "got"
    if not going_on or verb.lemma in PONDERING or (verb.lemma == "be" and parse.children(verb, "acomp")):
        return False
    apart = parse.children(verb, "ccomp", "advcl", "relcl", "acl")  # “she says that I will leave in May”
    own = tuple(word for word in words if not any(parse.hangs_from(word, each) for each in apart))
    tomorrow = narrator.said_at + timedelta(days=1)
    return any(each.bearing is Bearing.AT and each.days.end > tomorrow for each in narrator.dates(own, verb))
