"""Whom a clause is about: the speaker, someone or something of theirs, or who is named; and what pronouns stand for."""

from dataclasses import dataclass
from enum import StrEnum

from graphmem.extract.offline.open.clause import subject
from graphmem.extract.offline.open.status import Drop
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.lexicon import PETS
from graphmem.extract.offline.tables.open import (
    ELIDED,
    EVERYBODY,
    FIRST_PERSON,
    PLURAL,
    SECOND_PERSON,
    THIRD_PERSON,
    TIMES,
    US,
    VAGUE_OBJECTS,
    VAGUE_SUBJECTS,
)
from graphmem.extract.offline.tables.roles import ROLES

_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_PLACES = ("nsubj", "nsubjpass", "dobj", "pobj", "attr", "conj", "appos", "ROOT", "dative")
_TIMES = ("DATE", "TIME", "CARDINAL", "ORDINAL", "MONEY", "PERCENT", "QUANTITY")
_HE = frozenset({"he", "him", "his", "himself"})
_SHE = frozenset({"she", "her", "hers", "herself"})
_PAST = ("VBD", "VBN", "VBG")
_MAIN = ("ROOT", "conj", "parataxis")
_ELSEWHERE = frozenset({"your", "this", "that", "these", "those"})
_EVENTFUL = frozenset({"have", "get", "take", "make", "do", "be"})
"""Verbs with which a noun tells what happened: “I had a talk”."""


class Who(StrEnum):
    """The speaker, also with others, what is theirs, who is named; or something that does or is something to them."""

    SPEAKER = "speaker"
    WE = "we"
    THEIRS = "theirs"
    NAMED = "named"
    CONCERNING = "concerning"


_TALKING = {"i": Who.SPEAKER, "we": Who.WE}


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a clause is about. ``token`` heads the words for it: the grammatical subject, or what that stands for."""

    who: Who
    token: Token | None


def subject_of(parse: Parse, verb: Token, words: tuple[Token, ...]) -> Subject | Drop:
    """Whom the clause of ``verb`` is about."""
    token = subject(parse, verb)
    if token is None:
        return Subject(Who.SPEAKER, None) if _is_elided(parse, verb, words) else Drop.NO_SUBJECT
    key = token.text.casefold()
    if key in _TALKING:
        return Subject(_TALKING[key], token)
    if key in SECOND_PERSON:
        return Drop.ADDRESSEE
    if key in THIRD_PERSON:
        meant = antecedent(parse, token)
        return _of_noun(parse, meant, words) if meant else Drop.UNRESOLVED
    return Drop.VAGUE_SUBJECT if key in VAGUE_SUBJECTS else _of_noun(parse, token, words)


def _of_noun(parse: Parse, token: Token, words: tuple[Token, ...]) -> Subject | Drop:
    if token.label in _TIMES or token.lemma in TIMES:
        return Drop.VAGUE_SUBJECT
    if is_theirs(parse, token):
        return Subject(Who.THEIRS, token)
    if token.proper and token.label not in _TIMES:
        return Subject(Who.NAMED, token)
    if any(word.text.casefold() in FIRST_PERSON for word in words):
        return Subject(Who.CONCERNING, token)
    generic = any(word.text.casefold() in US for word in words)
    return Drop.ANYBODY if generic else Drop.OTHER_SUBJECT


def is_theirs(parse: Parse, token: Token) -> bool:
    """“my sister”, “our house”, “mine”."""
    if token.text.casefold() in ("mine", "ours"):
        return True
    return any(each.text.casefold() in ("my", "our") for each in parse.children(token, "poss"))


def _is_elided(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“Went to Rome”, “Been thinking”, “Can't wait”, “Love it”, not “Makes sense”, nor “Last week was hard”."""
    if verb.dep not in _MAIN or not _begins(parse, verb, words):
        return False
    if verb.tag == "VBG" and not parse.children(verb, "aux"):
        return verb.dep == "ROOT" and not _goes_on(parse, verb)
    if verb.lemma == "wait" or verb.tag in _PAST:
        return not parse.children(verb, "auxpass") or verb.dep == "ROOT"
    return verb.tag in ("VBP", "VB") and verb.lemma in ELIDED


