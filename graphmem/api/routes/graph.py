"""The graph: what was believed at one time to be true at another, what changed in between, and what it rests on."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import Depends, Header, Query
from starlette.responses import Response

from graphmem.answers.answer import AnswerContext
from graphmem.answers.beliefs import Axis, BeliefPage, DiffOut, GraphOut, OneBelief, StateOut
from graphmem.answers.claims import GroundsOut
from graphmem.api.cursors import BY_ID, BY_TIME
from graphmem.api.deps import (
    AskedDep,
    AskedOfBeliefsDep,
    ClockDep,
    CursorQuery,
    EntityQuery,
    GroupPath,
    IdPath,
    LimitQuery,
    MemoryDep,
    OpenQuery,
    PredicatesQuery,
    StandingDep,
    UserDep,
    entity_id,
    entity_meant,
)
from graphmem.api.errors import invalid
from graphmem.api.formats import MEDIA_TYPES, Format, beliefs_csv, chosen_format, graphml
from graphmem.api.openapi import CallRouter
from graphmem.api.schemas.words import EntityType, Instant, Name
from graphmem.memory import Memory
from graphmem.model.interval import LATEST
from graphmem.model.naming import nobody_called
from graphmem.model.recall import KnownState
from graphmem.model.scope import Scope
from graphmem.recall.names import near_names
from graphmem.recall.reader import MAX_BELIEFS, MAX_DEPTH, DiffQuery, GraphQuery

router = CallRouter(prefix="/v1/groups/{group}", tags=["beliefs"])


async def _query(
    asked: AskedOfBeliefsDep,
    memory: MemoryDep,
    entity: EntityQuery = None,
    depth: Annotated[int, Query(ge=0, le=MAX_DEPTH, description="Steps from that entity.")] = 1,
    predicate: PredicatesQuery = None,
    type: Annotated[  # noqa: A002 - the name in the URL
        list[EntityType] | None, Query(max_length=64, description="Only beliefs with an end of one of these types.")
    ] = None,
    limit: Annotated[
        int | None,
        Query(
            ge=1,
            le=MAX_BELIEFS,
            description=f"Beliefs at most, before `type` is looked at. Without it, over {MAX_BELIEFS} are refused.",
        ),
    ] = None,
) -> GraphQuery:
    return GraphQuery(
        entity_id=await entity_id(memory, asked.scope, entity) if entity else None,
        depth=depth,
        predicates=tuple(predicate) if predicate else None,
        types=frozenset(type) if type else None,
        limit=limit,
    )


@router.call("GET", "/graph", 409, response_model=GraphOut, media_types=tuple(MEDIA_TYPES.values()))
async def graph(
    standing: StandingDep,
    query: Annotated[GraphQuery, Depends(_query)],
    asked: AskedOfBeliefsDep,
    memory: MemoryDep,
    format: Annotated[Format | None, Query(description="Wins over the Accept header.")] = None,  # noqa: A002
    accept: Annotated[str, Header(include_in_schema=False)] = "",
) -> GraphOut | Response:
    """The believed subgraph: all of it, or what is around an entity; as JSON, GraphML or CSV."""
    subgraph = await memory.reader.graph(asked.scope, query)
    answer = GraphOut.of(subgraph, asked, standing, context=asked.context(subgraph.entities))
    wanted = chosen_format(format, accept)
    if wanted == "json":
        return answer
    content = graphml(answer) if wanted == "graphml" else beliefs_csv(answer)
    return Response(content, media_type=MEDIA_TYPES[wanted])


@dataclass(frozen=True, slots=True)
class _ComparedScopes:
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
) -> _ComparedScopes:
    if since >= to:
        raise invalid("query", "/from", "is not before `to`")
    if (valid_at if axis == "valid" else known_at) is not None:
        raise invalid("query", f"/{axis}_at", f"is what `from` and `to` say with `axis={axis}`; leave it out")
    now = clock()
    if axis == "valid":
        known = LATEST if known_at is None else known_at
        before, after = (Scope(group, instant, known, user, open=open) for instant in (since, to))
        return _ComparedScopes(axis, since, to, before, after, None, known_at or now)
    valid = valid_at or now
    before, after = (Scope(group, valid, instant, user, open=open) for instant in (since, to))
    return _ComparedScopes(axis, since, to, before, after, valid, None)


@router.call("GET", "/diff", 409)
async def diff(
    between: Annotated[_ComparedScopes, Depends(_between)],
    memory: MemoryDep,
    entity: EntityQuery = None,
    predicate: PredicatesQuery = None,
    limit: Annotated[int, Query(ge=1, le=MAX_BELIEFS, description="Beliefs at most, in all lists together.")] = 1_000,
) -> DiffOut:
    """What began, ended and changed between two instants, on either axis of time, with evidence."""
    standing = await memory.reader.standing(between.after.group, between.after.known_at)
    query = DiffQuery(
        before=between.before,
        after=between.after,
        entity_id=await entity_id(memory, between.after, entity) if entity else None,
        predicates=tuple(predicate) if predicate else None,
        limit=limit,
    )
    change = await memory.reader.diff(query)
    return DiffOut.of(change, change.difference, between, standing, context=AnswerContext(entities=change.entities))


@router.call("GET", "/answer")
async def answer(
    standing: StandingDep,
    asked: AskedOfBeliefsDep,
    memory: MemoryDep,
    entity: Annotated[Name, Query(description="Whom or what it is about: an id or a name.")],
    predicate: Annotated[Name, Query(description="What is asked of it.", examples=["lives_in"])],
) -> StateOut:
    """What holds of an entity by a predicate, without a search: the value, since when, and what it replaced.

    That nothing is known is an answer, too, and so is that nobody bears the name.
    """
    known = await entity_meant(memory, asked.scope, entity)
    if known is None:
        state = await _of_nobody(memory, asked.scope, entity)
    else:
        state = await memory.reader.state(asked.scope, known, predicate)
    return StateOut.of(state, asked, standing, predicate=predicate, context=asked.context(state.entities))


async def _of_nobody(memory: Memory, scope: Scope, name: str) -> KnownState:
    near = await near_names(memory.store, scope, name)
    return KnownState(entity=None, unknown=nobody_called(scope.group, name, near), near=tuple(near))


@router.call("GET", "/beliefs")
async def beliefs(
    standing: StandingDep,
    asked: AskedOfBeliefsDep,
    memory: MemoryDep,
    predicate: PredicatesQuery = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
) -> BeliefPage:
    """All that was believed at known_at to be true at valid_at, in order of id, page by page."""
    graph = await memory.reader.beliefs(
        asked.scope, predicates=tuple(predicate) if predicate else None, after=BY_ID.after(cursor), limit=limit
    )
    more = None if graph.complete else BY_ID.of(graph.beliefs[-1].id)
    return BeliefPage.of(graph, asked, standing, next_cursor=more, context=asked.context(graph.entities))


@router.call("GET", "/beliefs/{belief_id}")
async def belief(belief_id: IdPath, standing: StandingDep, asked: AskedDep, memory: MemoryDep) -> OneBelief:
    """One belief, by its belief_id as last recorded by known_at; with an id, that version."""
    grounds = await memory.reader.evidence(asked.scope, belief_id, limit=1)
    return OneBelief.of(grounds, standing, known_at=asked.known_at, context=asked.context(grounds.entities))


@router.call("GET", "/beliefs/{belief_id}/evidence")
async def evidence(
    belief_id: IdPath,
    standing: StandingDep,
    asked: AskedDep,
    memory: MemoryDep,
    cursor: CursorQuery = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> GroundsOut:
    """The claims behind a belief, down to characters, and their episodes; by its id or its belief_id.

    With a `belief_id` it is the last version recorded by `known_at`; with an `id`, that version.
    Retracted claims are shown too, with `retracted_at`. `valid_at`, if given, keeps the claims that speak of that time.
    """
    after = BY_TIME.after(cursor)
    grounds = await memory.reader.evidence(
        asked.scope, belief_id, valid_at=asked.given_valid_at, after=after, limit=limit
    )
    last = None if grounds.complete else grounds.claims[-1]
    return GroundsOut.of(
        grounds,
        standing,
        valid_at=asked.given_valid_at,
        known_at=asked.known_at,
        next_cursor=last and BY_TIME.of((last.said_at, last.id)),
        context=asked.context(grounds.entities),
    )
