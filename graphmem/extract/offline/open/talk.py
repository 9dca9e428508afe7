"""What concerns only those who talk, and nobody later: thanks, what is about the addressee or shown, their talk."""

from collections.abc import Iterator

from graphmem.extract.offline.open.clause import subject
from graphmem.extract.offline.open.encouragement import is_pep_talk
from graphmem.extract.offline.open.objects import chain, says_what
from graphmem.extract.offline.open.status import Drop
from graphmem.extract.offline.open.subjects import Subject, Who
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.open import PICTURES, PUBLIC, SECOND_PERSON, THANKED

_THANKS = frozenset({"thank", "thanks", "congrats", "congratulations", "cheers"})
_TALKING = frozenset({"talk", "speak", "chat", "catch", "meet"})
_AGREEING = frozenset({"see", "understand", "get", "imagine", "relate", "agree"})
_TAKING = frozenset({"take", "snap"})
_SHOWING = frozenset({"be", "have", "get", "show", "share", "send", "find", "add", "post"})


def of_talk(parse: Parse, verb: Token, words: tuple[Token, ...], about: Subject) -> Iterator[Drop]:
    """What concerns those who talk and their talk, and nobody later."""
    keys = {word.text.casefold() for word in words}
    if keys & SECOND_PERSON:
        yield Drop.ADDRESSEE
    if keys & _THANKS or _is_thanked(parse, verb):
        yield Drop.THANKS
    if _is_of_this_talk(parse, verb, words):
        yield Drop.TALK
    if _is_shown(parse, verb) or _is_taken(parse, verb) or any(_is_seen(parse, word) for word in words):
        yield Drop.SHOWN
    if (about.who is Who.WE and _is_of_all(parse, verb, words)) or _is_public(parse, verb, words):
        yield Drop.ANYBODY
    if is_pep_talk(parse, verb, words, about):
        yield Drop.PEP_TALK
    if (
        _is_meant(parse, verb)
        or _is_agreement(verb, words)
        or _is_saying(parse, words)
        or _is_curiosity(parse, verb, words)
    ):
        yield Drop.TALK


def _is_of_this_talk(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“A lot has happened since we last spoke”, “we haven't talked in a while”."""
    language = verb.lemma == "speak" and parse.children(verb, "dobj")
    met = verb.lemma == "meet" and any(word.text in ("in", "at") for word in parse.children(verb, "prep"))
    if language or met:
        return False  # “we speak Spanish”, “we met in Oslo”
    if verb.lemma in _TALKING and parse.children(verb, "neg") and not parse.children(verb, "nsubj"):
        return True  # “Haven't talked in days”
    talks = (word for word in words if word.lemma in _TALKING)
    between = (subject(parse, word) for word in talks)
    return any(each is not None and each.text.casefold() == "we" for each in between) and (
        verb.lemma in _TALKING or "since" in {word.text.casefold() for word in words}
    )


def _is_of_all(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“We all have dreams”, which nobody in particular does; “we all went” is another thing."""
    now = verb.tag == "VBP" and not parse.children(verb, "aux")
    return now and any(word.text.casefold() == "all" and word.i < verb.i for word in words[:2])


def _is_public(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“Our kids are our future”, “our education needs more”, where “our” tells of everybody."""
    ours = [word for word in words if any(each.text.casefold() == "our" for each in parse.children(word, "poss"))]
    twice = verb.lemma == "be" and {word.dep for word in ours} >= {"nsubj", "attr"}
    return twice or any(word.lemma in PUBLIC for word in ours)


def _is_taken(parse: Parse, verb: Token) -> bool:
    """“I had to take a picture”, without of what, where or when."""
    last = chain(parse, verb)[-1]
    bare = last.lemma in _TAKING and not parse.children(last, "prep", "npadvmod")
    things = parse.children(last, "dobj") if bare else []
    return any(thing.lemma in PICTURES and not parse.children(thing, "prep", "relcl", "acl") for thing in things)


def _is_seen(parse: Parse, word: Token) -> bool:
    """“the lamp in the pic”."""
    shown = word.dep == "pobj" and word.lemma in PICTURES and parse.head(word).text.casefold() == "in"
    return shown and bool(parse.children(word, "det"))


def _is_shown(parse: Parse, verb: Token) -> bool:
    """“Here is the picture”, “I have a picture of …”."""
    if any(word.text.casefold() in ("here", "there") for word in parse.children(verb, "advmod", "expl")[:1]):
        return verb.lemma == "be"
    return verb.lemma in _SHOWING and any(thing.lemma in PICTURES for thing in parse.children(verb, "dobj", "attr"))


def _is_thanked(parse: Parse, verb: Token) -> bool:
    """“I appreciate the offer”."""
    things = parse.children(verb, "dobj")
    return verb.lemma == "appreciate" and any(
        thing.lemma in THANKED and not parse.children(thing, "prep", "relcl") for thing in things
    )


def _is_agreement(verb: Token, words: tuple[Token, ...]) -> bool:
    """“I can see why”, “I can imagine”."""
    return verb.lemma in _AGREEING and any(
        word.lemma in ("can", "could") for word in words if word.tag == "MD" and word.head == verb.i
    )


def _is_meant(parse: Parse, verb: Token) -> bool:
    """“from afar, I mean”."""
    return verb.lemma == "mean" and verb.tag == "VBP" and not parse.children(verb, "dobj", "ccomp")


def _is_saying(parse: Parse, words: tuple[Token, ...]) -> bool:
    """“I have to say”, “I must admit”."""
    last = [word for word in words if word.tag.startswith("VB")][-1:]
    return any(word.lemma in ("say", "admit") and not says_what(parse, word) for word in last)


def _is_curiosity(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“I can't wait to see what happens”, “can't wait to hear more”."""
    last = [word for word in words if word.tag.startswith("VB")][-1:]
    wondered = any(word.tag in ("WP", "WRB") for word in words)
    return verb.lemma == "wait" and (wondered or not any(says_what(parse, word) for word in last))