def _begins(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """Whether the clause begins with its verb, or with an adverb or auxiliary of it, or tells a day before."""
    first = words[0]
    if verb.lemma == "be" and any(each.tag in _NOUNS for each in parse.children(verb, "attr")):
        return False
    told = first.label in _TIMES and verb.lemma != "be"
    return told or first.i == verb.i or (first.head == verb.i and first.dep in ("aux", "auxpass", "neg", "advmod"))


def _goes_on(parse: Parse, gerund: Token) -> bool:
    """Whether a finite verb follows, whose subject the gerund may be: “Taking time off is important”."""
    sentence = parse.sentence_of(gerund)
    later = parse.tokens[gerund.i + 1 : sentence.last]
    return any(token.tag in ("VBZ", "VBP", "VBD", "MD") and token.dep in _MAIN for token in later)


def referent(parse: Parse, pronoun: Token, words: tuple[Token, ...]) -> Token | None:
    """What a pronoun stands for: something that the words say before it, else its one antecedent."""
    before = (word for word in words if word.i < pronoun.i and not _are_arguments(parse, pronoun, word))
    within = [word for word in before if _can_refer(parse, pronoun, word)]
    return within[-1] if within else antecedent(parse, pronoun)


def _are_arguments(parse: Parse, pronoun: Token, noun: Token) -> bool:
    """Whether both belong to one verb: “I put an effort into it” tells of two things."""
    own = pronoun.tag == "PRP$" or pronoun.text.casefold().endswith(("self", "selves"))
    return not own and _verb_above(parse, pronoun) == _verb_above(parse, noun)


def _verb_above(parse: Parse, token: Token) -> int:
    while token.head != token.i and not token.tag.startswith("VB"):
        token = parse.head(token)
    return token.i


def _can_refer(parse: Parse, pronoun: Token, noun: Token) -> bool:
    """Whether a noun before agrees with the pronoun; “the impact it will make” is no impact of its own."""
    key = pronoun.text.casefold()
    if noun.text.casefold() in EVERYBODY:
        return key in PLURAL
    if noun.tag not in _NOUNS or noun.label in _TIMES or parse.hangs_from(pronoun, noun):
        return False
    if key in _HE | _SHE:
        return _is_person(parse, noun)
    if key in PLURAL:
        return _is_plural(parse, noun) or _is_person(parse, noun)
    return not _is_plural(parse, noun) and not _is_person(parse, noun)


def antecedent(parse: Parse, pronoun: Token) -> Token | None:
    """The one thing, or the one person, of this sentence or the one before that a pronoun can stand for.

    Of a thing only what a clause is about, or what the speaker does something with: else a pronoun may as well stand
    for all that was said.
    """
    key = pronoun.text.casefold()
    if key in _HE | _SHE:
        return _person(parse, pronoun, _SHE if key in _HE else _HE)
    near = [token for token in parse.tokens[: pronoun.i] if pronoun.sentence - token.sentence <= 1]
    named = [token for token in near if _can_be_meant(token) and not parse.hangs_from(pronoun, token)]
    found = [token for token in named if _is_plural(parse, token) == (key in PLURAL)]
    whole = [token for token in found if not (token.dep == "conj" and parse.head(token) in found)]
    return whole[0] if len(whole) == 1 and _is_topic(parse, whole[0], pronoun) else None


def _is_topic(parse: Parse, noun: Token, pronoun: Token) -> bool:
    """Whether the clause of a noun is about it, or, for a pronoun that is no subject, takes it as its object."""
    if any(word.text.casefold() in _ELSEWHERE for word in parse.children(noun, "det", "poss")):
        return False
    if _is_plural(parse, noun) and (noun.lemma in ROLES or noun.label == "PERSON"):
        return True
    if parse.head(noun).dep not in _MAIN:
        return False
    if noun.dep in ("nsubj", "nsubjpass"):
        return True
    return noun.dep == "dobj" and pronoun.dep in ("dobj", "pobj") and parse.head(noun).lemma not in _EVENTFUL


def _can_be_meant(token: Token) -> bool:
    return (
        token.tag in _NOUNS and token.dep in _PLACES and token.label not in _TIMES and token.lemma not in VAGUE_OBJECTS
    )


def _is_plural(parse: Parse, token: Token) -> bool:
    return token.tag in ("NNS", "NNPS") or any(each.tag in _NOUNS for each in parse.children(token, "conj"))


def _person(parse: Parse, pronoun: Token, others: frozenset[str]) -> Token | None:
    """The one person or pet that the turn has named before; nobody after a pronoun of the other gender."""
    before = parse.tokens[: pronoun.i]
    if any(token.text.casefold() in others for token in before):
        return None
    people = [token for token in before if _is_person(parse, token)]
    one = {token.text.casefold() for token in people}
    return people[-1] if len(one) == 1 else None


def _is_person(parse: Parse, token: Token) -> bool:
    named = token.label == "PERSON" and token.proper and not parse.head(token).proper
    return named or (token.tag == "NN" and (token.lemma in ROLES or token.lemma in PETS))
