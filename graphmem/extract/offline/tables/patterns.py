"""The table of patterns: which verb, with what hanging from it, claims which predicate.

A pattern is data: ``RULES`` is the table as spaCy DependencyMatcher rules. Whether a match is asserted at all (tense,
negation, questions …) is the same question for every row, and is asked in ``clauses``.
"""

from collections.abc import Mapping
from dataclasses import replace

from graphmem.extract.identifiers import ADDRESS
from graphmem.extract.offline.syntax import Rule
from graphmem.extract.offline.tables.kinds import PROJECT
from graphmem.extract.offline.tables.lexicon import (
    AILMENTS,
    CANCELLED,
    CHARACTERS,
    COLLECTED,
    CONSUMED,
    COURSES,
    EXAMS,
    FOREGONE,
    IDENTITIES,
    INSTRUMENTS_AND_GAMES,
    KEPT,
    OCCUPATIONS,
    POSITIONS,
    PRACTISED,
    RECEIVED,
    SITES,
    TEAMS,
    WORKS,
)
from graphmem.extract.offline.tables.pattern import Aspect, Path, Pattern, Step, Target
from graphmem.extract.offline.tables.predicates import ENDABLE
from graphmem.model.claim import ClaimKind


def _prep(*words: str) -> Path:
    return (Step(("prep",), words), Step(("pobj",)))


def _row(predicate: str, verbs: str, target: Target, *paths: Path) -> Pattern:
    return Pattern(predicate=predicate, verbs=tuple(verbs.split()), paths=paths, target=target)


def _state(predicate: str, verbs: str, target: Target, *paths: Path) -> Pattern:
    return replace(_row(predicate, verbs, target, *paths), aspect=Aspect.STATE)


def _end(predicate: str, verbs: str, target: Target, *paths: Path) -> Pattern:
    return replace(_row(predicate, verbs, target, *paths), kind=ClaimKind.ENDS)


def _fact(predicate: str, verbs: str, target: Target, *paths: Path) -> Pattern:
    return replace(_row(predicate, verbs, target, *paths), aspect=Aspect.FACT)


def _passive(predicate: str, verbs: str, target: Target, *paths: Path) -> Pattern:
    return replace(_fact(predicate, verbs, target, *paths), passive=True)


def _made(predicate: str, verbs: str, made: Target) -> Pattern:
    """“… was founded by Ana”."""
    return replace(_passive(predicate, verbs, _MAKER, _BY), subject=made, swapped=True)


def _role(nouns: str, *path: Step) -> Path:
    return (Step(("attr",), tuple(nouns.split())), *path)


_OBJECT: Path = (Step(("dobj",)),)
_BY: Path = (Step(("agent",), ("by",)), Step(("pobj",)))
_BOTH: Path = (Step(("nsubj", "nsubjpass")), Step(("conj",)))
_MARRIED = Step(("acomp", "attr"), ("married", "marry"))
_ENGAGED = Step(("acomp", "attr"), ("engaged", "engage"))
_GOT = Step(("auxpass",), ("get",))
_ARE = Step(("auxpass",), ("be",))
_JOB = Step(("dobj",), ("job", "position", "role", "internship"))
_WORKING = Step(("xcomp",), ("work",))

