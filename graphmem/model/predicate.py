"""How many values a predicate holds at a time, and which of them is believed."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from graphmem.model.belief import Slot
from graphmem.model.claim import Claim


class Cardinality(StrEnum):
    ONE = "one"
    MANY = "many"


class Rule(StrEnum):
    """For single-valued slots: the ``latest`` start wins, or the most ``confident`` claim at each instant."""

    LATEST = "latest"
    CONFIDENT = "confident"


@dataclass(frozen=True, slots=True)
class Policy:
    cardinality: Cardinality
    rule: Rule = Rule.LATEST


MANY = Policy(Cardinality.MANY)
ONE = Policy(Cardinality.ONE)

BUILT_IN: Mapping[str, Policy] = {
    "lives_in": ONE,
    "lives_at": ONE,
    "located_in": ONE,
    "status": ONE,
    "marital_status": ONE,
    "named": ONE,
    "age": ONE,
    "birthday": ONE,
    "works_at": MANY,
    "works_as": MANY,
    "married_to": MANY,
    "knows": MANY,
    "likes": MANY,
    "dislikes": MANY,
    "owns": MANY,
    "bought": MANY,
    "ordered": MANY,
    "studies": MANY,
    "visited": MANY,
}


@dataclass(frozen=True, slots=True)
class Predicates:
    """The policies in force. An unknown predicate holds many: a new role must never retire an old one."""

    policies: Mapping[str, Policy]

    def policy(self, predicate: str) -> Policy:
        return self.policies.get(predicate, MANY)

    def slot(self, claim: Claim) -> Slot:
        many = self.policy(claim.predicate).cardinality is Cardinality.MANY
        return Slot(
            owner=claim.owner,
            subject_id=claim.subject_id,
            predicate=claim.predicate,
            target=claim.target if many else None,
        )


BUILT_IN_PREDICATES = Predicates(BUILT_IN)
