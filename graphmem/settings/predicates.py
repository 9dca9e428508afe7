"""Policies of predicates."""

from typing import Annotated, Self

from pydantic import AfterValidator, model_validator

from graphmem.errors import as_value_errors
from graphmem.model.projection.existence import Bounding
from graphmem.model.projection.predicate import Cardinality, Policy, WinningRule, policy_of, predicate_name
from graphmem.settings.tables import Table


class PredicateSettings(Table):
    """How many values a predicate holds at a time, of one which is believed, of what, and what it tells of existence.

    A table each in the file.
    """

    cardinality: Cardinality
    rule: WinningRule | None = None
    bound: Bounding | None = None
    irreflexive: bool | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        with as_value_errors():
            self.policy()
        return self

    def policy(self) -> Policy:
        return policy_of(self.cardinality, self.rule, self.bound, irreflexive=self.irreflexive)


def _predicate_name(name: str) -> str:
    with as_value_errors():
        return predicate_name(name)


PredicateName = Annotated[str, AfterValidator(_predicate_name)]
