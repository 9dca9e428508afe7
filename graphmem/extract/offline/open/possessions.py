"""What somebody has, because they say “my …”, or show it."""

import re
from collections.abc import Iterator

from graphmem.extract.offline.open.clause import own_subject, plain
from graphmem.extract.offline.open.references import NOUNS
from graphmem.extract.offline.open.statement import Narrator
from graphmem.extract.offline.open.status import own_status
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.lexicon import KEPT
from graphmem.extract.offline.tables.open import LOST, NOTHING_HAD, PARTING, PASSING, PICTURES, TIMES, VAGUE_OBJECTS
from graphmem.extract.offline.tables.roles import PERSONS, ROLES
from graphmem.model.claim import ClaimStatus

_JOINED_BEFORE = re.compile(r"(?:\w+-)+$")
_JOINED_AFTER = re.compile(r"(?:-\w+)+")


def shown(narrator: Narrator) -> Iterator[tuple[Token, Token]]:
    """The verb and the noun of “This is my bookshelf”: what is shown is had."""
    parse = narrator.parse
    for verb in plain(parse):
        if verb.lemma != "be" or verb.tag != "VBZ" or own_status(parse, verb) is not ClaimStatus.ASSERTED:
            continue
        about = own_subject(parse, verb)
        here = any(word.text.casefold() == "here" for word in parse.children(verb, "advmod"))
        things = parse.children(verb, "nsubj") if here else parse.children(verb, "attr")
        if here or (about is not None and about.text.casefold() in ("this", "that")):
            yield from ((verb, noun) for noun in things[:1] if _is_shown(parse, noun))


def _is_shown(parse: Parse, noun: Token) -> bool:
    mine = any(each.text.casefold() == "my" for each in parse.children(noun, "poss"))
    passing = any(each.lemma in PASSING for each in parse.children(noun, "amod", "compound"))
    return (
        mine and noun.tag == "NN" and not passing and noun.lemma not in VAGUE_OBJECTS | TIMES | PICTURES | NOTHING_HAD
    )


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
    """“I sold my boat”, “my fish died”, “my car got stolen”, “it was my kayak”."""
    verb = parse.head(noun)
    if noun.dep == "dobj" and (verb.lemma in PARTING or _is_given_up(parse, verb)):
        return True
    if noun.dep == "pobj" and _is_parted_from(parse, noun):
        return True
    if noun.dep == "attr" and verb.lemma == "be" and (verb.tag == "VBD" or parse.children(verb, "neg")):
        return True
    lost = (verb, *parse.children(verb, "acomp", "xcomp")) if noun.dep in ("nsubj", "nsubjpass") else ()
    particles = {word.text for word in parse.children(verb, "prt", "advmod")}
    gone = (verb.lemma in ("run", "pass") and "away" in particles) or (verb.lemma == "burn" and "down" in particles)
    return (bool(lost) and gone) or any(word.lemma in LOST or word.text.casefold() in LOST for word in lost)


def _is_given_up(parse: Parse, verb: Token) -> bool:
    """“I gave my guitar away”, “I gave my car to my brother”, “I put down my cat”."""
    particles = {word.text for word in parse.children(verb, "prt", "advmod", "prep", "dative")}
    return (verb.lemma == "give" and bool(particles & {"away", "to"})) or (verb.lemma == "put" and "down" in particles)


def _is_parted_from(parse: Parse, noun: Token) -> bool:
    """“I got rid of my dog”, “I was robbed of my bike”, “I broke up with my boyfriend”."""
    preposition = parse.head(noun)
    above = parse.head(preposition)
    up = above.lemma == "break" and any(word.text == "up" for word in parse.children(above, "prt", "advmod"))
    return (preposition.text == "of" and above.lemma in ("rid", "rob")) or (preposition.text == "with" and up)


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
