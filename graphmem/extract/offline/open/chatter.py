"""What concerns only those who talk, and nobody later: thanks, moods, pep talk, what is about the addressee."""

from collections.abc import Iterator

from graphmem.extract.offline.open.clause import subject
from graphmem.extract.offline.open.references import NOUNS
from graphmem.extract.offline.open.status import Drop
from graphmem.extract.offline.open.subjects import Subject, Who
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.open import (
    COMMENTED,
    DREAMS,
    MOODS,
    PICTURES,
    PRAISES,
    PREFERRING,
    SECOND_PERSON,
    THANKED,
    VAGUE_OBJECTS,
)

_THANKS = frozenset({"thank", "thanks", "congrats", "congratulations", "cheers"})
_TALKING = frozenset({"talk", "speak", "chat", "catch", "meet"})
_LONGEST_MOOD = 6
_CAUSES = ("prep", "xcomp", "ccomp", "advcl", "agent", "pcomp")
_STATES = frozenset({"be", "feel", "get", "look", "seem", "do"})
_HEARING = frozenset({"hear", "see", "know", "learn"})
_AGREEING = frozenset({"see", "understand", "get", "imagine", "relate"})
_STAYING = frozenset({"feel", "stay", "remain", "keep"})
_PROMISING = frozenset({"keep", "try", "stay", "give", "can"})
_CHASING = frozenset({"chase", "follow", "live", "pursue", "go", "take", "start", "make"})
_KEEN = frozenset({"excited", "determined", "eager", "ready", "pumped", "thrilled", "stoked", "motivated"})
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
    if about.who is Who.WE and _is_of_all(parse, verb, words):
        yield Drop.ANYBODY
    if _is_encouragement(verb, words, about) or _is_resolve(parse, verb, words) or _is_striving(parse, verb):
        yield Drop.PEP_TALK
    if (
        _is_meant(parse, verb)
        or _is_agreement(verb, words)
        or _is_saying(parse, words)
        or _is_curiosity(parse, verb, words)
    ):
        yield Drop.TALK


def of_feeling(parse: Parse, verb: Token, words: tuple[Token, ...], about: Subject) -> Iterator[Drop]:
    """What somebody thinks of a thing, and how somebody is at the moment."""
    others = about.who in (Who.CONCERNING, Who.NAMED, Who.THEIRS)
    if _is_praised(parse, verb) or (about.who is Who.NAMED and _is_recommended(parse, verb, words)):
        yield Drop.OPINION
    for adjective in (each for each in parse.children(verb, "acomp")[:1] if not each.proper):
        if others and verb.lemma == "be" and not _is_for_me(parse, adjective):
            yield Drop.OPINION
        if verb.lemma in _STATES and adjective.lemma in MOODS and _is_of_nothing(parse, verb, adjective):
            yield Drop.MOOD
    if (
        not others
        and len(words) <= _LONGEST_MOOD
        and any(_is_mood(parse, word) for word in words if word.tag.startswith("VB"))
    ):
        yield Drop.MOOD


def _is_mood(parse: Parse, verb: Token) -> bool:
    """“is happy”, “stays hopeful”, “is thrilled”."""
    if parse.children(verb, "auxpass") and not _has_cause(parse, verb) and verb.text.casefold() in MOODS:
        return True
    adjectives = [
        each
        for each in parse.children(verb, "acomp")
        if not (each.proper or (each.lemma != "sorry" and _has_cause(parse, each)))
    ]
    adjectives += parse.children(verb, "dobj", "advmod") if verb.lemma == "do" else []
    moody = any(each.lemma in MOODS for each in adjectives)
    return (verb.lemma in _STATES and moody) or (verb.lemma in _STAYING and bool(adjectives))


def _has_cause(parse: Parse, word: Token) -> bool:
    """“inspired by autumn”, “busy with my thesis”."""
    goals = _goals(parse, word, "agent")
    return any(goal.tag in NOUNS and goal.lemma not in VAGUE_OBJECTS for goal in goals)


def _is_encouragement(verb: Token, words: tuple[Token, ...], about: Subject) -> bool:
    """“We can do it”, “we need more of this”."""
    able = any(word.tag == "MD" and word.lemma == "can" for word in words)
    there = {"be", "there", "each", "other"} <= {word.text.casefold() for word in words}
    return there or (about.who is Who.WE and (able or verb.lemma == "need"))


