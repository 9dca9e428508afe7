"""How somebody is at the moment, and what somebody thinks of a thing."""

from collections.abc import Iterator

from graphmem.extract.offline.open.objects import behind_prepositions
from graphmem.extract.offline.open.references import NOUNS
from graphmem.extract.offline.open.status import Drop
from graphmem.extract.offline.open.subjects import Subject, Who
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.open import COMMENTED, MOODS, PRAISES, PREFERRING, VAGUE_OBJECTS

_LONGEST_MOOD = 6
_CAUSES = ("prep", "xcomp", "ccomp", "advcl", "agent", "pcomp")
_STATES = frozenset({"be", "feel", "get", "look", "seem", "do"})
_HEARING = frozenset({"hear", "see", "know", "learn"})
_STAYING = frozenset({"feel", "stay", "remain", "keep"})


def of_feeling(parse: Parse, verb: Token, words: tuple[Token, ...], about: Subject) -> Iterator[Drop]:
    """What somebody thinks of a thing, and how somebody is at the moment."""
    others = about.who in (Who.CONCERNING, Who.NAMED, Who.THEIRS)
    if _is_praised(parse, verb) or (about.who is Who.NAMED and _is_recommended(parse, verb, words)):
        yield Drop.OPINION
    for adjective in (each for each in parse.children(verb, "acomp")[:1] if not _is_named(parse, each)):
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


def _is_named(parse: Parse, word: Token) -> bool:
    """Whether a word is a name, also where the tagger takes it for an adjective: “my boss is Henrike”."""
    written = word.text[0].isupper() and not word.text.isupper() and word.i != parse.sentence_of(word).first
    return word.proper or written


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
    goals = behind_prepositions(parse, word, "agent")
    return any(goal.tag in NOUNS and goal.lemma not in VAGUE_OBJECTS for goal in goals)


def _is_of_nothing(parse: Parse, verb: Token, adjective: Token) -> bool:
    """“excited but also anxious”: of what is not said; or of hearing it."""
    words = (verb, adjective, *parse.children(adjective, "conj"))
    causes = [cause for word in words for cause in parse.children(word, *_CAUSES)]
    return not causes or _is_of_hearing(parse, adjective)


def _is_of_hearing(parse: Parse, adjective: Token) -> bool:
    """“sorry to hear that …”, “glad to see …”."""
    return any(clause.lemma in _HEARING for clause in parse.children(adjective, "xcomp", "ccomp"))


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
    goals = behind_prepositions(parse, adjective)
    return any(goal.text.casefold() == "me" for goal in goals)
