"""Why a clause is not worth keeping: it concerns only those who talk, is a mood or an opinion, or says too little."""

import re
from collections.abc import Iterator
from itertools import chain

from graphmem.extract.offline.open.clause import subject
from graphmem.extract.offline.open.references import NOUNS
from graphmem.extract.offline.open.status import Drop
from graphmem.extract.offline.open.subjects import Subject, Who
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.open import (
    DEGREES,
    DREAMS,
    ENOUGH,
    FUN,
    MOODS,
    PICTURES,
    SECOND_PERSON,
    TIMES,
    VAGUE_OBJECTS,
    YOUTH,
)
from graphmem.extract.offline.tables.words import words

_COMPLEMENTS = (
    "dobj", "attr", "acomp", "prep", "xcomp", "ccomp", "agent", "dative", "oprd", "advcl", "npadvmod", "advmod",
)  # fmt: skip
_SHORTEST, _LONGEST_MOOD = 3, 6
_CODE = re.compile(r"[{}∩∪]|^=$|==|=>|\*\*|\(f?['\"]|\w\(\)")
"""What programs and marked-up texts that somebody pastes have, and talk has not."""
_HERE = frozenset({"there", "here"})
_ASKED_FOR = words(
    """
    advert advice agenda answer budget caption checklist copy design draft email e-mail example explanation gift help
    idea letter list message name outline plan present quiz quote recipe reminder reply roster schedule script speech
    suggestion summary table template text timetable tip title
    """
)
"""What people ask an assistant for."""
_THANKS = frozenset({"thank", "thanks", "congrats", "congratulations", "cheers"})
_TALKING = frozenset({"talk", "speak", "chat", "catch"})
_SHOWING = frozenset({"be", "have", "get", "show", "share", "send", "find", "add", "post"})
_HAVING = frozenset({"have", "make", "get", "take"})
_PROMISING = frozenset({"keep", "try", "stay", "give", "can"})
_GIVING_UP = frozenset({"quit", "give", "stop", "let"})
_CHASING = frozenset({"chase", "follow", "live", "pursue", "go", "take", "start", "make"})
_STATES = frozenset({"be", "feel", "get", "look", "seem", "do"})
_STAYING = frozenset({"feel", "stay", "remain", "keep"})
_HEARING = frozenset({"hear", "see", "know", "learn"})


def drop(parse: Parse, verb: Token, words: tuple[Token, ...], about: Subject) -> Drop | None:
    """Why the clause is no claim; None if it is one."""
    reasons = (of(parse, verb, words, about) for of in (_of_talk, _of_feeling, _unclear))
    return next(chain.from_iterable(reasons), None)


def _of_talk(parse: Parse, verb: Token, words: tuple[Token, ...], _about: Subject) -> Iterator[Drop]:
    """What concerns those who talk and their talk, and nobody later."""
    keys = {word.text.casefold() for word in words}
    if any(_CODE.search(word.text) for word in words):
        yield Drop.CODE
    if keys & SECOND_PERSON:
        yield Drop.ADDRESSEE
    if keys & _THANKS or _is_thanked(parse, verb):
        yield Drop.THANKS
    if _is_of_this_talk(parse, verb, words) or _is_saying(parse, words):
        yield Drop.TALK
    if _is_shown(parse, verb):
        yield Drop.SHOWN
    if verb.lemma == "need" and any(thing.lemma in _ASKED_FOR for thing in parse.children(verb, "dobj")):
        yield Drop.TALK  # “I need a list of what to pack”


def _of_feeling(parse: Parse, verb: Token, words: tuple[Token, ...], about: Subject) -> Iterator[Drop]:
    """Encouragement, what somebody thinks of a thing, and how somebody is at the moment."""
    if _is_encouragement(verb, words, about) or _is_resolve(parse, verb, words) or _is_striving(parse, verb):
        yield Drop.PEP_TALK
    if _is_opinion(parse, verb, about):
        yield Drop.OPINION
    if _is_mood(parse, verb, words, about):
        yield Drop.MOOD


