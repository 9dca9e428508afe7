"""What a sentence says beside its main clauses: in relative clauses, and of what was done and praised."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graphmem.extract.offline.open.clarity import clear
from graphmem.extract.offline.open.clause import is_finite, own_subject, plain, words
from graphmem.extract.offline.open.filters import drop
from graphmem.extract.offline.open.references import NOUNS
from graphmem.extract.offline.open.statement import Narrator
from graphmem.extract.offline.open.status import Drop, own_status
from graphmem.extract.offline.open.subjects import Subject, Who, subject_of
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.open import (
    DEMONSTRATIVES,
    EVALUATIONS,
    EVALUATIVE,
    FIRST_PERSON,
    FUN,
    PICTURES,
    TIMES,
    US,
    VAGUE_OBJECTS,
)
from graphmem.model.claim import ClaimStatus

_RELATIVES = ("WDT", "WP")
_STATES = frozenset({"need", "have", "get", "know", "desire", "want", "put"})
"""Verbs that say little of a noun: “the support that I need”."""
ABOUT_ME = Subject(Who.SPEAKER, None)
_SELF = ("i", "we")
_DENYING = frozenset({ClaimStatus.NEGATED, Drop.CONDITIONAL, Drop.QUESTION})
_DOUBTING = frozenset({ClaimStatus.PLANNED, ClaimStatus.WISHED, ClaimStatus.ABLE, Drop.MODAL, Drop.OPINION, Drop.GUESS})
_TAKEN = ("dobj", "attr", "acomp", "ccomp", "xcomp")


@dataclass(frozen=True, slots=True)
class Implied:
    """Words in the order in which they make a clause of ``verb``; ``object`` heads those that a gap stands for."""

    verb: Token
    words: tuple[Token, ...]
    about: Subject
    object: Token


def relative_clauses(narrator: Narrator, told_words: Iterable[Token]) -> Iterator[Implied]:
    """“a game that I played last week” says that I played one then. Verbs among ``told_words`` are left out."""
    parse, known = narrator.parse, {token.i for token in told_words}
    for verb in plain(parse):
        if verb.dep == "relcl" and verb.i not in known and is_finite(parse, verb) and _is_so(parse, verb):
            implied = _filled(narrator, verb)
            if implied is not None:
                yield implied


def _is_so(parse: Parse, verb: Token) -> bool:
    """Whether the clause is asserted wherever it stands: “a job that I love” is not, of one that is wanted."""
    if own_status(parse, verb) is not ClaimStatus.ASSERTED:
        return False
    over = any(token.tag in ("VBD", "VBN") for token in (verb, *parse.children(verb, "aux")))
    above, doubted = verb, _DENYING if over else _DENYING | _DOUBTING
    while above.head != above.i:
        above = parse.head(above)
        if above.tag.startswith("VB") and own_status(parse, above) in doubted:
            return False
    return True


def _filled(narrator: Narrator, verb: Token) -> Implied | None:
    """The relative clause with its noun in the gap, if the speaker is its subject."""
    parse, noun, about = narrator.parse, narrator.parse.head(verb), own_subject(narrator.parse, verb)
    if about is None or about.text.casefold() not in _SELF or verb.lemma in _STATES:
        return None
    if noun.tag not in NOUNS or noun.lemma in VAGUE_OBJECTS | TIMES | PICTURES | FUN:
        return None
    clause_words = _with_noun(narrator, verb, noun)
    subject = subject_of(parse, verb, clause_words)
    if (
        not clause_words
        or isinstance(subject, Drop)
        or drop(parse, verb, clause_words, subject) not in (None, Drop.EMPTY)
    ):
        return None
    return Implied(verb, clause_words, subject, noun)


def _with_noun(narrator: Narrator, verb: Token, noun: Token) -> tuple[Token, ...]:
    """The clause's words with those of the noun behind the verb, or a preposition that waits; () if none fits."""
    parse = narrator.parse
    clause = words(parse, verb)
    rest = tuple(token for token in clause if token.tag not in _RELATIVES)
    if clause[0].i != noun.i + 1 or any(token.tag == "WRB" for token in clause):
        return ()  # “the help from friends I look up to”
    if _is_pointed_at(parse, noun) and not any(token.dep == "prep" and token.children for token in rest):
        return ()
    waiting = [token for token in rest if token.dep == "prep" and not token.children]
    if not waiting and (verb.lemma == "be" or parse.children(verb, *_TAKEN)):
        return ()
    particles = parse.children(verb, "prt")
    place = (waiting or particles or [verb])[-1].i
    phrase = clear(parse, noun, narrator.noun_phrase(noun))
    before, after = (tuple(each for each in rest if (each.i <= place) is side) for side in (True, False))
    return (*before, *phrase, *after) if phrase and clear(parse, verb, rest) == rest else ()


def _is_pointed_at(parse: Parse, noun: Token) -> bool:
    """“this book”, which nothing else tells of."""
    pointing = any(word.text.casefold() in DEMONSTRATIVES for word in parse.children(noun, "det"))
    return pointing and not parse.children(noun, "amod", "compound")


@dataclass(frozen=True, slots=True)
class Praise:
    """How somebody finds what they do: “Exploring Rome was great”, “it is hard to find my keys”."""

    verb: Token
    evaluation: tuple[Token, ...]
    done: Token
    over: bool


def praised(narrator: Narrator) -> Iterator[Praise]:
    parse = narrator.parse
    for verb in plain(parse):
        if verb.lemma not in ("be", "feel") or own_status(parse, verb) is not ClaimStatus.ASSERTED:
            continue
        over = _is_over(parse, verb)
        evaluation = _evaluation_of(parse, verb)
        done = [each for each in parse.children(verb, "csubj", "xcomp") if _is_done_by_me(parse, each, over=over)]
        if evaluation and done:
            yield Praise(verb, evaluation, done[0], over)


def _evaluation_of(parse: Parse, verb: Token) -> tuple[Token, ...]:
    """“great”, “a challenge”."""
    for word in parse.children(verb, "acomp"):
        if word.lemma in EVALUATIVE:
            return (word,)
    for word in parse.children(verb, "attr"):
        if word.lemma in EVALUATIONS and not parse.children(word, "prep", "relcl", "poss"):
            return tuple(parse.tokens[i] for i in sorted((*word.children, word.i)))
    return ()


def _is_over(parse: Parse, verb: Token) -> bool:
    perfect = any(each.lemma == "have" or each.text == "'s" for each in parse.children(verb, "aux"))
    return verb.tag == "VBD" or (verb.tag == "VBN" and perfect)


def _is_done_by_me(parse: Parse, verb: Token, *, over: bool) -> bool:
    """Whether nobody but the speaker does what a verb says: the past of a gerund, or what speaks of me or mine."""
    if own_subject(parse, verb) is not None:
        return False
    clause_words = (word for word in parse.within(parse.sentence_of(verb)) if parse.hangs_from(word, verb))
    mine = any(word.text.casefold() in (FIRST_PERSON | US if over else FIRST_PERSON) for word in clause_words)
    return (over and verb.tag == "VBG") or (verb.tag in ("VB", "VBG") and mine)
