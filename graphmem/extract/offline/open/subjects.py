"""Whom a clause is about: the speaker, someone or something of theirs, or who is named; and what pronouns stand for."""

from dataclasses import dataclass
from enum import StrEnum

from graphmem.extract.offline.open.clause import subject
from graphmem.extract.offline.open.status import Drop
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.lexicon import PETS
from graphmem.extract.offline.tables.open import (
    ELIDED,
    FIRST_PERSON,
    PLURAL,
    SECOND_PERSON,
    THIRD_PERSON,
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
        return Subject(Who.SPEAKER, None) if _is_elided(parse, verb) else Drop.NO_SUBJECT
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
    if is_theirs(parse, token):
        return Subject(Who.THEIRS, token)
    if token.proper and token.label not in _TIMES:
        return Subject(Who.NAMED, token)
    concerns = any(word.text.casefold() in FIRST_PERSON | US for word in words)
    return Subject(Who.CONCERNING, token) if concerns else Drop.OTHER_SUBJECT


def is_theirs(parse: Parse, token: Token) -> bool:
    """“my sister”, “our house”, “mine”."""
    if token.text.casefold() in ("mine", "ours"):
        return True
    return any(each.text.casefold() in ("my", "our") for each in parse.children(token, "poss"))


def _is_elided(parse: Parse, verb: Token) -> bool:
    """“Went to Rome”, “Been thinking”, “Can't wait”, “Love it”, not “Makes sense”."""
    if verb.lemma == "wait" or verb.tag in _PAST:
        return not parse.children(verb, "auxpass") or verb.dep == "ROOT"
    return verb.tag in ("VBP", "VB") and verb.lemma in ELIDED


def antecedent(parse: Parse, pronoun: Token) -> Token | None:
    """The one thing, or the one person, of this sentence or the one before that a pronoun can stand for."""
    key = pronoun.text.casefold()
    if key in _HE | _SHE:
        return _person(parse, pronoun, _SHE if key in _HE else _HE)
    near = (token for token in parse.tokens[: pronoun.i] if pronoun.sentence - token.sentence <= 1)
    named = (token for token in near if _can_be_meant(token))
    found = [token for token in named if _is_plural(parse, token) == (key in PLURAL)]
    whole = [token for token in found if not (token.dep == "conj" and parse.head(token) in found)]
    return whole[0] if len(whole) == 1 else None


def _can_be_meant(token: Token) -> bool:
    return (
        token.tag in _NOUNS and token.dep in _PLACES and token.label not in _TIMES and token.lemma not in VAGUE_OBJECTS
    )


def _is_plural(parse: Parse, token: Token) -> bool:
    return token.tag in ("NNS", "NNPS") or bool(parse.children(token, "conj"))


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