def _unclear(parse: Parse, verb: Token, words: tuple[Token, ...], _about: Subject) -> Iterator[Drop]:
    cut_off = words[-1].dep == "prep" and words[-1].head == verb.i and not words[-1].children  # “I've worked on”
    if len(words) < _SHORTEST or cut_off or not _is_complete(parse, verb, words):
        yield Drop.EMPTY
    if _is_vague(parse, verb, words):
        yield Drop.VAGUE_OBJECT


def _is_thanked(parse: Parse, verb: Token) -> bool:
    """“I appreciate the offer”, and no more."""
    things = parse.children(verb, "dobj") if verb.lemma == "appreciate" else []
    return any(not parse.children(thing, "prep", "relcl", "acl") for thing in things)


def _is_of_this_talk(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“A lot has happened since we last spoke”, “we talked in March”; not “we speak Spanish”."""
    talks = [word for word in words if word.lemma in _TALKING and not parse.children(word, "dobj")]
    between = (subject(parse, word) for word in talks)
    since = any(word.text.casefold() == "since" for word in words)
    return (verb in talks or since) and any(each is not None and each.text.casefold() == "we" for each in between)


def _is_saying(parse: Parse, words: tuple[Token, ...]) -> bool:
    """“I have to say”, “I must admit”, “I couldn't agree more”."""
    last = _last_verb(words)
    return last is not None and last.lemma in ("say", "admit", "agree") and not _says_what(parse, last)


def _is_shown(parse: Parse, verb: Token) -> bool:
    """“Here is the picture”, “I have a picture of …”."""
    if any(word.text.casefold() in _HERE for word in parse.children(verb, "advmod", "expl")[:1]):
        return verb.lemma == "be"
    return verb.lemma in _SHOWING and any(thing.lemma in PICTURES for thing in parse.children(verb, "dobj", "attr"))


def _is_encouragement(verb: Token, words: tuple[Token, ...], about: Subject) -> bool:
    """“We can do it”, “we need more of this”."""
    able = any(word.tag == "MD" and word.lemma == "can" for word in words)
    return about.who is Who.WE and (able or verb.lemma == "need")


def _is_resolve(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“I'll keep pushing”, “I can make a difference”: at its end a promise of no thing."""
    last, denied = _last_verb(words), bool(parse.children(verb, "neg"))
    if denied and verb.lemma in _GIVING_UP and not parse.children(verb, "xcomp"):
        return True  # “I won't quit”
    if denied and verb.lemma in ENOUGH:
        return False  # “I can't swim”
    promises = any(word.lemma in _PROMISING for word in words if word.tag in ("VB", "VBG", "MD"))
    ahead = any(word.tag == "MD" or word.lemma == "go" for word in words if word.i <= verb.i + 1)
    return promises and ahead and not (last and _says_what(parse, last))


def _is_striving(parse: Parse, verb: Token) -> bool:
    """“I'm chasing my dream”, and no more."""
    if verb.lemma not in _CHASING or parse.children(verb, "advcl", "xcomp", "prt"):
        return False
    how = [act for word in parse.children(verb, "prep") for act in parse.children(word, "pcomp")]
    goals = [*parse.children(verb, "dobj"), *_behind_prepositions(parse, verb)]
    dreams = all(each.lemma in DREAMS and not parse.children(each, "prep", "acl") for each in goals)
    return bool(goals) and dreams and not how


def _last_verb(words: tuple[Token, ...]) -> Token | None:
    return next((word for word in reversed(words) if word.tag.startswith("VB")), None)


def _says_what(parse: Parse, verb: Token) -> bool:
    """Whether a verb takes a thing that says something."""
    things = [*parse.children(verb, "dobj"), *_behind_prepositions(parse, verb)]
    return any(each.tag in NOUNS and each.lemma not in VAGUE_OBJECTS | DREAMS for each in things)


def _behind_prepositions(parse: Parse, word: Token, *others: str) -> list[Token]:
    """The objects of a word's prepositions, and of its children with ``others`` as dependency: “to me”, “by rain”."""
    return [goal for each in parse.children(word, "prep", *others) for goal in parse.children(each, "pobj")]


def _is_opinion(parse: Parse, verb: Token, about: Subject) -> bool:
    """“My garden is lovely”; “important to me” tells of me what it tells of the thing."""
    others = about.who in (Who.CONCERNING, Who.NAMED, Who.THEIRS) and verb.lemma == "be"
    adjectives = parse.children(verb, "acomp")[:1] if others else []
    return any(
        not (each.proper or each.label)
        and all(goal.text.casefold() != "me" for goal in _behind_prepositions(parse, each))
        for each in adjectives
    )


def _is_mood(parse: Parse, verb: Token, words: tuple[Token, ...], about: Subject) -> bool:
    """“I am happy”, “I'm sorry to hear that”, “it's good to feel excited”; not “I'm busy with my thesis”."""
    adjective = next(iter(parse.children(verb, "acomp")), None)
    if adjective and verb.lemma in _STATES and adjective.lemma in MOODS and _is_of_nothing(parse, verb, adjective):
        return True
    mine = about.who in (Who.SPEAKER, Who.WE) and len(words) <= _LONGEST_MOOD
    return mine and any(_is_feeling(parse, word) for word in words if word.tag.startswith("VB"))


def _is_feeling(parse: Parse, verb: Token) -> bool:
    """“is happy”, “stays hopeful”, “is thrilled”, “do fine”: of no cause that a noun says."""
    how = [verb] if parse.children(verb, "auxpass") else parse.children(verb, "acomp")
    feelings = [each for each in how if each.lemma == "sorry" or not _has_cause(parse, each)]
    feelings += parse.children(verb, "dobj", "advmod") if verb.lemma == "do" else []
    moody = any({each.lemma, each.text.casefold()} & MOODS for each in feelings)
    return (moody and (verb in how or verb.lemma in _STATES)) or (verb.lemma in _STAYING and bool(feelings))


def _has_cause(parse: Parse, word: Token) -> bool:
    """“inspired by autumn”, “busy with my thesis”."""
    goals = _behind_prepositions(parse, word, "agent")
    return any(goal.tag in NOUNS and goal.lemma not in VAGUE_OBJECTS for goal in goals)


def _is_of_nothing(parse: Parse, verb: Token, adjective: Token) -> bool:
    """“excited but also anxious”: of what is not said; or of hearing it: “sorry to hear that …”."""
    if any(clause.lemma in _HEARING for clause in parse.children(adjective, "xcomp", "ccomp")):
        return True
    words = (verb, adjective, *parse.children(adjective, "conj"))
    return not any(parse.children(word, "prep", "xcomp", "ccomp", "advcl", "agent", "pcomp") for word in words)


def _is_complete(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """Whether the verb has something beside its subject, “not”, and adverbs before it: “I usually go” says little."""
    if verb.lemma in ENOUGH:
        return True  # “my dog died”, “I can't swim”
    complements = [child for child in parse.children(verb, *_COMPLEMENTS) if child in words and not _is_when(child)]
    return any(
        each.label != "PERCENT"
        if each.dep != "advmod"
        else each.i > verb.i and each.lemma not in DEGREES | _HERE and verb.lemma not in ("be", "do")
        for each in complements
    )


def _is_when(word: Token) -> bool:
    """“every week”, “last year”."""
    return word.dep == "npadvmod" and (word.label in ("DATE", "TIME") or word.lemma in TIMES)


def _is_vague(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“I have a thing”, “I love the way”, “we had a blast”, “I was a kid”: without which one, or where."""
    thing = next(iter((*parse.children(verb, "dobj", "attr"), *parse.children(verb, "npadvmod"))), None)
    if thing is None:
        return False
    fun = (verb.lemma in _HAVING and thing.lemma in FUN) or (verb.lemma == "be" and thing.lemma in YOUTH)
    if not fun and (thing.label in ("DATE", "TIME") or {thing.lemma, thing.text.casefold()}.isdisjoint(VAGUE_OBJECTS)):
        return False
    details = parse.children(thing, "relcl", "acl", "prep")
    details += parse.children(verb, "prep", "advcl", "xcomp") if fun else []
    return not any(
        each in words
        and not (thing.lemma == "one" and each.dep == "prep" and each.text != "of")
        and not any(
            goal.label in ("DATE", "TIME") or goal.tag == "PRP" or (fun and goal.lemma in FUN)
            for goal in parse.children(each, "pobj")
        )
        for each in details
    )