_PLACES = frozenset({"GPE", "LOC", "FAC"})
_PLACE = Target(type="place")
_DESTINATION = Target(type="place")
_SIGHT = Target(type="place", labels=_PLACES)
_FIRM = Target(type="organization")
_CLIENT = Target(type="organization", labels=frozenset({"ORG", "GPE", "PRODUCT", "FAC", ""}))
_TEAM = Target(type="organization", labels=_PLACES | {"ORG", "PRODUCT", "WORK_OF_ART", ""})
_FORMER_HOME = Target(type="place", labels=_PLACES, dated=_PLACES)
_FORMER_FIRM = Target(
    type="organization",
    labels=_PLACES | {"ORG", "PRODUCT", "WORK_OF_ART", "PERSON", ""},
    dated=frozenset({"PERSON"}),
    undated=_PLACES,
)
_SPOUSE = Target(type="person")
_PERSON = Target(type="person", labels=frozenset({"PERSON"}))
_SCHOOL = Target(type="organization", labels=frozenset({"ORG", "FAC", "GPE", ""}))
_OCCUPATION = Target(type="concept", labels=frozenset(), common=True)
_SUBJECT = Target(type="concept", labels=frozenset(), common=True, bare=True)
_TASTE = Target(
    type="concept",
    labels=frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "EVENT", "WORK_OF_ART", "LANGUAGE", ""}),
    common=True,
    bare=True,
)
_GOODS = Target(type="product", labels=frozenset({"ORG", "PRODUCT", "WORK_OF_ART", ""}), common=True)
_COMPANY = Target(type="organization", labels=frozenset(), common=True, articled=True)
_COURSE = replace(
    _COMPANY,
    nouns=COURSES,
)
_SOMEWHERE = Target(type="concept", labels=frozenset(), common=True, articled=True)
_TONGUE = Target(type="concept", labels=frozenset({"NORP", "LANGUAGE", "GPE"}))
_PLAYED = Target(
    type="concept",
    labels=frozenset(),
    common=True,
    nouns=INSTRUMENTS_AND_GAMES,
)
_CONSUMED = replace(_SUBJECT, nouns=CONSUMED)
_UP = Step(("prt", "advmod"), ("up",))
_NOWADAYS = Step(("advmod",), ("only", "now", "nowadays", "instead", "mostly"))
_KEPT = Target(
    type="concept",
    labels=frozenset(),
    common=True,
    nouns=KEPT,
)  # fmt: skip

_PARTNER = Target(type="person", labels=frozenset({"PERSON", "ORG", ""}))
_MAKER = Target(type="person", labels=frozenset({"PERSON", "ORG"}), typed=True)
_MADE = Target(type="product", labels=frozenset({"PRODUCT", "WORK_OF_ART", ""}))
_FOUNDED = Target(type="organization", labels=frozenset({"ORG", "FAC", ""}))
_SITE = Target(type="place")
_LOCATED = Target(
    type="place", typed=True, labels=_PLACES | {"ORG", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "NORP", ""}
)
_PARTY = Target(type="organization", labels=frozenset({"ORG"}))
_TOOL = Target(type="product", labels=frozenset({"ORG", "PRODUCT", "PERSON", "GPE", ""}))
_TITLED = Target(type="product", labels=frozenset({"WORK_OF_ART", ""}))
_UNDERTAKING = Target(type="project", labels=frozenset({PROJECT, "ORG", "PRODUCT", "WORK_OF_ART", "PERSON", "LAW", ""}))
_LED = Target(type="organization", labels=frozenset({"ORG"}), common=True, nouns=TEAMS)
_TITLE = Target(type="concept", labels=frozenset(), common=True, nouns=OCCUPATIONS, articled=True)
_KIND = Target(type="concept", labels=frozenset(), common=True, nouns=IDENTITIES)
_LEARNED = replace(_SUBJECT, labels=frozenset({"LANGUAGE", "NORP"}))
_PRIZE = Target(type="concept", labels=frozenset({"WORK_OF_ART", "EVENT"}))
_AGE = Target(type="age", formed=True)
_TRAIT = Target(type="trait", formed=True)
_CHARACTER = Target(type="concept", labels=frozenset(), common=True, nouns=CHARACTERS)
_DISABILITY = Target(type="disability", formed=True)
_AILMENT = Target(type="concept", labels=frozenset({"ORG", ""}), common=True, nouns=AILMENTS)
_FOREGONE = Target(type="foregone", formed=True)
_PRACTISED = Target(type="concept", labels=frozenset(), common=True, nouns=PRACTISED)
_COLLECTED = replace(_SUBJECT, nouns=COLLECTED)
_EXAM = Target(type="concept", labels=frozenset(), common=True, nouns=EXAMS)
_SUBSTANCE = Target(type="substance", formed=True)
_PASSED = Target(type="verb", formed=True)
_INTOLERANT = Step(("acomp", "attr"), ("intolerant",))
_I: Path = (Step(("nsubj",), ("i",)),)
_MY_HOBBY: Path = (Step(("nsubj",), ("hobby", "pastime")), Step(("poss",), ("my",)))
_MY_BUDGET: Path = (Step(("nsubj",), ("budget",)), Step(("poss",), ("my", "our")))
_MONEY = Target(type="money", formed=True)
_WHEN = Target(type="date", formed=True)
_NATION = Target(type="nationality", formed=True)
_DEED = Target(type="deed", formed=True)
_MY_GOAL: Path = (Step(("nsubj",), ("goal", "aim", "dream", "plan", "resolution")), Step(("poss",), ("my",)))
_YEARS = Target(type="number", formed=True)
_ADDRESS = Target(type=ADDRESS, formed=True)
_CITY = Target(type="place", formed=True)
_MY_ADDRESS: Path = (Step(("nsubj",), ("address",)), Step(("poss",), ("my", "our")))
_OF_FORM = {form: Target(type=form, formed=True) for form in ("email", "phone", "order", "issue")}
_AT_HOME = frozenset({"new", "home", "current", "postal"})
_FOUND_OF_FORM: Path = (Step(("attr", "acomp", "oprd")),)


