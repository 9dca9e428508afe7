"""The table of patterns: which verb, with what hanging from it, claims which predicate.

A pattern is data: ``RULES`` is the table as spaCy DependencyMatcher rules. Whether a match is asserted at all (tense,
negation, questions …) is the same question for every row, and is asked in ``clauses``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from graphmem.extract.syntax import Rule
from graphmem.extract.words import COURSES, INSTRUMENTS_AND_GAMES, KEPT
from graphmem.model.claim import Kind


class Aspect(StrEnum):
    """A ``state`` is claimed while it lasts, an ``event`` once it has happened, a ``request`` is an imperative."""

    STATE = "state"
    EVENT = "event"
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
    ``common``: common nouns too, or only those of ``nouns``; ``bare``: without article or possessive; ``articled``:
    with an article (“to the park”, not “to bed”).
    """

    type: str
    labels: frozenset[str] | None = None
    dated: frozenset[str] = frozenset()
    common: bool = False
    nouns: frozenset[str] = frozenset()
    bare: bool = False
    articled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """``paths`` lead from the verb to the object, ``also`` must hang from the verb besides.

    ``speaker`` leads to the first person where it is not the grammatical subject. ``people``: only people do this,
    so that a subject which spaCy takes for a company is a person all the same. ``literal``: the object is a value.
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


def _prep(*words: str) -> Path:
    return (Step(("prep",), words), Step(("pobj",)))


def _row(predicate: str, verbs: str, target: Target, *paths: Path) -> Pattern:
    return Pattern(predicate=predicate, verbs=tuple(verbs.split()), paths=paths, target=target)


def _state(predicate: str, verbs: str, target: Target, *paths: Path) -> Pattern:
    return replace(_row(predicate, verbs, target, *paths), aspect=Aspect.STATE)


def _end(predicate: str, verbs: str, target: Target, *paths: Path) -> Pattern:
    return replace(_row(predicate, verbs, target, *paths), kind=Kind.ENDS)


_OBJECT: Path = (Step(("dobj",)),)
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
)

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
}
"""How a predicate is said of the present and of the past; after the object's type where that makes a difference."""

ENDED: Mapping[str, str] = {
    "lives_in": "no longer lives in {}",
    "works_at": "no longer works at {}",
    "married_to": "is no longer married to {}",
}
"""How an end is said. Only these predicates end by “no longer” and “not … any more”."""


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
