"""Policies of predicates as given and as shown, and how far their slots have followed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, Self

from pydantic import Field, model_validator

from graphmem.api.schemas.words import Answer, Request
from graphmem.errors import as_value_errors
from graphmem.model.projection.existence import Bounding, bound_of
from graphmem.model.projection.predicate import Cardinality, Policy, Rule, SetPredicate, policy_of
from graphmem.model.work import SERVICE, Progress, Work

Source = Literal["group", "service", "default"]


class PolicyIn(Request):
    """Whether a predicate holds one value at a time, or many.

    Of one, the ``latest`` start is believed (so by default), or at each instant the most ``confident`` claim. With a
    ``bound``, the existence of the subject ``begins`` or ``ends`` with what is believed, or (``none``) neither; without
    one, graphmem's own list says it (born, founded, opened … died, dissolved, closed).
    """

    cardinality: Cardinality = Field(strict=False)
    rule: Rule | None = Field(default=None, strict=False)
    bound: Bounding | None = Field(default=None, strict=False)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        with as_value_errors():
            self.to_domain()
        return self

    def to_domain(self) -> Policy:
        return policy_of(self.cardinality, self.rule, self.bound)


class ReprojectionOut(Answer):
    """The slots of a predicate are projected again, since its policy changed: for the group, or by the service for all.

    What the service does is not counted here, for it is about other groups too.
    """

    scope: Literal["group", "service"]
    status: Progress
    subjects_total: int | None
    subjects_done: int | None
    rows_changed: int | None
    attempts: int
    error: str | None
    requested_at: datetime
    finished_at: datetime | None


class PredicateOut(Answer):
    """The policy in force, and whose it is: the group's own, the service's, or the default of those nobody set.

    ``bound`` says so also where graphmem's own list decides it.
    """

    name: str
    cardinality: Cardinality
    rule: Rule | None
    bound: Bounding
    source: Source
    changed_at: datetime | None


class PredicateWithWork(PredicateOut):
    """``reprojection`` is the last one that was asked for; null if the policy never changed."""

    reprojection: ReprojectionOut | None


class PredicatePage(Answer):
    """Policies in order of name. Predicates that are not listed hold many."""

    predicates: list[PredicateOut]
    next_cursor: str | None


def predicate_out(predicate: SetPredicate) -> PredicateOut:
    one = predicate.policy.cardinality is Cardinality.ONE
    return PredicateOut(
        name=predicate.name,
        cardinality=predicate.policy.cardinality,
        rule=predicate.policy.rule if one else None,
        bound=Bounding(bound_of(predicate.name, predicate.policy.bound, of_object=False) or Bounding.NONE),
        source=_source(predicate),
        changed_at=predicate.changed_at,
    )


def predicate_with_work(predicate: SetPredicate, reprojection: Work | None) -> PredicateWithWork:
    shown = _reprojection_out(reprojection) if reprojection else None
    return PredicateWithWork(**predicate_out(predicate).model_dump(), reprojection=shown)


def _source(predicate: SetPredicate) -> Source:
    if predicate.changed_at is None:
        return "default"
    return "service" if predicate.group_id == SERVICE else "group"


def _reprojection_out(reprojection: Work) -> ReprojectionOut:
    own = reprojection.group_id != SERVICE
    return ReprojectionOut(
        scope="group" if own else "service",
        status=reprojection.status,
        subjects_total=_count(reprojection.progress, "subjects") if own else None,
        subjects_done=(_count(reprojection.progress, "done") or 0) if own else None,
        rows_changed=(_count(reprojection.result, "rows_changed") or 0) if own else None,
        attempts=reprojection.attempts,
        error=reprojection.error,
        requested_at=reprojection.requested_at,
        finished_at=reprojection.finished_at,
    )


def _count(of: Mapping[str, object], name: str) -> int | None:
    value = of.get(name)
    return value if isinstance(value, int) else None