def _phrase(predicate: str, form: str, nouns: str) -> Pattern:
    """“my e-mail is …”."""
    mine = (Step(("nsubj",), tuple(nouns.split())), Step(("poss",), ("my", "our")))
    return replace(_state(predicate, "be", _OF_FORM[form], _FOUND_OF_FORM), speaker=mine)


def _couple(predicate: str, verb: str, adjective: Step) -> tuple[Pattern, ...]:
    """“Ana and I got engaged”, “are engaged”, whether the parser sees a passive or an adjective."""
    return (
        replace(_row(predicate, "get", _PARTNER, _BOTH), also=(adjective,), kept=True),
        replace(_row(predicate, verb, _PARTNER, _BOTH), passive=True, also=(_GOT,), kept=True),
        replace(_state(predicate, "be", _PARTNER, _BOTH), also=(adjective,)),
        replace(_state(predicate, verb, _PARTNER, _BOTH), passive=True, also=(_ARE,)),
    )


def _diet(verb: str) -> tuple[Pattern, ...]:
    """“I only eat fish now” begins, “I no longer eat meat” and “I stopped eating meat” end; who stops avoids it."""
    predicate, stopped = f"{verb}s", (Step(("xcomp",), (verb,)), *_OBJECT)
    return (
        replace(_state(predicate, verb, _CONSUMED, _OBJECT), also=(_NOWADAYS,), whole=True),
        replace(_state(predicate, verb, _CONSUMED, _OBJECT), kind=ClaimKind.ENDS),
        replace(_row("avoids", "stop quit cease", _CONSUMED, stopped), whole=True),
    )


def _homes(predicate: str, target: Target) -> tuple[Pattern, ...]:
    """“I live at 5 Elm Street, Bremen”: of the address, and of the city in it."""
    mine = replace(_state(predicate, "be", target, _FOUND_OF_FORM), speaker=_MY_ADDRESS, modifiers=_AT_HOME)
    rows = (
        _state(predicate, "live reside", target, _prep("at", "in", "on")),
        replace(_row(predicate, "move relocate", target, _prep("to", "into")), alone=True),
        mine,
    )
    return tuple(replace(row, literal=target is _ADDRESS) for row in rows)


