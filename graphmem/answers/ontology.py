"""Ontologies as shown."""

from datetime import datetime
from typing import Literal

from graphmem.answers.answer import Answer, Warned
from graphmem.ontology import WrittenEntityType, WrittenRelationType


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
