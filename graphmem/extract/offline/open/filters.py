"""Why a clause is not worth keeping: chatter, or words that say too little by themselves."""

import re
from collections.abc import Iterator
from itertools import chain

from graphmem.extract.offline.open.clause import subject
from graphmem.extract.offline.open.feelings import of_feeling
from graphmem.extract.offline.open.references import NOUNS, is_something
from graphmem.extract.offline.open.status import Drop
from graphmem.extract.offline.open.subjects import Subject
from graphmem.extract.offline.open.talk import of_talk
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.open import (
    DEGREES,
    ENDING,
    FUN,
    IDIOMS,
    INCOMPLETE,
    SKILLS,
    TIMES,
    VAGUE_OBJECTS,
    YOUTH,
)

_COMPLEMENTS = (
    "dobj", "attr", "acomp", "prep", "xcomp", "ccomp", "agent", "dative", "oprd", "advcl", "npadvmod", "advmod",
)  # fmt: skip
_SHORTEST = 3
_CODE = re.compile(r"[{}∩∪]|^=$|==|=>|\*\*|\(f?['\"]|\w\(\)")
"""What programs and marked-up texts that somebody pastes have, and talk has not."""
_TELLING = frozenset({"tell", "ask", "text", "call", "message"})
_HERE = frozenset({"there", "here"})
_HAVING = frozenset({"have", "make", "get", "take"})


def drop(parse: Parse, verb: Token, words: tuple[Token, ...], about: Subject) -> Drop | None:
    """Why the clause is no claim; None if it is one."""
    if any(_CODE.search(word.text) for word in words):
        return Drop.CODE
    reasons = (
        of_talk(parse, verb, words, about),
        of_feeling(parse, verb, words, about),
        _unclear(parse, verb, words),
    )
    return next(chain.from_iterable(reasons), None)


def _unclear(parse: Parse, verb: Token, words: tuple[Token, ...]) -> Iterator[Drop]:
    if len(words) < _SHORTEST or not _is_complete(parse, verb, words) or _is_cut_off(parse, words):
        yield Drop.EMPTY
    if (
        _is_idiom(parse, verb)
        or _is_youth(parse, verb)
        or _is_incomplete(parse, verb)
        or _is_vague(parse, verb, words)
        or _is_mere_fun(parse, verb, words)
    ):
        yield Drop.VAGUE_OBJECT


def _is_complete(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """Whether the verb has something beside its subject, “not”, and adverbs before it: “I usually go” says little."""
    complements = [child for child in parse.children(verb, *_COMPLEMENTS) if child in words]
    adverbs = verb.lemma not in ("be", "do")
    if verb.lemma in ENDING and any(word.i < verb.i and word.tag in NOUNS for word in words):
        return True  # “My dog died”
    if verb.lemma in SKILLS and any(word.text.casefold() in ("ca", "can") for word in parse.children(verb, "aux")):
        return True  # “I can't swim”
    if verb.lemma in _TELLING and all(
        each.tag == "PRP" for each in complements if each.dep != "advmod" and not _is_when(each)
    ):
        return False  # “My neighbour told me”
    after = (each.i > verb.i and each.lemma not in DEGREES | _HERE for each in complements if each.dep == "advmod")
    beside = (each for each in complements if each.dep != "advmod" and not _is_when(each) and each.label != "PERCENT")
    return any(beside) or (adverbs and any(after))


def _is_when(word: Token) -> bool:
    """“every week”, “last year”."""
    return word.dep == "npadvmod" and (word.label in ("DATE", "TIME") or word.lemma in TIMES)


def _is_mere_fun(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“We had a blast”, “I got great news”, without what or where."""
    thing = next(iter(parse.children(verb, "dobj")), None)
    if thing is None or verb.lemma not in _HAVING or not (thing.lemma in FUN or thing.lemma in VAGUE_OBJECTS):
        return False
    return not any(
        word.dep in ("relcl", "acl", "advcl", "xcomp", "pobj", "pcomp")
        and word.tag != "PRP"
        and word.label not in ("DATE", "TIME")
        and word.lemma not in FUN
        for word in words
    )


def _is_cut_off(parse: Parse, words: tuple[Token, ...]) -> bool:
    """“I've been working on for a while”: a preposition has lost what it takes."""
    cut = (word for word in words if word.tag == "IN" and word.dep == "prep" and not _taken(parse, word))
    return not all(_is_in_relative(parse, word) for word in cut)


def _taken(parse: Parse, preposition: Token) -> bool:
    """Whether a preposition has what it takes: it has not in “prepared for or taken an exam”."""
    return any(parse.tokens[child].dep not in ("cc", "conj") for child in preposition.children)


def _is_in_relative(parse: Parse, word: Token) -> bool:
    """Whether what a preposition takes may stand before it: “the group that I am part of”."""
    while word.head != word.i:
        word = parse.head(word)
        if word.dep in ("relcl", "acl", "xcomp", "advcl", "pcomp", "ccomp"):
            return True
    return False


def _is_idiom(parse: Parse, verb: Token) -> bool:
    """“hoping for the best”, “up for the challenge”."""
    prepositions = parse.children(verb, "prep")
    prepositions += [
        word for above in (*prepositions, *parse.children(verb, "advmod")) for word in parse.children(above, "prep")
    ]
    goals = [goal for word in prepositions for goal in parse.children(word, "pobj")]
    return not parse.children(verb, "dobj", "attr") and any(goal.text.casefold() in IDIOMS for goal in goals)


def _is_youth(parse: Parse, verb: Token) -> bool:
    """“when I was a kid”."""
    return verb.lemma == "be" and any(
        each.lemma in YOUTH and len(each.children) <= 1 for each in parse.children(verb, "attr")
    )


def _is_incomplete(parse: Parse, verb: Token) -> bool:
    """“I'm a huge fan”, without of what; “We have each other's backs”."""
    things = parse.children(verb, "attr") if verb.lemma == "be" else []
    backs = [each for each in parse.children(verb, "dobj") if verb.lemma == "have" and each.lemma == "back"]
    return bool(backs) or any(
        each.lemma in INCOMPLETE
        and not any(word.text.casefold() == "the" for word in parse.children(each, "det"))
        and not parse.children(each, "prep", "compound", "poss", "relcl")
        for each in things
    )


def _is_vague(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“I have a thing”, “I love the way”, without which one."""
    thing = next(iter((*parse.children(verb, "dobj", "attr"), *parse.children(verb, "npadvmod"))), None)
    if (
        thing is None
        or thing.label in ("DATE", "TIME")
        or subject(parse, verb) is thing
        or {thing.lemma, thing.text.casefold()}.isdisjoint(VAGUE_OBJECTS)
    ):
        return False
    if is_something(parse, thing):
        return False
    some = thing.lemma == "something"
    details = [
        each
        for each in parse.children(thing, "relcl", "acl", "prep")
        if each in words and not (some and each.tag == "VB")
    ]
    return not any(each.dep != "prep" or each.text == "of" or thing.lemma != "one" for each in details)
