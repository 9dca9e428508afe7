"""The table of patterns: which verb, with what hanging from it, claims which predicate.

A pattern is data: ``RULES`` is the table as spaCy DependencyMatcher rules. Whether a match is asserted at all (tense,
negation, questions …) is the same question for every row, and is asked in ``clauses``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from graphmem.extract.offline.lexicon import (
    AILMENTS,
    CANCELLED,
    CHARACTERS,
    COLLECTED,
    COURSES,
    EXAMS,
    FOREGONE,
    IDENTITIES,
    INSTRUMENTS_AND_GAMES,
    KEPT,
    OCCUPATIONS,
    PRACTISED,
    RECEIVED,
    SITES,
    TEAMS,
    WORKS,
)
from graphmem.extract.offline.syntax import Rule
from graphmem.model.claim import Kind


class Aspect(StrEnum):
    """A ``state`` is claimed while it lasts, an ``event`` once it has happened, a ``request`` is an imperative.

    A ``fact`` has happened too, but is true from then on, so that it is claimed even where nothing says when; a
    ``trait`` is a state that nobody loses, so that the past tense says it as well.
    """

    STATE = "state"
    EVENT = "event"
    FACT = "fact"
    TRAIT = "trait"
    REQUEST = "request"


@dataclass(frozen=True, slots=True)
class Step:
    """One edge down the tree: the dependent's relations, and its lemmas (empty: any)."""

    deps: tuple[str, ...]
    lemmas: tuple[str, ...] = ()


