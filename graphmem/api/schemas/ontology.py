"""Ontologies as given and as shown."""

from typing import Self

from pydantic import ConfigDict, model_validator

from graphmem.answers.ontology import OntologyOut, OntologyShown
from graphmem.errors import as_value_errors
from graphmem.model.ontology import GroupOntology, Ontology
from graphmem.ontology import WrittenOntology, written


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


def ontology_out(own: GroupOntology | None, service: Ontology) -> OntologyOut:
    return OntologyOut(
        source="group" if own else "service",
        changed_at=own.changed_at if own else None,
        ontology=OntologyShown.model_validate(written(own.ontology if own else service)),
    )
