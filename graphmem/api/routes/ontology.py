"""The ontology of a group: what is looked for in episodes from now on."""

from typing import Annotated, Self

from fastapi import APIRouter, Depends
from pydantic import ConfigDict, model_validator

from graphmem.answers.groups import OntologyOut, OntologyShown
from graphmem.api.bodies import json_body
from graphmem.api.deps import AdministeredGroup, EnteredGroup, MemoryDep, SettingsDep
from graphmem.api.openapi import documented, takes
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


def _ontology_out(own: GroupOntology | None, service: Ontology) -> OntologyOut:
    return OntologyOut(
        source="group" if own else "service",
        changed_at=own.changed_at if own else None,
        ontology=OntologyShown.model_validate(written(own.ontology if own else service)),
    )


router = APIRouter(prefix="/v1/groups/{group}/ontology", tags=["ontology"])


@router.get(
    "",
    **documented("The ontology in force in a group: its own, or the service's", *(401, 403, 404, 422, 503)),
)
async def ontology(group: EnteredGroup, memory: MemoryDep, settings: SettingsDep) -> OntologyOut:
    await memory.reader.known_group(group)
    return _ontology_out(await memory.store.ontology_of_group(group), settings.ontology.to_domain())


@router.put(
    "",
    **takes(OntologyIn),
    **documented(
        "Give a group its own ontology, whole; episodes are read by it from the next one on",
        *(401, 403, 409, 413, 415, 422, 503),
    ),
)
async def set_ontology(
    group: AdministeredGroup,
    body: Annotated[OntologyIn, Depends(json_body(OntologyIn))],
    memory: MemoryDep,
    settings: SettingsDep,
) -> OntologyOut:
    return _ontology_out(await memory.groups.set_ontology(group, body.to_domain()), settings.ontology.to_domain())


@router.delete(
    "",
    **documented("Let a group follow the service's ontology again", *(401, 403, 404, 422, 503)),
)
async def unset_ontology(group: AdministeredGroup, memory: MemoryDep, settings: SettingsDep) -> OntologyOut:
    await memory.reader.known_group(group)
    return _ontology_out(await memory.groups.set_ontology(group, None), settings.ontology.to_domain())