Path = tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What may stand as object.

    ``labels``: what spaCy may take a proper noun for ("" is nothing; None: anything but times and numbers, because
    the verb says it better than spaCy knows). ``dated``: labels that count only with a month, a year or “for good”.
    ``typed``: where spaCy knows a type, that is its type. ``common``: common nouns too, or only those of ``nouns``;
    ``bare``: without article or possessive; ``articled``: with an article (“to the park”, not “to bed”). ``formed``:
    what has the form of the type (an e-mail, a number of an order, a date, a number of years) and nothing else.
    """

    type: str
    labels: frozenset[str] | None = None
    dated: frozenset[str] = frozenset()
    common: bool = False
    nouns: frozenset[str] = frozenset()
    bare: bool = False
    articled: bool = False
    formed: bool = False
    typed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """``paths`` lead from the verb to the object, ``also`` must hang from the verb besides.

    ``speaker`` leads to the first person where it is not the grammatical subject. ``people``: only people do this,
    so that a subject which spaCy takes for a company is a person all the same; ``person``: it must take it for one.
    ``literal``: the object is a value. ``subject``: what stands as subject where it is nobody. ``swapped``: the claim
    is the object's (“founded by Ana”). ``refused``: the claim is that it is denied (“I don't eat meat”).
    """

    predicate: str
    verbs: tuple[str, ...]
    paths: tuple[Path, ...]
    target: Target
    kind: Kind = Kind.STARTS
    aspect: Aspect = Aspect.EVENT
    passive: bool = False
    people: bool = True
    literal: bool = False
    also: Path = ()
    speaker: Path = ()
    subject: Target | None = None
    swapped: bool = False
    person: bool = False
    refused: bool = False


def _prep(*words: str) -> Path:
    return (Step(("prep",), words), Step(("pobj",)))


def _row(predicate: str, verbs: str, target: Target, *paths: Path) -> Pattern:
    return Pattern(predicate=predicate, verbs=tuple(verbs.split()), paths=paths, target=target)


def _state(predicate: str, verbs: str, target: Target, *paths: Path) -> Pattern:
    return replace(_row(predicate, verbs, target, *paths), aspect=Aspect.STATE)


def _end(predicate: str, verbs: str, target: Target, *paths: Path) -> Pattern:
    return replace(_row(predicate, verbs, target, *paths), kind=Kind.ENDS)


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
_MARRIED = Step(("acomp",), ("married", "marry"))
_GOT = Step(("auxpass",), ("get",))
_JOB = Step(("dobj",), ("job", "position", "role", "internship"))
_WORKING = Step(("xcomp",), ("work",))

_PLACES = frozenset({"GPE", "LOC", "FAC"})
_PLACE = Target(type="place")
_DESTINATION = Target(type="place", labels=_PLACES | {"PERSON", "NORP", ""})
_SIGHT = Target(type="place", labels=_PLACES)
_FIRM = Target(type="organization")
_CLIENT = Target(type="organization", labels=frozenset({"ORG", "GPE", "PRODUCT", "FAC", ""}))
_TEAM = Target(type="organization", labels=frozenset({"ORG", "GPE"}))
_FORMER_HOME = Target(type="place", labels=_PLACES, dated=_PLACES)
_FORMER_FIRM = Target(
    type="organization", labels=frozenset({"ORG", "PRODUCT", "PERSON", ""}), dated=frozenset({"PERSON"})
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
_UNDERTAKING = Target(type="project", labels=frozenset({"ORG", "PRODUCT", "WORK_OF_ART", "PERSON", "LAW", ""}))
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
_OF_FORM = {form: Target(type=form, formed=True) for form in ("email", "phone", "order", "issue")}
_FOUND_OF_FORM: Path = (Step(("attr", "acomp", "oprd")),)


def _phrase(predicate: str, form: str, nouns: str) -> Pattern:
    """“my e-mail is …”."""
    mine = (Step(("nsubj",), tuple(nouns.split())), Step(("poss",), ("my", "our")))
    return replace(_state(predicate, "be", _OF_FORM[form], _FOUND_OF_FORM), speaker=mine)


PATTERNS: tuple[Pattern, ...] = (
    _state("lives_in", "live reside", _PLACE, _prep("in")),
    replace(
        _row("lives_in", "move relocate", _DESTINATION, _prep("to"), (Step(("advmod",), ("back",)), *_prep("to"))),
        people=False,
    ),
    _end("lives_in", "move", _PLACE, (Step(("prep",), ("out",)), *_prep("of"))),
    _end("lives_in", "move", _PLACE, (Step(("advmod",), ("away", "out")), *_prep("from", "of"))),
    _end("lives_in", "stop", _PLACE, (Step(("xcomp",), ("live",)), *_prep("in"))),
    replace(_end("lives_in", "leave", _FORMER_HOME, _OBJECT), people=False),
    _state("works_at", "work", _FIRM, _prep("at"), (*_prep("as"), *_prep("at"))),
    _state("works_at", "work", _CLIENT, _prep("for")),
    _row("works_at", "start", _CLIENT, _prep("at"), (_WORKING, *_prep("at", "for")), (_JOB, *_prep("at", "with"))),
    replace(_row("works_at", "start", _CLIENT, _prep("at")), also=(_JOB,)),
    _row("works_at", "get land accept take", _CLIENT, (_JOB, *_prep("at", "with"))),
    replace(_row("works_at", "join", _TEAM, _OBJECT), people=False),
    _end("works_at", "quit", _CLIENT, _OBJECT),
    replace(_end("works_at", "leave", _FORMER_FIRM, _OBJECT), people=False),
    _end("works_at", "quit leave lose", _FIRM, (_JOB, *_prep("at", "with"))),
    replace(_end("works_at", "quit leave lose", _FIRM, _prep("at")), also=(_JOB,)),
    _end("works_at", "resign", _FIRM, _prep("from")),
    _end("works_at", "stop", _FIRM, (_WORKING, *_prep("at", "for"))),
    replace(_end("works_at", "fire lay dismiss", _FIRM, _prep("from")), passive=True),
    _state("works_as", "work", _OCCUPATION, _prep("as"), (*_prep("at", "for"), *_prep("as"))),
    _state("married_to", "be", _SPOUSE, (_MARRIED, *_prep("to"))),
    replace(_state("married_to", "marry", _SPOUSE, _prep("to")), passive=True),
    _row("married_to", "marry", _SPOUSE, _OBJECT),
    _row("married_to", "get", _SPOUSE, (_MARRIED, *_prep("to"))),
    replace(_row("married_to", "get", _SPOUSE, _BOTH), also=(_MARRIED,)),
    replace(_row("married_to", "marry", _SPOUSE, _prep("to"), _BOTH), passive=True, also=(_GOT,)),
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
    replace(_state("avoids", "eat drink smoke", _TASTE, _OBJECT), refused=True),
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
    _state("engaged_to", "be", _PARTNER, (Step(("acomp",), ("engaged", "engage")), *_prep("to"))),
    replace(_state("engaged_to", "engage", _PARTNER, _prep("to")), passive=True),
    _row("engaged_to", "get", _PARTNER, (Step(("acomp",), ("engaged", "engage")), *_prep("to"))),
    _state("friend_of", "be", _PARTNER, _role("friend", *_prep("with"))),
    _fact("studied_at", "graduate", _SCHOOL, _prep("from")),
    _fact("studied_at", "study", _SCHOOL, _prep("at")),
    _fact("studied_at", "attend", _PARTY, _OBJECT),
    _passive("studied_at", "educate", _SCHOOL, _prep("at")),
    _state("studies", "learn", _LEARNED, _OBJECT),
    _row("read", "read", replace(_TITLED, labels=frozenset({"WORK_OF_ART", "PERSON", ""})), _OBJECT),
    _row("watched", "watch", _TITLED, _OBJECT),
    # work
    _state("works_as", "be", _TITLE, (Step(("attr",)),)),
    _state("works_at", "be", _CLIENT, (Step(("attr",), tuple(sorted(OCCUPATIONS))), *_prep("at"))),
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

FAVORITE = "favorite_"
"""Before the noun (“favorite_color”): each thing has a favorite of its own."""

STATEMENTS: Mapping[str, tuple[str, str]] = {
    "lives_in": ("lives in {}", "lived in {}"),
    "works_at": ("works at {}", "worked at {}"),
    "works_as": ("works as {}", "worked as {}"),
    "married_to": ("is married to {}", "was married to {}"),
    "likes": ("likes {}", "liked {}"),
    "dislikes": ("dislikes {}", "disliked {}"),
    "bought": ("bought {}", "bought {}"),
    "owns": ("owns {}", "owned {}"),
    "studies": ("studies {}", "studied {}"),
    "studies organization": ("studies at {}", "studied at {}"),
    "visited": ("visited {}", "visited {}"),
    "knows": ("knows {}", "knew {}"),
    "joined": ("joined {}", "joined {}"),
    "volunteers_at": ("volunteers at {}", "volunteered at {}"),
    "comes_from": ("comes from {}", "came from {}"),
    "allergic_to": ("is allergic to {}", "was allergic to {}"),
    "plays": ("plays {}", "played {}"),
    "speaks": ("speaks {}", "spoke {}"),
    "went_to": ("went to {}", "went to {}"),
    "named": ("is named {}", "was named {}"),
    "born_in": ("was born in {}", "was born in {}"),
    "born_on": ("was born on {}", "was born on {}"),
    "died_in": ("died in {}", "died in {}"),
    "died_on": ("died on {}", "died on {}"),
    "nationality": ("is {}", "was {}"),
    "grew_up_in": ("grew up in {}", "grew up in {}"),
    "birthday": ("has birthday on {}", "had birthday on {}"),
    "age": ("is {} years old", "was {} years old"),
    "is_a": ("is {}", "was {}"),
    "fears": ("is afraid of {}", "was afraid of {}"),
    "intolerant_to": ("is intolerant to {}", "was intolerant to {}"),
    "has_condition": ("has {}", "had {}"),
    "has_condition disability": ("is {}", "was {}"),
    "has_budget": ("has a budget of {}", "had a budget of {}"),
    "has_trait": ("is {}", "was {}"),
    "has_hobby": ("has the hobby {}", "had the hobby {}"),
    "practices": ("practices {}", "practiced {}"),
    "collects": ("collects {}", "collected {}"),
    "completed": ("completed {}", "completed {}"),
    "milestone": ("reached the milestone: {}", "reached the milestone: {}"),
    "trains_for": ("trains for {}", "trained for {}"),
    "saves_for": ("saves for {}", "saved for {}"),
    "habit": ("has the habit: {}", "had the habit: {}"),
    "instruction": ("asks: {}", "asked: {}"),
    "avoids": ("avoids {}", "avoided {}"),
    "goal": ("has the goal {}", "had the goal {}"),
    "promised": ("promised {}", "promised {}"),
    "prefers": ("prefers {}", "preferred {}"),
    "lives_with": ("lives with {}", "lived with {}"),
    "partner_of": ("is together with {}", "was together with {}"),
    "engaged_to": ("is engaged to {}", "was engaged to {}"),
    "friend_of": ("is a friend of {}", "was a friend of {}"),
    "sibling_of": ("is a sibling of {}", "was a sibling of {}"),
    "parent_of": ("is a parent of {}", "was a parent of {}"),
    "relative_of": ("is related to {}", "was related to {}"),
    "neighbor_of": ("is a neighbor of {}", "was a neighbor of {}"),
    "studied_at": ("studied at {}", "studied at {}"),
    "read": ("read {}", "read {}"),
    "watched": ("watched {}", "watched {}"),
    "works_with": ("works with {}", "worked with {}"),
    "works_on": ("works on {}", "worked on {}"),
    "reports_to": ("reports to {}", "reported to {}"),
    "leads": ("leads {}", "led {}"),
    "teaches": ("teaches {}", "taught {}"),
    "uses": ("uses {}", "used {}"),
    "member_of": ("is a member of {}", "was a member of {}"),
    "plays_for": ("plays for {}", "played for {}"),
    "won": ("won {}", "won {}"),
    "founded": ("founded {}", "founded {}"),
    "wrote": ("wrote {}", "wrote {}"),
    "directed": ("directed {}", "directed {}"),
    "created": ("created {}", "created {}"),
    "ordered": ("ordered {}", "ordered {}"),
    "returned": ("returned {}", "returned {}"),
    "sold": ("sold {}", "sold {}"),
    "received": ("received {}", "received {}"),
    "cancelled": ("cancelled {}", "cancelled {}"),
    "subscribed_to": ("subscribed to {}", "was subscribed to {}"),
    "has_email": ("has the e-mail address {}", "had the e-mail address {}"),
    "has_phone": ("has the phone number {}", "had the phone number {}"),
    "reported": ("reported {}", "reported {}"),
    "located_in": ("is in {}", "was in {}"),
    "capital_of": ("is the capital of {}", "was the capital of {}"),
    "part_of": ("is part of {}", "was part of {}"),
}
"""How a predicate is said of the present and of the past; after the object's type where that makes a difference."""

