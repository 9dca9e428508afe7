"""Predicates: how many values each holds at a time, and which of them is believed."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Response

from graphmem.answers.predicates import PredicatePage, PredicateWithWork
from graphmem.api import examples
from graphmem.api.backend import Queue, wake
from graphmem.api.bodies import json_body
from graphmem.api.cursors import after_id, id_cursor
from graphmem.api.deps import (
    AdministeredGroup,
    CursorQuery,
    EnteredGroup,
    LimitQuery,
    MemoryDep,
    PredicatePath,
    PredicatesDep,
    QueueDep,
)
from graphmem.api.openapi import documented, takes
from graphmem.api.schemas.predicates import PolicyIn, predicate_with_work
from graphmem.model.work import Work
from graphmem.store.predicates import PredicateStore

router = APIRouter(prefix="/v1/groups/{group}/predicates", tags=["predicates"])
_UNCHANGED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "It was so already; nothing is done",
        "model": PredicateWithWork,
        "content": {"application/json": {"example": examples.FOLLOWED}},
    }
}


@router.get(
    "",
    **documented(
        "The policies in force in a group, in order of name; predicates that are not listed hold many",
        examples.PREDICATE_PAGE,
        *(401, 403, 404, 422, 503),
    ),
)
async def list_predicates(
    group: EnteredGroup,
    memory: MemoryDep,
    predicates: PredicatesDep,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
) -> PredicatePage:
    await memory.reader.known_group(group)
    found = await predicates.predicates(group, after_id(cursor), limit + 1)
    more = id_cursor(found[limit - 1].name) if len(found) > limit else None
    return PredicatePage.of(predicates=found[:limit], next_cursor=more)


@router.get(
    "/{name:path}",
    **documented(
        "The policy in force of one predicate, and how far its slots have followed the last change",
        examples.FOLLOWED,
        *(401, 403, 404, 422, 503),
    ),
)
async def predicate(
    group: EnteredGroup, name: PredicatePath, memory: MemoryDep, predicates: PredicatesDep
) -> PredicateWithWork:
    await memory.reader.known_group(group)
    return await _shown(predicates, group, name)


@router.put(
    "/{name:path}",
    **takes("PolicyIn", examples.POLICY_IN),
    **documented(
        "Give a group its own policy for a predicate; what it believes follows in the background",
        examples.PREDICATE,
        *(401, 403, 404, 409, 413, 415, 422, 503),
        status=202,
        also=_UNCHANGED,
    ),
)
async def set_predicate(
    group: AdministeredGroup,
    name: PredicatePath,
    body: Annotated[PolicyIn, Depends(json_body(PolicyIn))],
    memory: MemoryDep,
    predicates: PredicatesDep,
    queue: QueueDep,
    response: Response,
) -> PredicateWithWork:
    await memory.groups.ensure(group)
    requested = await predicates.change(group, name, body.to_domain())
    return await _followed(predicates, queue, group, name, requested, response)


@router.delete(
    "/{name:path}",
    **documented(
        "Let a group follow the service's policy for a predicate again",
        examples.UNSET_PREDICATE,
        *(401, 403, 404, 422, 503),
        status=202,
        also=_UNCHANGED,
    ),
)
async def unset_predicate(
    group: AdministeredGroup,
    name: PredicatePath,
    memory: MemoryDep,
    predicates: PredicatesDep,
    queue: QueueDep,
    response: Response,
) -> PredicateWithWork:
    await memory.reader.known_group(group)
    requested = await predicates.drop(group, name)
    return await _followed(predicates, queue, group, name, requested, response)


async def _followed(
    predicates: PredicateStore,
    queue: Queue,
    group: str,
    name: str,
    requested: Work | None,
    response: Response,
) -> PredicateWithWork:
    """202 once the work is asked for; 200 if there is none."""
    if requested is None:
        response.status_code = 200
    else:
        await wake(queue, group)
    return await _shown(predicates, group, name)


async def _shown(predicates: PredicateStore, group: str, name: str) -> PredicateWithWork:
    reprojections = await predicates.reprojections(group, name)
    return predicate_with_work(await predicates.predicate(group, name), next(iter(reprojections), None))
