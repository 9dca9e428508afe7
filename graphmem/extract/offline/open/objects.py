"""What a verb takes, and the verbs that hang together from it."""

from graphmem.extract.offline.open.references import NOUNS
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.open import DREAMS, VAGUE_OBJECTS


def chain(parse: Parse, verb: Token) -> list[Token]:
    """The verb and those that hang together from it: “work” and “make” of “work hard and make”."""
    verbs = [verb]
    while below := parse.children(verbs[-1], "conj", "xcomp"):
        verbs.append(below[0])
    return verbs


def says_what(parse: Parse, verb: Token) -> bool:
    """Whether a verb takes a thing that says something."""
    things = [*parse.children(verb, "dobj"), *behind_prepositions(parse, verb)]
    return any(each.tag in NOUNS and each.lemma not in VAGUE_OBJECTS | DREAMS for each in things)


def behind_prepositions(parse: Parse, word: Token, *others: str) -> list[Token]:
    """The objects of a word's prepositions, and of its children with ``others`` as dependency: “to me”, “by rain”."""
    return [goal for each in parse.children(word, "prep", *others) for goal in parse.children(each, "pobj")]