ENDED: Mapping[str, str] = {
    "lives_in": "no longer lives in {}",
    "works_at": "no longer works at {}",
    "married_to": "is no longer married to {}",
    "lives_with": "no longer lives with {}",
    "partner_of": "is no longer together with {}",
    "works_with": "no longer works with {}",
    "works_on": "no longer works on {}",
    "member_of": "is no longer a member of {}",
    "plays_for": "no longer plays for {}",
    "reports_to": "no longer reports to {}",
    "leads": "no longer leads {}",
    "uses": "no longer uses {}",
}
"""How an end is said. Only these predicates end by “no longer” and “not … any more”."""

_FACTS = (
    (
        "identity",
        0.9,
        "named age birthday born_on born_in nationality is_a comes_from lives_in speaks has_email has_phone",
    ),
    ("constraint", 1.0, "allergic_to avoids intolerant_to has_condition"),
    ("constraint", 0.8, "has_budget"),
    ("instruction", 0.9, "instruction"),
    ("preference", 0.6, "likes dislikes prefers fears uses favorite"),
    ("personality", 0.6, "has_trait"),
    ("habit", 0.5, "habit"),
    ("goal", 0.8, "goal trains_for saves_for"),
    ("commitment", 0.8, "promised"),
    ("relationship", 0.8, "married_to engaged_to partner_of sibling_of parent_of relative_of friend_of lives_with"),
    ("relationship", 0.5, "knows works_with neighbor_of"),
    ("occupation", 0.8, "works_at works_as reports_to leads works_on teaches"),
    ("milestone", 0.6, "studied_at founded won wrote directed created grew_up_in completed milestone"),
    ("hobby", 0.5, "plays plays_for volunteers_at member_of joined has_hobby practices collects"),
    ("other", 0.6, "owns ordered returned received cancelled reported subscribed_to"),
)
CATEGORIES: Mapping[str, tuple[str, float]] = {
    predicate: (category, importance) for category, importance, words in _FACTS for predicate in words.split()
}
"""What a claim is among the facts about its speaker, and how much it matters next time."""

PREDICATES = frozenset(key.partition(" ")[0] for key in STATEMENTS)

SYMMETRIC = frozenset(
    {
        "engaged_to", "friend_of", "knows", "lives_with", "married_to", "neighbor_of", "partner_of", "relative_of",
        "sibling_of", "works_with",
    }
)  # fmt: skip
"""Said of both in both directions: the speaker is the subject."""

OF_ADDRESSEE = SYMMETRIC - {"knows"} | frozenset(
    {
        "born_in", "born_on", "comes_from", "founded", "grew_up_in", "is_a", "lives_in", "member_of", "nationality",
        "parent_of", "plays_for", "reports_to", "studied_at", "works_as", "works_at", "works_on",
    }
)  # fmt: skip
"""What “you” is claimed of. Of likes, of what one does or owns, “you” may be anybody; “you know Ana” opens a tale."""


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


ROWS: tuple[tuple[Pattern, Path], ...] = tuple((pattern, path) for pattern in PATTERNS for path in pattern.paths)
RULES: tuple[Rule, ...] = tuple(_entries(pattern, path) for pattern, path in ROWS)