def _is_of_this_talk(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“A lot has happened since we last spoke”, “we haven't talked in a while”."""
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


def _is_taken(parse: Parse, verb: Token) -> bool:
    """“I had to take a picture”, without of what, where or when."""
    last = _chain(parse, verb)[-1]
    bare = last.lemma in _TAKING and not parse.children(last, "prep", "npadvmod")
    things = parse.children(last, "dobj") if bare else []
    return any(thing.lemma in PICTURES and not parse.children(thing, "prep", "relcl", "acl") for thing in things)


def _is_seen(parse: Parse, word: Token) -> bool:
    """“the lamp in the pic”."""
    shown = word.dep == "pobj" and word.lemma in PICTURES and parse.head(word).text.casefold() == "in"
    return shown and bool(parse.children(word, "det"))


def _is_praised(parse: Parse, verb: Token) -> bool:
    """“I love the colors”, of what is shown or told of."""
    things = parse.children(verb, "dobj") if verb.lemma in PREFERRING else []
    return any(
        thing.lemma in COMMENTED
        and parse.children(thing, "det")
        and not parse.children(thing, "compound", "nmod", "relcl")
        for thing in things
    )


def _is_recommended(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“Bergen is a gem”, “a must-visit city”."""
    called = any(each.lemma in PRAISES for each in parse.children(verb, "attr"))
    return verb.lemma == "be" and (called or any(word.text.casefold() == "must" for word in words))


def _is_for_me(parse: Parse, adjective: Token) -> bool:
    """“important to me” tells of me what it tells of the thing."""
    goals = _goals(parse, adjective)
    return any(goal.text.casefold() == "me" for goal in goals)


def _is_of_nothing(parse: Parse, verb: Token, adjective: Token) -> bool:
    """“excited but also anxious”: of what is not said; or of hearing it."""
    said = (verb, adjective, *parse.children(adjective, "conj"))
    causes = [cause for word in said for cause in parse.children(word, *_CAUSES)]
    return not causes or _is_of_hearing(parse, adjective)


def _is_of_hearing(parse: Parse, adjective: Token) -> bool:
    """“sorry to hear that …”, “glad to see …”."""
    return any(clause.lemma in _HEARING for clause in parse.children(adjective, "xcomp", "ccomp"))


def _is_shown(parse: Parse, verb: Token) -> bool:
    """“Here is the picture”, “I have a picture of …”."""
    if any(word.text.casefold() in ("here", "there") for word in parse.children(verb, "advmod", "expl")[:1]):
        return verb.lemma == "be"
    return verb.lemma in _SHOWING and any(found.lemma in PICTURES for found in parse.children(verb, "dobj", "attr"))


def _is_thanked(parse: Parse, verb: Token) -> bool:
    """“I appreciate the offer”."""
    things = parse.children(verb, "dobj")
    return verb.lemma == "appreciate" and any(
        thing.lemma in THANKED and not parse.children(thing, "prep", "relcl") for thing in things
    )


def _is_agreement(verb: Token, words: tuple[Token, ...]) -> bool:
    """“I can see why”, “I can imagine”."""
    return verb.lemma in _AGREEING and any(word.lemma == "can" for word in words if word.tag == "MD")


def _is_meant(parse: Parse, verb: Token) -> bool:
    """“from afar, I mean”."""
    return verb.lemma == "mean" and verb.tag == "VBP" and not parse.children(verb, "dobj", "ccomp")


def _is_saying(parse: Parse, words: tuple[Token, ...]) -> bool:
    """“I have to say”, “I must admit”."""
    last = [word for word in words if word.tag.startswith("VB")][-1:]
    return any(word.lemma in ("say", "admit") and not _names(parse, word) for word in last)


def _is_curiosity(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“I can't wait to see what happens”, “can't wait to hear more”."""
    last = [word for word in words if word.tag.startswith("VB")][-1:]
    wondered = any(word.tag in ("WP", "WRB") for word in words)
    return verb.lemma == "wait" and (wondered or not any(_names(parse, word) for word in last))


def _is_resolve(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“I'll keep pushing”, “I can make a difference”: at its end a promise of no thing."""
    last = [word for word in words if word.tag.startswith("VB")][-1:]
    promises = any(word.lemma in _PROMISING for word in words if word.tag in ("VB", "VBG", "MD"))
    ahead = any(word.tag == "MD" or word.lemma == "go" for word in words if word.i <= verb.i + 1)
    return promises and ahead and not any(_names(parse, word) for word in last)


def _is_striving(parse: Parse, verb: Token) -> bool:
    """“I'm chasing my dream”, “I'm determined to make an impact”, and no more."""
    how = [act for word in parse.children(verb, "prep") for act in parse.children(word, "pcomp")]
    chased = verb.lemma in _CHASING and not (how or parse.children(verb, "advcl", "xcomp", "prt"))
    goals = [*parse.children(verb, "dobj"), *_goals(parse, verb)]
    if chased and goals and all(each.lemma in DREAMS and not parse.children(each, "prep", "acl") for each in goals):
        return True
    keen = (each for each in parse.children(verb, "acomp") if each.lemma in _KEEN)
    acts = [act for each in keen for first in parse.children(each, "xcomp") for act in _chain(parse, first)]
    return bool(acts) and not any(_names(parse, act) or parse.children(act, "ccomp", "advcl") for act in acts)


def _chain(parse: Parse, verb: Token) -> list[Token]:
    """The verb and those that hang together from it: “work” and “make” of “work hard and make”."""
    verbs = [verb]
    while below := parse.children(verbs[-1], "conj", "xcomp"):
        verbs.append(below[0])
    return verbs


def _names(parse: Parse, verb: Token) -> bool:
    """Whether a verb takes a thing that says something."""
    things = [
        *parse.children(verb, "dobj"),
        *_goals(parse, verb),
    ]
    return any(each.tag in NOUNS and each.lemma not in VAGUE_OBJECTS | DREAMS for each in things)


def _goals(parse: Parse, word: Token, *others: str) -> list[Token]:
    """The objects of a word's prepositions, and of its children with ``others`` as dependency: “to me”, “by rain”."""
    return [goal for each in parse.children(word, "prep", *others) for goal in parse.children(each, "pobj")]
