"""Ontologies as given and as shown."""

from datetime import datetime
from typing import Literal, Self

from pydantic import ConfigDict, model_validator

from graphmem.api.schemas.words import Answer
from graphmem.errors import as_value_errors
from graphmem.model.ontology import GroupOntology, Ontology
from graphmem.ontology import WrittenEntityType, WrittenOntology, WrittenRelationType, written


class OntologyIn(WrittenOntology):
    """The types that are looked for in a group, all of them: what is left out here is not kept from before.

    Without entity types it is the default ones. ``open_types``: others may be used where none of these fits.
    ``open_predicates``: names of open claims, each with the verbs that fold into it, beside the packaged ones.
    """

    model_config = ConfigDict(strict=True)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        with as_value_errors():
            self.to_domain()
        return self


class OntologyShown(Answer):
    """Every type as a table; the call that sets an ontology takes it as it is."""

    entity_types: dict[str, WrittenEntityType]
    relation_types: dict[str, WrittenRelationType]
    open_types: bool
    instructions: str
    open_predicates: dict[str, list[str]]


class OntologyOut(Answer):
    """The ontology in force, and whose it is. The service's changes with its settings."""

    source: Literal["group", "service"]
    changed_at: datetime | None
    ontology: OntologyShown


def ontology_out(own: GroupOntology | None, service: Ontology) -> OntologyOut:
    return OntologyOut(
        source="group" if own else "service",
        changed_at=own.changed_at if own else None,
        ontology=OntologyShown.model_validate(written(own.ontology if own else service)),
    )
