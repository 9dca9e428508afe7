"""What somebody has, because they say “my …”."""

import re
from collections.abc import Iterator

from graphmem.extract.offline.open.clause import plain
from graphmem.extract.offline.open.references import NOUNS
from graphmem.extract.offline.open.statement import Narrator
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.lexicon import KEPT
from graphmem.extract.offline.tables.open import GONE, NOTHING_HAD, PASSING, TIMES, VAGUE_OBJECTS
from graphmem.extract.offline.tables.roles import PERSONS, ROLES

_JOINED_BEFORE = re.compile(r"(?:\w+-)+$")
_JOINED_AFTER = re.compile(r"(?:-\w+)+")


def possessions(narrator: Narrator) -> Iterator[Token]:
    """The nouns of “my N” that name a thing worth meeting again, each once. People are the reader's."""
    seen: set[str] = set()
    for token in plain(narrator.parse):
        if token.tag in NOUNS and token.lemma not in seen and _is_had(narrator, token):
            seen.add(token.lemma)
            yield token


def hyphenated(text: str, start: int, end: int) -> tuple[int, int]:
    """``[start, end)`` with what hyphens join to it: all of “mother-in-law”."""
    before, after = _JOINED_BEFORE.search(text[:start]), _JOINED_AFTER.match(text, end)
    return (before.start() if before else start), (after.end() if after else end)


def _is_cut_short(parse: Parse, noun: Token) -> bool:
    """Whether the name goes on, or is whose: “my dance” of “my dance studio”, “my studio's walls”."""
    following = parse.tokens[noun.i + 1 : noun.i + 2]
    return noun.dep in ("compound", "nmod") or any(token.tag in ("POS", "VBG") for token in following)


def _is_gone(parse: Parse, noun: Token) -> bool:
    """“I sold my boat”, “my fish died”, “I got rid of my dog”, “I gave my car to my brother”, “it was my kayak”."""
    verb = parse.head(noun)
    if noun.dep == "attr":
        return verb.tag == "VBD" or bool(parse.children(verb, "neg"))
    if noun.dep == "pobj":
        verb = parse.head(verb)
    words = (verb, *parse.children(verb, "acomp", "xcomp", "oprd"))
    particles = parse.children(verb, "prt", "advmod", "prep", "dative")
    gone = {f"{verb.lemma} {word.text.casefold()}" for word in particles} | {word.lemma for word in words}
    return not GONE.isdisjoint(gone | {word.text.casefold() for word in words})


def _is_had(narrator: Narrator, noun: Token) -> bool:
    """“my kayak”, “my dance studio”, whatever else is said of it; not “my last job”, “my mind”."""
    parse = narrator.parse
    mine = [each for each in parse.children(noun, "poss") if each.text.casefold() == "my"]
    if (
        not mine
        or noun.quoted
        or _is_gone(parse, noun)
        or parse.children(noun, "preconj")  # “neither my brother nor …”
        or not all(parse.children(each, "poss") for each in parse.children(noun, "conj"))  # “my dog and cat food”
        or any(each.lemma in PASSING for each in parse.children(noun, "amod", "compound"))
    ):
        return False
    kinds = parse.children(noun, "compound")
    if noun.lemma.endswith("ing") or _is_cut_short(parse, noun):
        return False
    start, end = hyphenated(parse.text, noun.start, noun.end)
    if (start, end) != (noun.start, noun.end) and parse.text[start:end].casefold() not in PERSONS:
        return False
    named = (
        bool(kinds)
        and all(kind.tag == "NN" and kind.text.islower() for kind in kinds)
        and noun.lemma not in VAGUE_OBJECTS | TIMES | NOTHING_HAD
    )
    return noun.lemma not in ROLES and (named or noun.lemma in KEPT)
