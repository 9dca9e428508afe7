"""How many values a predicate holds at a time, which of them is believed, of what, and what they say of existence."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Literal

from graphmem.errors import InvalidInput
from graphmem.model.claim import Category, Claim
from graphmem.model.projection.existence import Bounding, bound_of
from graphmem.model.projection.slot import PlacedClaim, Slot, slot_of_value

LONGEST_PREDICATE = 512
"""Index keys of Neo4j end near 8 kB."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Cardinality(StrEnum):
    """How many values hold at a time. Several may of what is ``successive``, but one usually follows the other."""

    ONE = "one"
    MANY = "many"
    SUCCESSIVE = "successive"


class WinningRule(StrEnum):
    """For single-valued slots: the ``latest`` start wins, or the most ``confident`` claim at each instant."""

    LATEST = "latest"
    CONFIDENT = "confident"


@dataclass(frozen=True, slots=True)
class Policy:
    """``bound``: what its beliefs say of the existence of their subject; None is what the packaged list says.

    ``irreflexive``: nothing stands in this relation to itself; None is what the packaged list says.
    """

    cardinality: Cardinality
    rule: WinningRule = WinningRule.LATEST
    bound: Bounding | None = None
    irreflexive: bool | None = None

    @property
    def competition(self) -> "Policy":
        """The part of it that says which values are believed. Where several may hold, there is no rule."""
        return Policy(self.cardinality, self.rule) if self.cardinality is Cardinality.ONE else Policy(self.cardinality)


MANY = Policy(Cardinality.MANY)
SUCCESSIVE = Policy(Cardinality.SUCCESSIVE)
ONE = Policy(Cardinality.ONE)
CONFIDENT = Policy(Cardinality.ONE, WinningRule.CONFIDENT)

_CATEGORIES = frozenset(Category)
_OF_ONE_VALUE = (Category.IDENTITY, Category.PREFERENCE, Category.OCCUPATION)
"""Categories of which a free key has one value at a time: who one is, what one prefers, what one does for a living."""


def free_key(category: Category, key: str) -> str:
    """The predicate of facts by a key that nobody defined, such as `preference.favourite_colour`."""
    return f"{category}.{key}"


def key_of(predicate: str) -> str:
    """The key of a fact by a key that nobody defined; "" of any other predicate."""
    category, _, key = predicate.partition(".")
    return key if category in _CATEGORIES else ""


def default_policy(predicate: str) -> Policy:
    """The policy of a predicate that nobody set one for: many hold, but for free keys of some categories."""
    category = predicate.partition(".")[0]
    return CONFIDENT if key_of(predicate) and category in _OF_ONE_VALUE else MANY


BUILT_IN: Mapping[str, Policy] = {
    # What somebody or something has one of at a time: a new one retires the one before.
    "lives_at": ONE,
    "current_address": ONE,
    "address": ONE,
    "located_at": ONE,
    "price": ONE,
    "quantity": ONE,
    "due": ONE,
    "status": ONE,
    "marital_status": ONE,
    "relationship_status": ONE,
    "named": ONE,
    "display_name": ONE,
    "age": ONE,
    "birthday": ONE,
    "born_on": ONE,
    "born_in": ONE,
    "died_on": ONE,
    "died_in": ONE,
    # What usually gives way to the next of its kind, though there may be a second one beside it.
    "lives_in": SUCCESSIVE,
    "works_at": SUCCESSIVE,
    "works_as": SUCCESSIVE,
    "boss": SUCCESSIVE,
    "reports_to": SUCCESSIVE,
    "partner": SUCCESSIVE,
    "partner_of": SUCCESSIVE,
    "married_to": SUCCESSIVE,
    "engaged_to": SUCCESSIVE,
    "drives": SUCCESSIVE,
    "phone": SUCCESSIVE,
    "has_phone": SUCCESSIVE,
    "email": SUCCESSIVE,
    "has_email": SUCCESSIVE,
    "studies_at": SUCCESSIVE,
    # What there may be several of: each ends when the text says so.
    "located_in": MANY,  # the tower is in the city, and in the country
    "knows": MANY,
    "likes": MANY,
    "dislikes": MANY,
    "owns": MANY,
    "bought": MANY,
    "ordered": MANY,
    "studies": MANY,
    "visited": MANY,
    "remembered": MANY,
}


_IRREFLEXIVE = """married_to engaged_to partner partner_of spouse spouse_of husband_of wife_of
    parent_of child_of father_of mother_of son_of daughter_of grandparent_of grandchild_of
    sibling child parent friend
    sibling_of brother_of sister_of cousin_of uncle_of aunt_of nephew_of niece_of relative_of
    friend_of neighbor_of neighbour_of lives_with works_with colleague_of
    boss boss_of manager_of reports_to successor_of predecessor_of"""
IRREFLEXIVE = frozenset(_IRREFLEXIVE.split())
"""The packaged list: predicates in which nothing stands to itself. In others it may: a country's country is itself."""


def is_irreflexive(predicate: str, declared: bool | None = None) -> bool:  # noqa: FBT001 - as the policy has it
    """Whether nothing stands in this relation to itself, as a policy has ``declared``, else the packaged list."""
    return predicate in IRREFLEXIVE if declared is None else declared


