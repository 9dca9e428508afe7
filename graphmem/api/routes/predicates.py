"""Predicates: how many values each holds at a time, and which of them is believed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response
from pydantic import ConfigDict

from graphmem.answers.groups import PredicatePage, PredicateWithWork, ReprojectionOut
from graphmem.api.backend import WorkQueue, wake
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
from graphmem.api.schemas.words import Instant
from graphmem.model.interval import LATEST
from graphmem.model.work import SERVICE, Work
from graphmem.settings.predicates import PredicateSettings
from graphmem.store.predicates import PredicateStore


class PolicyIn(PredicateSettings):
    """Whether a predicate holds one value at a time, or many.

    Of one, the ``latest`` start is believed (so by default), or at each instant the most ``confident`` claim. With a
    ``bound``, the existence of the subject ``begins`` or ``ends`` with what is believed, or (``none``) neither; without
    one, graphmem's own list says it (born, founded, opened … died, dissolved, closed).

    Of an ``irreflexive`` predicate nothing is believed whose object is its subject, and claims of that are refused;
    without it, graphmem's own list says it (married_to, parent_of, reports_to …).
    """

    model_config = ConfigDict(strict=True)


def _reprojection_out(reprojection: Work) -> ReprojectionOut:
    own = reprojection.group_id != SERVICE
    return ReprojectionOut.of(
        reprojection,
        scope="group" if own else "service",
        subjects_total=_count(reprojection.progress, "subjects") if own else None,
        subjects_done=(_count(reprojection.progress, "done") or 0) if own else None,
        rows_changed=(_count(reprojection.result, "rows_changed") or 0) if own else None,
    )


def _count(of: Mapping[str, object], name: str) -> int | None:
    value = of.get(name)
    return value if isinstance(value, int) else None


router = APIRouter(prefix="/v1/groups/{group}/predicates", tags=["predicates"])
KnownAtQuery = Annotated[Instant | None, Query(description="The policies in force at this time; default: now.")]
_UNCHANGED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "It was so already; nothing is done",
        "model": PredicateWithWork,
    }
}


@router.get(
    "",
    **documented(
        "The policies in force in a group at known_at, in order of name; predicates that are not listed hold many",
        *(401, 403, 404, 422, 503),
    ),
)
async def list_predicates(
    group: EnteredGroup,
    memory: MemoryDep,
    predicates: PredicatesDep,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
    known_at: KnownAtQuery = None,
) -> PredicatePage:
    await memory.reader.known_group(group)
    found = await predicates.predicates(group, after_id(cursor), limit + 1, known_at or LATEST)
    more = id_cursor(found[limit - 1].name) if len(found) > limit else None
    return PredicatePage.of(predicates=found[:limit], next_cursor=more)


@router.get(
    "/{name:path}",
    **documented(
        "The policy of one predicate in force at known_at, and how far its slots have followed the last change",
        *(401, 403, 404, 422, 503),
    ),
)
async def predicate(
    group: EnteredGroup,
    name: PredicatePath,
    memory: MemoryDep,
    predicates: PredicatesDep,
    known_at: KnownAtQuery = None,
) -> PredicateWithWork:
    await memory.reader.known_group(group)
    return await _shown(predicates, group, name, known_at or LATEST)


@router.put(
    "/{name:path}",
    **takes(PolicyIn),
    **documented(
        "Give a group its own policy for a predicate; what it believes follows in the background",
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
    requested = await predicates.change(group, name, body.policy())
    return await _followed(predicates, queue, group, name, requested, response)


@router.delete(
    "/{name:path}",
    **documented(
        "Let a group follow the service's policy for a predicate again",
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
    queue: WorkQueue,
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


async def _shown(predicates: PredicateStore, group: str, name: str, known_at: datetime = LATEST) -> PredicateWithWork:
    last = next(iter(await predicates.reprojections(group, name)), None)
    reprojection = _reprojection_out(last) if last else None
    return PredicateWithWork.of(await predicates.predicate(group, name, known_at), reprojection=reprojection)
