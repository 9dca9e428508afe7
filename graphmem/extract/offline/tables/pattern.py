"""What a pattern is: which verb, with what hanging from it, claims which predicate; as data."""

from dataclasses import dataclass
from enum import StrEnum

from graphmem.model.claim import ClaimKind


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
    the verb says it better than spaCy knows). ``dated``: labels that count only with a month, a year or “for good”,
    ``undated``: only without.
    ``typed``: where spaCy knows a type, that is its type. ``common``: common nouns too, or only those of ``nouns``;
    ``bare``: without article or possessive; ``articled``: with an article (“to the park”, not “to bed”). ``formed``:
    what has the form of the type (an e-mail, a number of an order, a date, a number of years) and nothing else.
    """

    type: str
    labels: frozenset[str] | None = None
    dated: frozenset[str] = frozenset()
    undated: frozenset[str] = frozenset()
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
    ``whole``: only where nothing else in the clause narrows it (“I stopped eating meat at night”).
    ``kept``: what began at a time that nobody understands still holds (“got married in spring”).
    ``alone``: of whoever does it, not of what they do it to (“I moved my savings to Oslo”).
    ``for_good``: not for a part of a day (“I left Initech at five”).
    ``modifiers``: what may stand before the noun that is the speaker's (“my home address”); None: anything.
    """

    predicate: str
    verbs: tuple[str, ...]
    paths: tuple[Path, ...]
    target: Target
    kind: ClaimKind = ClaimKind.STARTS
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
    kept: bool = False
    whole: bool = False
    modifiers: frozenset[str] | None = None
    alone: bool = False
    for_good: bool = False
