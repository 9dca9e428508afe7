"""What is not worth keeping, or cannot be understood by itself: thanks, moods, what is about the addressee."""

from collections.abc import Iterator
from itertools import chain

from graphmem.extract.offline.open.clause import SUBJECTS, subject
from graphmem.extract.offline.open.references import NOUNS, referent
from graphmem.extract.offline.open.status import Drop
from graphmem.extract.offline.open.subjects import Subject, Who
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.open import (
    DREAMS,
    FUN,
    MOODS,
    PICTURES,
    SECOND_PERSON,
    SHOWABLE,
    THIRD_PERSON,
    TIMES,
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
_HEARING = frozenset({"hear", "see", "know", "learn"})
_STAYING = frozenset({"feel", "stay", "remain", "keep"})
_HAVING = frozenset({"have", "make", "get", "take"})
_SHOWING = frozenset({"be", "have", "get", "show", "share", "send", "find", "add", "post"})


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
    if about.who is Who.WE and (
        verb.lemma == "need" or any(word.tag == "MD" and word.lemma == "can" for word in words)
    ):
        yield Drop.PEP_TALK
    if _is_shown(parse, verb):
        yield Drop.SHOWN
    if _is_resolve(parse, verb, words):
        yield Drop.PEP_TALK


def _of_feeling(parse: Parse, verb: Token, words: tuple[Token, ...], about: Subject) -> Iterator[Drop]:
    for adjective in (each for each in parse.children(verb, "acomp")[:1] if not each.proper):
        if (
            about.who in (Who.CONCERNING, Who.NAMED, Who.THEIRS)
            and verb.lemma == "be"
            and not _is_for_me(parse, adjective)
        ):
            yield Drop.OPINION
        short = len(words) <= _LONGEST_MOOD or _is_of_hearing(parse, adjective)
        moody = adjective.lemma in MOODS or verb.lemma in _STAYING
        if verb.lemma in _STATES | _STAYING and moody and short:
            yield Drop.MOOD


def clear(parse: Parse, verb: Token, words: tuple[Token, ...]) -> tuple[Token, ...]:
    """The words less adjuncts that cannot be understood by themselves; () where the core cannot."""
    while unclear := next((word for word in words if not _is_understood(parse, word, words)), None):
        adjunct = _adjunct(parse, verb, unclear)
        if adjunct is None:
            return ()
        words = tuple(word for word in words if not parse.hangs_from(word, adjunct))
    while words and words[-1].dep in ("cc", "punct"):
        words = words[:-1]
    return words


def _adjunct(parse: Parse, verb: Token, word: Token) -> Token | None:
    """What can be left out of the clause together with a word: “because it was late”, “after these games”."""
    while word.i not in (verb.i, word.head):
        above = parse.head(word)
        if word.dep in ("advcl", "relcl") and above.tag != "IN":
            return word
        if word.dep == "prep" and above.tag.startswith("VB") and parse.children(above, "dobj", "attr", "xcomp"):
            return word
        word = above
    return None


def _unclear(parse: Parse, verb: Token, words: tuple[Token, ...]) -> Iterator[Drop]:
    if len(words) < _SHORTEST or not _is_complete(parse, verb, words) or _is_cut_off(parse, words):
        yield Drop.EMPTY
    if _is_vague(parse, verb) or _is_mere_fun(parse, verb, words):
        yield Drop.VAGUE_OBJECT


def _is_of_this_talk(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“A lot has happened since we last spoke”, “we haven't talked in a while”."""
    talks = (word for word in words if word.lemma in _TALKING)
    between = (subject(parse, word) for word in talks)
    return any(each is not None and each.text.casefold() == "we" for each in between) and (
        verb.lemma in _TALKING or "since" in {word.text.casefold() for word in words}
    )


def _is_understood(parse: Parse, word: Token, words: tuple[Token, ...]) -> bool:
    """Whether a pronoun says what it stands for within the clause, or in the sentence before."""
    key = word.text.casefold()
    if key in _DEMONSTRATIVES:
        return _points_within(parse, word)
    if key not in THIRD_PERSON or not word.tag.startswith("PRP"):
        return True
    return referent(parse, word, words) is not None


def _points_within(parse: Parse, word: Token) -> bool:
    """“this week”, “that he left”, “this necklace of mine”; not “this app”, nor “that” alone, nor “those moments”."""
    if word.tag == "WDT" or word.dep == "mark":
        return True
    if word.dep != "det":
        return False
    noun = parse.head(word)
    if noun.lemma in TIMES or parse.children(noun, "relcl", "acl"):
        return True
    described = bool(parse.children(noun, "amod", "compound", "prep"))
    new = noun.dep == "dobj" and parse.head(noun).lemma in SHOWABLE and noun.lemma not in VAGUE_OBJECTS
    return new or (described and noun.dep not in SUBJECTS and word.text.casefold() in ("this", "these"))


def _is_complete(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """Whether the verb has something beside its subject, adverbs of time and “not”."""
    return any(child in words for child in parse.children(verb, *_COMPLEMENTS))


def _is_for_me(parse: Parse, adjective: Token) -> bool:
    """“important to me” tells of me what it tells of the thing."""
    goals = (goal for word in parse.children(adjective, "prep") for goal in parse.children(word, "pobj"))
    return any(goal.text.casefold() == "me" for goal in goals)


def _is_of_hearing(parse: Parse, adjective: Token) -> bool:
    """“sorry to hear that …”, “glad to see …”."""
    return any(clause.lemma in _HEARING for clause in parse.children(adjective, "xcomp", "ccomp"))


def _is_shown(parse: Parse, verb: Token) -> bool:
    """“Here is the picture”, “I have a picture of …”."""
    if any(word.text.casefold() in ("here", "there") for word in parse.children(verb, "advmod", "expl")[:1]):
        return verb.lemma == "be"
    return verb.lemma in _SHOWING and any(found.lemma in PICTURES for found in parse.children(verb, "dobj", "attr"))


def _is_resolve(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“I'll keep pushing”, “I'm going to try my best”: at its end a promise of no thing."""
    last = [word for word in words if word.tag.startswith("VB")][-1:]
    promises = any(word.lemma in ("keep", "try", "stay", "give") for word in words if word.tag in ("VB", "VBG"))
    ahead = any(word.tag == "MD" or word.lemma == "go" for word in words if word.i <= verb.i + 1)
    return promises and ahead and not any(_names(parse, word) for word in last)


def _names(parse: Parse, verb: Token) -> bool:
    """Whether a verb takes a thing that says something."""
    things = [
        *parse.children(verb, "dobj"),
        *(each for word in parse.children(verb, "prep") for each in parse.children(word, "pobj")),
    ]
    return any(each.tag in NOUNS and each.lemma not in VAGUE_OBJECTS | DREAMS for each in things)


def _is_mere_fun(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“We had a blast”, “I got great news”, without what or where."""
    found = next(iter(parse.children(verb, "dobj")), None)
    if found is None or verb.lemma not in _HAVING or not (found.lemma in FUN or found.lemma in VAGUE_OBJECTS):
        return False
    return not any(
        word.dep in ("relcl", "acl", "advcl", "xcomp", "pobj", "pcomp") and word.tag != "PRP" and word.lemma not in FUN
        for word in words
    )


def _is_cut_off(parse: Parse, words: tuple[Token, ...]) -> bool:
    """“I've been working on for a while”: a preposition has lost what it takes."""
    cut = (word for word in words if word.tag == "IN" and word.dep == "prep" and not word.children)
    return any(parse.head(word).dep not in ("relcl", "acl", "xcomp", "advcl", "pcomp", "ccomp") for word in cut)


def _is_vague(parse: Parse, verb: Token) -> bool:
    found = next(iter(parse.children(verb, "dobj", "attr")), None)
    if found is None or subject(parse, verb) is found:
        return False
    return found.lemma in VAGUE_OBJECTS and not parse.children(found, "prep", "relcl", "acl")
