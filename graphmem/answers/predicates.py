"""Policies of predicates as shown, and how far their slots have followed."""

from datetime import datetime
from typing import Literal

from graphmem.answers.answer import Answer, Warned
from graphmem.model.projection.existence import Bounding
from graphmem.model.projection.predicate import Cardinality, PolicySource, WinningRule
from graphmem.model.work import WorkProgress


class ReprojectionOut(Answer):
    """The slots of a predicate are projected again, since its policy changed: for the group, or by the service for all.

    What the service does is not counted here, for it is about other groups too.
    """

    scope: Literal["group", "service"]
    status: WorkProgress
    subjects_total: int | None
    subjects_done: int | None
    rows_changed: int | None
    attempts: int
    error: str | None
    requested_at: datetime
    finished_at: datetime | None


class PredicateOut(Answer):
    """The policy in force, and whose it is: the group's own, the service's, or the default of those nobody set.

    ``bound`` and ``irreflexive`` say so also where graphmem's own list decides it.
    """

    name: str
    cardinality: Cardinality
    rule: WinningRule | None
    bound: Bounding
    irreflexive: bool
    source: PolicySource
    changed_at: datetime | None


class PredicateWithWork(PredicateOut, Warned):
    """``reprojection`` is the last one that was asked for; null if the policy never changed."""

    reprojection: ReprojectionOut | None


class PredicatePage(Warned):
    """Policies in order of name. Predicates that are not listed hold many."""

    predicates: list[PredicateOut]
    next_cursor: str | None
