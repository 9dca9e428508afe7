"""What is not worth keeping, or cannot be understood by itself: thanks, moods, what is about the addressee."""

from collections.abc import Iterator
from itertools import chain

from graphmem.extract.offline.open.clause import subject
from graphmem.extract.offline.open.status import Drop
from graphmem.extract.offline.open.subjects import Subject, Who, antecedent
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.open import (
    FIRST_PERSON,
    MOODS,
    SECOND_PERSON,
    THIRD_PERSON,
    TIMES,
    US,
    VAGUE_OBJECTS,
)

_THANKS = frozenset({"thank", "thanks", "congrats", "congratulations"})
_TALKING = frozenset({"talk", "speak", "chat", "catch", "meet"})
_STATES = frozenset({"be", "feel", "get", "look", "seem"})
_COMPLEMENTS = (
    "dobj", "attr", "acomp", "prep", "xcomp", "ccomp", "agent", "dative", "oprd", "advcl", "npadvmod", "advmod", "prt",
)  # fmt: skip
_LONGEST_MOOD = 6
_SHORTEST = 3
_DEMONSTRATIVES = frozenset({"this", "that", "these", "those"})
_NOUNS = ("NN", "NNS", "NNP", "NNPS")


def drop(parse: Parse, verb: Token, words: tuple[Token, ...], about: Subject) -> Drop | None:
    """Why the clause is no claim; None if it is one."""
    reasons = (
        _of_talk(parse, verb, words, about),
        _of_feeling(parse, verb, words, about),
        _unclear(parse, verb, words),
    )
    return next(chain.from_iterable(reasons), None)


def _of_talk(parse: Parse, verb: Token, words: tuple[Token, ...], about: Subject) -> Iterator[Drop]:
    """What concerns those who talk and their talk, and nobody later."""
    keys = {word.text.casefold() for word in words}
    if keys & SECOND_PERSON:
        yield Drop.ADDRESSEE
    if keys & _THANKS:
        yield Drop.THANKS
    if _is_of_this_talk(parse, verb, words):
        yield Drop.TALK
    if about.who is Who.WE and any(word.tag == "MD" and word.lemma == "can" for word in words):
        yield Drop.PEP_TALK


def _of_feeling(parse: Parse, verb: Token, words: tuple[Token, ...], about: Subject) -> Iterator[Drop]:
    for adjective in parse.children(verb, "acomp")[:1]:
        if about.who in (Who.CONCERNING, Who.NAMED, Who.THEIRS) and verb.lemma == "be":
            yield Drop.OPINION
        if verb.lemma in _STATES and adjective.lemma in MOODS and len(words) <= _LONGEST_MOOD:
            yield Drop.MOOD


def _unclear(parse: Parse, verb: Token, words: tuple[Token, ...]) -> Iterator[Drop]:
    if any(not _is_understood(parse, verb, word, words) for word in words):
        yield Drop.UNRESOLVED
    if len(words) < _SHORTEST or not parse.children(verb, *_COMPLEMENTS):
        yield Drop.EMPTY
    if _is_vague(parse, verb):
        yield Drop.VAGUE_OBJECT


def _is_of_this_talk(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“A lot has happened since we last spoke”, “we haven't talked in a while”."""
    talks = (word for word in words if word.lemma in _TALKING)
    between = (subject(parse, word) for word in talks)
    return any(each is not None and each.text.casefold() == "we" for each in between) and (
        verb.lemma in _TALKING or "since" in {word.text.casefold() for word in words}
    )


def _is_understood(parse: Parse, verb: Token, word: Token, words: tuple[Token, ...]) -> bool:
    """Whether a pronoun says what it stands for within the clause, or in the sentence before."""
    key = word.text.casefold()
    if key in _DEMONSTRATIVES:
        return _points_within(parse, verb, word, words)
    if key not in THIRD_PERSON or not word.tag.startswith("PRP"):
        return True
    before = any(each.i < word.i and (each.proper or each.tag in _NOUNS) for each in words)
    return (before and word.head != verb.i) or antecedent(parse, word) is not None


def _points_within(parse: Parse, verb: Token, word: Token, words: tuple[Token, ...]) -> bool:
    """“this week”, “that he left”, “this necklace of mine”; not “this app”, nor “that” alone."""
    if word.tag == "WDT" or word.dep == "mark" or (word.dep == "nsubj" and word.tag != "DT"):
        return True
    if word.dep != "det":
        return word.head != verb.i and word.dep not in ("pobj", "dobj", "attr", "nsubj")
    noun = parse.head(word)
    mine = any(each.text.casefold() in FIRST_PERSON | US for each in words)
    return noun.lemma in TIMES or mine


def _is_vague(parse: Parse, verb: Token) -> bool:
    found = next(iter(parse.children(verb, "dobj", "attr")), None)
    if found is None or subject(parse, verb) is found:
        return False
    return found.lemma in VAGUE_OBJECTS and not parse.children(found, "prep", "relcl", "acl")
