"""Sources of structured claims: whether each tells of a thing once."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path

from graphmem.answers.sources import SourceList, SourceOut
from graphmem.api.bodies import json_body
from graphmem.api.deps import AdministeredGroup, EnteredGroup, MemoryDep
from graphmem.api.openapi import documented, takes
from graphmem.api.schemas.sources import SourceIn
from graphmem.api.schemas.words import Name

router = APIRouter(prefix="/v1/groups/{group}/sources", tags=["merges"])
SourcePath = Annotated[Name, Path(description="A source, as claims have it.", examples=["crm"])]


@router.get("", **documented("The sources that tell of each thing once", 401, 403, 404, 422, 503))
async def list_sources(group: EnteredGroup, memory: MemoryDep) -> SourceList:
    await memory.reader.known_group(group)
    found = await memory.matching.unique_sources(group)
    return SourceList(sources=[SourceOut(name=name, unique=True) for name in found])


@router.put(
    "/{source:path}",
    **takes("SourceIn"),
    **documented(
        "Say whether a source tells of each thing once; two ids of such a source are never one thing",
        *(401, 403, 404, 413, 415, 422, 503),
    ),
)
async def put_source(
    group: AdministeredGroup,
    source: SourcePath,
    body: Annotated[SourceIn, Depends(json_body(SourceIn))],
    memory: MemoryDep,
) -> SourceOut:
    await memory.reader.known_group(group)
    await memory.matching.set_unique_source(group, source, unique=body.unique)
    return SourceOut(name=source, unique=body.unique)
