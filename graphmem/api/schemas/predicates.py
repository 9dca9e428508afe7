"""Policies of predicates as given and as shown, and how far their slots have followed."""

from collections.abc import Mapping
from typing import Self

from pydantic import Field, model_validator

from graphmem.answers.predicates import PredicateWithWork, ReprojectionOut
from graphmem.api.schemas.words import Request
from graphmem.errors import as_value_errors
from graphmem.model.projection.existence import Bounding
from graphmem.model.projection.predicate import (
    Cardinality,
    Policy,
    SetPredicate,
    WinningRule,
    policy_of,
)
from graphmem.model.work import SERVICE, Work


class PolicyIn(Request):
    """Whether a predicate holds one value at a time, or many.

    Of one, the ``latest`` start is believed (so by default), or at each instant the most ``confident`` claim. With a
    ``bound``, the existence of the subject ``begins`` or ``ends`` with what is believed, or (``none``) neither; without
    one, graphmem's own list says it (born, founded, opened … died, dissolved, closed).

    Of an ``irreflexive`` predicate nothing is believed whose object is its subject, and claims of that are refused;
    without it, graphmem's own list says it (married_to, parent_of, reports_to …).
    """

    cardinality: Cardinality = Field(strict=False)
    rule: WinningRule | None = Field(default=None, strict=False)
    bound: Bounding | None = Field(default=None, strict=False)
    irreflexive: bool | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        with as_value_errors():
            self.to_domain()
        return self

    def to_domain(self) -> Policy:
        return policy_of(self.cardinality, self.rule, self.bound, irreflexive=self.irreflexive)


def predicate_with_work(predicate: SetPredicate, reprojection: Work | None) -> PredicateWithWork:
    return PredicateWithWork.of(predicate, reprojection=_reprojection_out(reprojection) if reprojection else None)


def _reprojection_out(reprojection: Work) -> ReprojectionOut:
    own = reprojection.group_id != SERVICE
    return ReprojectionOut.of(
        reprojection,
        scope="group" if own else "service",
        subjects_total=_count(reprojection.progress, "subjects") if own else None,
        subjects_done=(_count(reprojection.progress, "done") or 0) if own else None,
        rows_changed=(_count(reprojection.result, "rows_changed") or 0) if own else None,
    )


def _count(of: Mapping[str, object], name: str) -> int | None:
    value = of.get(name)
    return value if isinstance(value, int) else None