@dataclass(frozen=True, slots=True)
class Predicates:
    """The policies in force; of others ``default_policy``: a new role must never retire an old one."""

    policies: Mapping[str, Policy]

    def policy(self, predicate: str) -> Policy:
        return self.policies.get(predicate) or default_policy(predicate)

    def policy_of(self, slot: Slot) -> Policy:
        """The policy that holds in a slot."""
        policy = self.policy(slot.predicate)
        return replace(policy, cardinality=Cardinality.MANY) if slot.open else policy

    def slot(self, placed: PlacedClaim) -> Slot | None:
        """The slot of a claim; None where it makes no belief.

        That is an end of nothing in particular where many hold, which ends none of them, and what is said of two that
        turn out to be the same: not what names one as its subject and its object.
        """
        claim = placed.claim
        if placed.object_id == placed.subject_id and not claim.is_reflexive:
            return None
        slot = replace(slot_of_value(claim), subject_id=placed.subject_id, target=placed.target)
        return None if self.holds_many(slot) and not placed.target else self.whole(slot)

    def allows(self, claim: Claim) -> bool:
        """Whether beliefs may follow from a claim: not where it says of one thing what holds between two only."""
        declared = self.policy(claim.predicate).irreflexive
        return not (claim.is_reflexive and is_irreflexive(claim.predicate, declared))

    def refuse_irreflexive(self, claims: Iterable[Claim]) -> None:
        """Raise ``InvalidInput`` at the first claim that is not allowed; acts may take back what once was."""
        for claim in claims:
            if not (claim.kind.is_act or self.allows(claim)):
                raise InvalidInput(
                    f"Nothing is {claim.predicate!r} of itself: give another object, or let the policy of the "
                    "predicate say irreflexive: false."
                )

    def holds_many(self, slot: Slot) -> bool:
        return slot.open or self.policy(slot.predicate).cardinality is Cardinality.MANY

    def whole(self, slot: Slot) -> Slot:
        """A slot of one value, or, where one value holds at a time, that in which it competes with others."""
        return slot if self.holds_many(slot) else replace(slot, target=None)


BUILT_IN_PREDICATES = Predicates(BUILT_IN)


PolicySource = Literal["group", "service", "default"]
"""Who set a policy; nobody, where it is the default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPredicate:
    """A policy in force, and whose it is. One that nobody set was never changed."""

    group_id: str
    name: str
    policy: Policy
    changed_at: datetime | None

    @property
    def cardinality(self) -> Cardinality:
        return self.policy.cardinality

    @property
    def rule(self) -> WinningRule | None:
        """Which value is believed, where one holds at a time."""
        return self.policy.rule if self.cardinality is Cardinality.ONE else None

    @property
    def bound(self) -> Bounding:
        """What it says of the existence of a subject, also where the packaged list decides that."""
        return Bounding(bound_of(self.name, self.policy.bound, of_object=False) or Bounding.NONE)

    @property
    def irreflexive(self) -> bool:
        """Whether nothing stands in this relation to itself, also where the packaged list decides that."""
        return is_irreflexive(self.name, self.policy.irreflexive)

    @property
    def source(self) -> PolicySource:
        if self.changed_at is None:
            return "default"
        return "group" if self.group_id else "service"


def policy_of(
    cardinality: Cardinality,
    rule: WinningRule | None,
    bound: Bounding | None = None,
    *,
    irreflexive: bool | None = None,
) -> Policy:
    """The policy as it is kept.

    Raises:
        InvalidInput: a rule says which value wins, and where several may hold none does.
    """
    if cardinality is not Cardinality.ONE and rule is not None:
        raise InvalidInput(f"A rule is for predicates that hold one value; leave it out for {cardinality}.")
    return Policy(cardinality, rule or WinningRule.LATEST, bound, irreflexive)


def predicate_name(name: str) -> str:
    """The name, if claims can have it.

    Raises:
        InvalidInput: it is blank or padded, has control characters, or is too long.
    """
    if not name.strip() or name != name.strip():
        raise InvalidInput("The name of a predicate is neither blank nor padded with blanks.")
    if _CONTROL.search(name) or len(name) > LONGEST_PREDICATE:
        raise InvalidInput(f"The name of a predicate has up to {LONGEST_PREDICATE} characters, none of them control.")
    return name


def changed(held: Mapping[str, Policy], wanted: Mapping[str, Policy]) -> frozenset[str]:
    """The predicates whose slots look different after ``wanted`` took the place of ``held``."""
    names = held.keys() | wanted.keys()
    before, after = Predicates(held), Predicates(wanted)
    return frozenset(name for name in names if before.policy(name) != after.policy(name))


@dataclass(frozen=True, slots=True)
class PolicyChanges:
    """What makes the policies in force others: those of these ``names`` end, and the ``new`` ones begin."""

    names: frozenset[str]
    new: Mapping[str, Policy]


def policy_changes(held: Mapping[str, Policy], wanted: Mapping[str, Policy]) -> PolicyChanges:
    """What makes the policies that are ``held`` those that are ``wanted``."""
    names = frozenset(name for name in held.keys() | wanted.keys() if held.get(name) != wanted.get(name))
    return PolicyChanges(names, {name: policy for name, policy in wanted.items() if name in names})