PATTERNS: tuple[Pattern, ...] = (
    *_homes("lives_at", _ADDRESS),
    *_homes("lives_in", _CITY),
    replace(_end("lives_at", "move", _ADDRESS, (Step(("prep",), ("out",)), *_prep("of"))), literal=True),
    _state("lives_in", "live reside", _PLACE, _prep("in")),
    replace(
        _row("lives_in", "move relocate", _DESTINATION, _prep("to"), (Step(("advmod",), ("back",)), *_prep("to"))),
        people=False,
        alone=True,
    ),
    _end("lives_in", "move", _PLACE, (Step(("prep",), ("out",)), *_prep("of"))),
    _end("lives_in", "move", _PLACE, (Step(("advmod",), ("away", "out")), *_prep("from", "of"))),
    replace(_end("lives_in", "leave", _FORMER_HOME, _OBJECT), people=False),
    _state("works_at", "work", _FIRM, _prep("at"), (*_prep("as"), *_prep("at"))),
    _state("works_at", "work", _CLIENT, _prep("for")),
    _row("works_at", "start", _CLIENT, _prep("at"), (_WORKING, *_prep("at", "for")), (_JOB, *_prep("at", "with"))),
    replace(_row("works_at", "start", _CLIENT, _prep("at")), also=(_JOB,)),
    _row("works_at", "get land accept take", _CLIENT, (_JOB, *_prep("at", "with"))),
    replace(_row("works_at", "join", _TEAM, _OBJECT), people=False),
    _end("works_at", "quit", _CLIENT, _OBJECT),
    replace(_end("works_at", "leave", _FORMER_FIRM, _OBJECT), people=False, for_good=True),
    _end("works_at", "quit leave lose", _FIRM, (_JOB, *_prep("at", "with"))),
    replace(_end("works_at", "quit leave lose", _FIRM, _prep("at")), also=(_JOB,)),
    _end("works_at", "resign", _FIRM, _prep("from")),
    replace(_end("works_at", "fire lay dismiss", _FIRM, _prep("from")), passive=True),
    _state("works_as", "work", _OCCUPATION, _prep("as"), (*_prep("at", "for"), *_prep("as"))),
    _state("married_to", "be", _SPOUSE, (_MARRIED, *_prep("to"))),
    replace(_state("married_to", "marry", _SPOUSE, _prep("to")), passive=True),
    _row("married_to", "marry", _SPOUSE, _OBJECT),
    _row("married_to", "get", _SPOUSE, (_MARRIED, *_prep("to"))),
    replace(_row("married_to", "marry", _SPOUSE, _prep("to")), passive=True, also=(_GOT,)),
    *_couple("married_to", "marry", _MARRIED),
    _end("married_to", "divorce", _SPOUSE, _OBJECT, _BOTH),
    replace(_end("married_to", "divorce", _SPOUSE, _prep("from"), _BOTH), passive=True, also=(_GOT,)),
    _state("likes", "like love enjoy adore", _TASTE, _OBJECT, (Step(("xcomp",)),)),
    _state("dislikes", "dislike hate detest", _TASTE, _OBJECT, (Step(("xcomp",)),)),
    _row("bought", "buy purchase", _GOODS, _OBJECT),
    _state("owns", "own", _GOODS, _OBJECT),
    _state("owns", "have", _KEPT, _OBJECT),
    _row("owns", "adopt get", _KEPT, _OBJECT),
    _row("joined", "join", _COMPANY, _OBJECT),
    replace(_row("joined", "sign", _COURSE, _prep("for")), also=(Step(("prt", "advmod"), ("up",)),)),
    _state("volunteers_at", "volunteer", _SOMEWHERE, _prep("at")),
    _state("comes_from", "be come", _SIGHT, _prep("from")),
    _state("allergic_to", "be", _SUBJECT, (Step(("acomp",), ("allergic",)), *_prep("to"))),
    _state("likes", "be", _TASTE, (Step(("attr",), ("fan",)), *_prep("of"))),
    _state("plays", "play", _PLAYED, _OBJECT),
    _state("speaks", "speak", _TONGUE, _OBJECT),
    _row("went_to", "go", _SOMEWHERE, _prep("to")),
    _row("visited", "visit", _SOMEWHERE, _OBJECT),
    _state("studies", "study", _SCHOOL, _prep("at")),
    _state("studies", "study", _SUBJECT, _OBJECT),
    replace(_row("visited", "visit", _SIGHT, _OBJECT), people=False),
    _row("visited", "go travel fly", _SIGHT, _prep("to"), (Step(("advmod",), ("back",)), *_prep("to"))),
    _row("visited", "be", _SIGHT, _prep("to")),
    _state("knows", "know", _PERSON, _OBJECT),
    _row("knows", "meet", _PERSON, _OBJECT),
    replace(
        _state("named", "be", _SPOUSE, (Step(("attr",)),)),
        speaker=(Step(("nsubj",), ("name",)), Step(("poss",), ("my",))),
        literal=True,
    ),
    replace(_state("named", "name call", _PERSON, (Step(("oprd",)),)), passive=True, literal=True),
    replace(
        _row("named", "call", _SPOUSE, (Step(("oprd",)),)),
        aspect=Aspect.REQUEST,
        speaker=(Step(("dobj",), ("i", "me")),),
        literal=True,
    ),
    # people and their lives
    replace(_state("named", "be", _PERSON, (Step(("attr",)),)), speaker=(Step(("nsubj",), ("i",)),), literal=True),
    replace(
        _state("named", "call", _SPOUSE, (Step(("oprd",)),)), speaker=(Step(("dobj",), ("i", "me")),), literal=True
    ),
    replace(_state("named", "go", _PERSON, _prep("by")), literal=True),
    _passive("born_in", "bear", _SIGHT, _prep("in", "at")),
    replace(_passive("born_on", "bear", _WHEN, _prep("on", "in"), (Step(("npadvmod",)),)), literal=True),
    _fact("died_in", "die", _SIGHT, _prep("in", "at")),
    replace(_fact("died_on", "die", _WHEN, _prep("on", "in")), literal=True),
    replace(
        _state("nationality", "be", _NATION, (Step(("acomp", "attr")),), (Step(("attr",)), Step(("amod",)))),
        aspect=Aspect.TRAIT,
        literal=True,
        person=True,
    ),
    replace(_fact("grew_up_in", "grow", _SIGHT, _prep("in")), also=(Step(("prt", "advmod"), ("up",)),)),
    replace(
        _state("age", "be", _YEARS, (Step(("acomp",), ("old",)), Step(("npadvmod",), ("year",)), Step(("nummod",)))),
        literal=True,
    ),
    replace(_state("age", "be", _AGE, (Step(("attr", "acomp")),)), speaker=_I, literal=True),
    replace(
        _state("birthday", "be", _WHEN, (Step(("attr",)),)),
        speaker=(Step(("nsubj",), ("birthday",)), Step(("poss",), ("my",))),
        literal=True,
    ),
    _state("is_a", "be", _KIND, (Step(("attr", "acomp")),)),
    _state("fears", "be", _SUBJECT, (Step(("acomp",), ("afraid", "scared", "terrified")), *_prep("of"))),
    replace(_state("avoids", "eat drink smoke", _TASTE, _OBJECT), refused=True, whole=True),
    *(each for verb in ("eat", "drink") for each in _diet(verb)),
    replace(_row("avoids", "stop quit cease", _FOREGONE, (Step(("xcomp", "dobj")),)), literal=True, whole=True),
    replace(_row("avoids", "give", _FOREGONE, (Step(("xcomp", "dobj")),)), literal=True, whole=True, also=(_UP,)),
    replace(_row("avoids", "give", _CONSUMED, _OBJECT), whole=True, also=(_UP,)),
    replace(_state("goal", "be", _DEED, (Step(("xcomp",)),)), speaker=_MY_GOAL, literal=True),
    replace(_state("promised", "promise", _DEED, (Step(("xcomp",)),)), literal=True),
    replace(_row("promised", "promise", _DEED, (Step(("xcomp",)),)), literal=True),
    replace(_state("goal", "plan aim intend", _DEED, (Step(("xcomp",)),)), literal=True),
    _state("trains_for", "train", replace(_SOMEWHERE, nouns=EXAMS), _prep("for")),
    _state("saves_for", "save", _SOMEWHERE, _prep("for")),
    replace(_state("promised", "vow pledge", _DEED, (Step(("xcomp",)),)), literal=True),
    replace(_row("promised", "vow pledge agree", _DEED, (Step(("xcomp",)),)), literal=True),
    replace(_state("avoids", " ".join(FOREGONE), _FOREGONE, ()), refused=True, literal=True),
    _state("intolerant_to", "be", _SUBJECT, (Step(("acomp",), ("intolerant",)), *_prep("to"))),
    _state("intolerant_to", "be", _SUBSTANCE, (_INTOLERANT, Step(("amod", "npadvmod", "compound")))),
    replace(_state("avoids", "eat", _SUBSTANCE, (Step(("xcomp",)),)), refused=True),
    _state("has_condition", "have", _AILMENT, _OBJECT),
    replace(_state("has_condition", "be", _DISABILITY, (Step(("acomp", "attr")),)), speaker=_I, literal=True),
    replace(_state("has_budget", "be", _MONEY, (Step(("attr",)),)), speaker=_MY_BUDGET, literal=True),
    replace(_state("has_trait", "be", _TRAIT, (Step(("acomp",)),)), speaker=_I, literal=True),
    replace(_state("has_trait", "be", _CHARACTER, (Step(("attr",)),)), speaker=_I, literal=True),
    replace(_state("has_hobby", "be", _TASTE, (Step(("attr",)),)), speaker=_MY_HOBBY),
    _state("practices", "do practice practise", _PRACTISED, _OBJECT),
    _state("collects", "collect", _COLLECTED, _OBJECT),
    _row("completed", "pass finish complete", _EXAM, _OBJECT),
    replace(_row("milestone", "retire", _PASSED, ()), literal=True, speaker=_I),
    replace(_row("milestone", "promote", _PASSED, ()), literal=True, passive=True),
    _state("prefers", "prefer", _TASTE, _OBJECT, (Step(("xcomp",)),)),
    _state("lives_with", "live", _PERSON, _prep("with")),
    replace(_row("lives_with", "move", _PERSON, _prep("with")), also=(Step(("prt", "advmod"), ("in",)),)),
    _state("partner_of", "date", _PERSON, _OBJECT),
    replace(_state("partner_of", "go", _PERSON, _prep("with")), also=(Step(("prt", "advmod"), ("out",)),)),
    replace(_end("partner_of", "break split", _PARTNER, _prep("with")), also=(Step(("prt", "advmod"), ("up",)),)),
    _state("engaged_to", "be", _PARTNER, (_ENGAGED, *_prep("to"))),
    replace(_row("engaged_to", "engage", _PARTNER, _prep("to")), passive=True, also=(_GOT,)),
    *_couple("engaged_to", "engage", _ENGAGED),
    replace(_state("engaged_to", "engage", _PARTNER, _prep("to")), passive=True, also=(_ARE,)),
    _row("engaged_to", "get", _PARTNER, (_ENGAGED, *_prep("to"))),
    _state("friend_of", "be", _PARTNER, _role("friend", *_prep("with"))),
    _fact("studied_at", "graduate", _SCHOOL, _prep("from")),
    _fact("studied_at", "study", _SCHOOL, _prep("at"), (*_OBJECT, *_prep("at"))),
    _fact("studied_at", "attend", _PARTY, _OBJECT),
    _passive("studied_at", "educate", _SCHOOL, _prep("at")),
    _state("studies", "learn", _LEARNED, _OBJECT),
    _row("read", "read", replace(_TITLED, labels=frozenset({"WORK_OF_ART", "PERSON", ""})), _OBJECT),
    _row("watched", "watch", _TITLED, _OBJECT),
    # work
    _state("works_as", "be", _TITLE, (Step(("attr",)),)),
    _state("works_at", "be", _CLIENT, (Step(("attr",), tuple(sorted(OCCUPATIONS | POSITIONS))), *_prep("at"))),
    _state("works_at", "teach", _FIRM, _prep("at")),
    _state("works_with", "work", _PERSON, _prep("with")),
    _state("works_on", "work", _UNDERTAKING, _prep("on")),
    _state("reports_to", "report", _PARTNER, _prep("to")),
    _state("leads", "lead manage run head", _LED, _OBJECT),
    _state("teaches", "teach", _LEARNED, _OBJECT),
    _state("uses", "use", _TOOL, _OBJECT),
    _state("member_of", "be", _PARTY, _role("member", *_prep("of"))),
    _state("member_of", "belong", _PARTY, _prep("to")),
    _state("plays_for", "play", _TEAM, _prep("for")),
    _fact("won", "win", _PRIZE, _OBJECT),
    _fact("founded", "found cofound", _FOUNDED, _OBJECT),
    _made("founded", "found cofound establish", _FOUNDED),
    _fact("wrote", "write", Target(type="product", labels=frozenset({"WORK_OF_ART"})), _OBJECT),
    _made("wrote", "write", _MADE),
    _made("directed", "direct", _MADE),
    _made("created", "create compose design develop produce invent", _MADE),
    replace(
        _state("created", "be", _MAKER, _role(" ".join(sorted(WORKS)), *_prep("by"))),
        subject=_MADE,
        swapped=True,
    ),
    # shopping and support
    _row("ordered", "order", _GOODS, _OBJECT),
    _row("returned", "return", _GOODS, _OBJECT),
    _row("sold", "sell", _GOODS, _OBJECT),
    _row("received", "receive get", replace(_COMPANY, type="concept", nouns=RECEIVED), _OBJECT),
    _row("cancelled", "cancel", replace(_GOODS, type="concept", labels=frozenset(), nouns=CANCELLED), _OBJECT),
    _row("cancelled", "cancel", _OF_FORM["order"], _OBJECT, (Step(("xcomp",)),)),
    _row("returned", "return", _OF_FORM["order"], _OBJECT),
    _row("received", "receive get", _OF_FORM["order"], _OBJECT),
    _row("ordered", "place", _OF_FORM["order"], _OBJECT),
    _row("reported", "report open file raise submit", _OF_FORM["issue"], _OBJECT),
    _row("subscribed_to", "subscribe", replace(_GOODS, articled=True), _prep("to")),
    _phrase("has_email", "email", "email mail e-mail address"),
    _phrase("has_phone", "phone", "phone number mobile cell telephone"),
    _phrase("ordered", "order", "order number booking reservation"),
    _phrase("reported", "issue", "ticket number case issue"),
    # places
    replace(
        _state("located_in", "locate situate base headquarter", _SIGHT, _prep("in")), passive=True, subject=_LOCATED
    ),
    replace(_state("located_in", "be", _SIGHT, _role(" ".join(sorted(SITES)), *_prep("in"))), subject=_SITE),
    replace(_state("capital_of", "be", _SIGHT, _role("capital", *_prep("of"))), subject=_SITE),
    replace(_state("part_of", "be", _SIGHT, _role("part", *_prep("of"))), subject=_LOCATED),
)


