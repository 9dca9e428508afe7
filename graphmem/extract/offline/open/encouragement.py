"""Pep talk: promises of no thing, and what “we” can do or need."""

from graphmem.extract.offline.open.objects import behind_prepositions, chain, says_what
from graphmem.extract.offline.open.subjects import Subject, Who
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.open import DREAMS, SKILLS

_PROMISING = frozenset({"keep", "try", "stay", "give", "can"})
_GIVING_UP = frozenset({"quit", "give", "stop", "let"})
_CHASING = frozenset({"chase", "follow", "live", "pursue", "go", "take", "start", "make"})
_KEEN = frozenset({"excited", "determined", "eager", "ready", "pumped", "thrilled", "stoked", "motivated"})


def is_pep_talk(parse: Parse, verb: Token, words: tuple[Token, ...], about: Subject) -> bool:
    return _is_encouragement(verb, words, about) or _is_resolve(parse, verb, words) or _is_striving(parse, verb)


def _is_encouragement(verb: Token, words: tuple[Token, ...], about: Subject) -> bool:
    """“We can do it”, “we need more of this”."""
    able = any(word.tag == "MD" and word.lemma == "can" for word in words)
    there = {"be", "there", "each", "other"} <= {word.text.casefold() for word in words}
    return there or (about.who is Who.WE and (able or verb.lemma == "need"))


def _is_resolve(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“I'll keep pushing”, “I can make a difference”: at its end a promise of no thing."""
    last = [word for word in words if word.tag.startswith("VB")][-1:]
    denied = bool(parse.children(verb, "neg"))
    if denied and verb.lemma in _GIVING_UP and not parse.children(verb, "xcomp"):
        return True  # “I won't quit”
    if denied and verb.lemma in SKILLS:
        return False  # “I can't swim”
    promises = any(word.lemma in _PROMISING for word in words if word.tag in ("VB", "VBG", "MD"))
    ahead = any(word.tag == "MD" or word.lemma == "go" for word in words if word.i <= verb.i + 1)
    return promises and ahead and not any(says_what(parse, word) for word in last)


def _is_striving(parse: Parse, verb: Token) -> bool:
    """“I'm chasing my dream”, “I'm determined to make an impact”, and no more."""
    how = [act for word in parse.children(verb, "prep") for act in parse.children(word, "pcomp")]
    chased = verb.lemma in _CHASING and not (how or parse.children(verb, "advcl", "xcomp", "prt"))
    goals = [*parse.children(verb, "dobj"), *behind_prepositions(parse, verb)]
    if chased and goals and all(each.lemma in DREAMS and not parse.children(each, "prep", "acl") for each in goals):
        return True
    keen = (each for each in parse.children(verb, "acomp") if each.lemma in _KEEN)
    acts = [act for each in keen for first in parse.children(each, "xcomp") for act in chain(parse, first)]
    return bool(acts) and not any(says_what(parse, act) or parse.children(act, "ccomp", "advcl") for act in acts)
