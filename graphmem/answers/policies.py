"""What holds in a group for all of its users: policies of predicates, unique sources, and the ontology."""

from datetime import datetime
from typing import Literal

from graphmem.answers.answer import Answer, Warned
from graphmem.model.projection.existence import Bounding
from graphmem.model.projection.predicate import Cardinality, PolicySource, WinningRule
from graphmem.model.work import WorkProgress
from graphmem.ontology import WrittenEntityType, WrittenRelationType


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


class SourceOut(Answer):
    name: str
    unique: bool


class SourceList(Warned):
    """The sources of which something is known, in order of name."""

    sources: list[SourceOut]


class OntologyShown(Answer):
    """Every type as a table; the call that sets an ontology takes it as it is."""

    entity_types: dict[str, WrittenEntityType]
    relation_types: dict[str, WrittenRelationType]
    open_types: bool
    instructions: str
    open_predicates: dict[str, list[str]]


class OntologyOut(Warned):
    """The ontology in force, and whose it is. The service's changes with its settings."""

    source: Literal["group", "service"]
    changed_at: datetime | None
    ontology: OntologyShown
