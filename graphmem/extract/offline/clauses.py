"""What the verb of a clause says: its tense, and whether it takes nothing."""

from enum import StrEnum

from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.tenses import STRONG_PAST

LONGEST_SENTENCE = 200
"""In tokens. What runs on longer is no plain saying, and would cost the square of its length."""


class Tense(StrEnum):
    PRESENT = "present"
    PAST = "past"
    PERFECT = "perfect"
    PROGRESSIVE = "progressive"
    BARE = "bare"


_SIMPLE_TENSES = {"VBP": Tense.PRESENT, "VBZ": Tense.PRESENT, "VBD": Tense.PAST, "VB": Tense.BARE}
_SHORT_PRESENT = frozenset({"'s", "’s"})
_AUXILIARIES = ("aux", "auxpass")


def tense(parse: Parse, verb: Token) -> Tense | None:
    """The tense of a finite verb without modal; None for all else. ``BARE`` is an imperative or an infinitive."""
    auxiliaries = parse.children(verb, *_AUXILIARIES)
    if any(auxiliary.tag in ("MD", "TO") for auxiliary in auxiliaries):
        return None
    if auxiliaries:
        return _compound_tense(verb, auxiliaries[0])
    if verb.tag == "VBN" and verb.dep == "conj" and not parse.children(verb, "nsubj", "nsubjpass"):
        return tense(parse, parse.head(verb))
    return Tense.PAST if _is_past_too(parse, verb) else _SIMPLE_TENSES.get(verb.tag)


def _is_past_too(parse: Parse, verb: Token) -> bool:
    """“I quit smoking”, “I rewrote it”: what is written as the present and told as news, or taken for the present."""
    key = verb.text.casefold()
    past = key == "quit" or key in STRONG_PAST
    return past and verb.tag in ("VB", "VBP") and bool(parse.children(verb, "nsubj"))


def _compound_tense(verb: Token, auxiliary: Token) -> Tense | None:
    present = auxiliary.tag in ("VBP", "VBZ") or auxiliary.text in _SHORT_PRESENT
    if auxiliary.lemma == "have":
        return Tense.PERFECT if present else None
    if auxiliary.lemma == "do" or auxiliary.dep == "auxpass":
        return Tense.PRESENT if present else Tense.PAST
    return Tense.PROGRESSIVE if present and verb.tag == "VBG" else None


def takes_nothing(parse: Parse, verb: Token) -> bool:
    """“I have no sister”, “I visited neither Rome nor Paris”, “I'm no fan”, “Neither Ana nor Bob works there”."""
    things = parse.children(verb, "dobj", "attr", "oprd", "nsubj", "nsubjpass")
    words = (each for thing in things for each in parse.children(thing, "det", "preconj", "cc"))
    return any(each.text.casefold() in ("no", "neither") for each in words)


def hangs(parse: Parse, token: Token, anchors: set[int]) -> bool:
    """Whether a token hangs from one of the ``anchors`` without another verb on the way."""
    while token.i not in anchors:
        if token.head == token.i or (token.tag.startswith("VB") and token.tag != "VBG"):
            return False
        token = parse.head(token)
    return True
