"""Differences: what began, ended and changed between two instants."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Query

from graphmem.answers.answer import AnswerContext
from graphmem.answers.changes import Axis, DiffOut
from graphmem.api.deps import ClockDep, EntityQuery, GroupPath, MemoryDep, OpenQuery, PredicatesQuery, UserDep
from graphmem.api.errors import invalid
from graphmem.api.naming import entity_id
from graphmem.api.openapi import documented
from graphmem.api.schemas.words import Instant
from graphmem.model.interval import LATEST
from graphmem.model.scope import Scope
from graphmem.recall.reader import MAX_BELIEFS, DiffQuery

router = APIRouter(prefix="/v1/groups/{group}/diff", tags=["graph"])


@dataclass(frozen=True, slots=True)
class _Between:
    """Two scopes that differ along one axis of time, and how the answer shows them."""

    axis: Axis
    since: datetime
    to: datetime
    before: Scope
    after: Scope
    valid_at: datetime | None
    known_at: datetime | None


async def _between(
    group: GroupPath,
    user: UserDep,
    clock: ClockDep,
    axis: Annotated[Axis, Query(description="`valid`: what changed in the world. `known`: what we came to believe.")],
    since: Annotated[Instant, Query(alias="from")],
    to: Annotated[Instant, Query()],
    valid_at: Annotated[
        Instant | None, Query(description="With `axis=known`: what was true at this time; default: now.")
    ] = None,
    known_at: Annotated[
        Instant | None, Query(description="With `axis=valid`: as believed at this time; default: now.")
    ] = None,
    open: OpenQuery = None,  # noqa: A002 - the name in the URL
) -> _Between:
    if since >= to:
        raise invalid("query", "/from", "is not before `to`")
    if (valid_at if axis == "valid" else known_at) is not None:
        raise invalid("query", f"/{axis}_at", f"is what `from` and `to` say with `axis={axis}`; leave it out")
    now = clock()
    if axis == "valid":
        known = LATEST if known_at is None else known_at
        before, after = (Scope(group, instant, known, user, open=open) for instant in (since, to))
        return _Between(axis, since, to, before, after, None, known_at or now)
    valid = valid_at or now
    before, after = (Scope(group, valid, instant, user, open=open) for instant in (since, to))
    return _Between(axis, since, to, before, after, valid, None)


BetweenDep = Annotated[_Between, Depends(_between)]


@router.get(
    "",
    **documented(
        "What began, ended and changed between two instants, on either axis of time, with evidence",
        *(401, 403, 404, 409, 422, 503),
    ),
)
async def diff(
    between: BetweenDep,
    memory: MemoryDep,
    entity: EntityQuery = None,
    predicate: PredicatesQuery = None,
    limit: Annotated[int, Query(ge=1, le=MAX_BELIEFS, description="Beliefs at most, in all lists together.")] = 1_000,
) -> DiffOut:
    standing = await memory.reader.standing(between.after.group, between.after.known_at)
    query = DiffQuery(
        before=between.before,
        after=between.after,
        entity_id=await entity_id(memory, between.after, entity) if entity else None,
        predicates=tuple(predicate) if predicate else None,
        limit=limit,
    )
    found = await memory.reader.diff(query)
    context = AnswerContext(entities=found.entities)
    return DiffOut.of(found, found.difference, between, standing, context=context)