def _entries(pattern: Pattern, path: Path) -> Rule:
    """The verb, then the path, what must hang there also, and the way to the speaker, each under its own name."""
    verb: dict[str, object] = {"LEMMA": {"IN": list(pattern.verbs)}, "POS": {"IN": ["VERB", "AUX"]}}
    entries: list[Mapping[str, object]] = [{"RIGHT_ID": "verb", "RIGHT_ATTRS": verb}]
    for branch, steps in enumerate((path, *((step,) for step in pattern.also), pattern.speaker)):
        above = "verb"
        for depth, step in enumerate(steps):
            attributes: dict[str, object] = {"DEP": {"IN": list(step.deps)}}
            if step.lemmas:
                attributes["LEMMA"] = {"IN": [*step.lemmas, *(lemma.upper() for lemma in step.lemmas if lemma == "i")]}
            name = f"{branch}.{depth}"
            entries.append({"LEFT_ID": above, "REL_OP": ">", "RIGHT_ID": name, "RIGHT_ATTRS": attributes})
            above = name
    return entries


def _stopped(state: Pattern) -> Pattern:
    """“I stopped …ing”, of a row for a state; one may stop what another row says that one has or is."""
    doing = Step(("xcomp",), state.verbs)
    paths = tuple((doing, *path) for path in state.paths if path)
    return replace(_end(state.predicate, "stop quit cease", state.target, *paths), whole=True, literal=state.literal)


_DONE = tuple(
    pattern
    for pattern in PATTERNS
    if pattern.aspect is Aspect.STATE and pattern.predicate in ENDABLE and not {"be", "have"} & {*pattern.verbs}
    if not (pattern.speaker or pattern.also or pattern.passive or pattern.refused or pattern.subject)
)
"""The states that somebody does, and can stop doing."""

ROWS: tuple[tuple[Pattern, Path], ...] = tuple(
    (pattern, path) for pattern in (*PATTERNS, *map(_stopped, _DONE)) for path in pattern.paths
)
RULES: tuple[Rule, ...] = tuple(_entries(pattern, path) for pattern, path in ROWS)
