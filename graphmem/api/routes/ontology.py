"""The ontology of a group: what is looked for in episodes from now on."""

from typing import Annotated

from fastapi import APIRouter, Depends

from graphmem.answers.ontology import OntologyOut
from graphmem.api.bodies import json_body
from graphmem.api.deps import AdministeredGroup, EnteredGroup, MemoryDep, SettingsDep
from graphmem.api.openapi import documented, takes
from graphmem.api.schemas.ontology import OntologyIn, ontology_out

router = APIRouter(prefix="/v1/groups/{group}/ontology", tags=["ontology"])


@router.get(
    "",
    **documented("The ontology in force in a group: its own, or the service's", *(401, 403, 404, 422, 503)),
)
async def ontology(group: EnteredGroup, memory: MemoryDep, settings: SettingsDep) -> OntologyOut:
    await memory.reader.known_group(group)
    return ontology_out(await memory.store.ontology_of_group(group), settings.ontology.to_domain())


@router.put(
    "",
    **takes("OntologyIn"),
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
    return ontology_out(await memory.groups.set_ontology(group, body.to_domain()), settings.ontology.to_domain())


@router.delete(
    "",
    **documented("Let a group follow the service's ontology again", *(401, 403, 404, 422, 503)),
)
async def unset_ontology(group: AdministeredGroup, memory: MemoryDep, settings: SettingsDep) -> OntologyOut:
    await memory.reader.known_group(group)
    return ontology_out(await memory.groups.set_ontology(group, None), settings.ontology.to_domain())
