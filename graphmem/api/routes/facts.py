"""Facts that people own: listed, remembered, confirmed, corrected, deleted; and what is contested, to be settled."""

from dataclasses import replace
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Query

from graphmem.answers.claims import ActedFact, ClaimReceipt, ConflictList, FactList, RememberedFact, SharedFact
from graphmem.api.accepting import Times, as_first_said
from graphmem.api.bodies import json_body
from graphmem.api.cursors import after_fact, fact_cursor
from graphmem.api.deps import (
    ActorDep,
    AskedDep,
    ClockDep,
    CursorQuery,
    GroupPath,
    IdPath,
    LimitQuery,
    MemoryDep,
    PredicatesDep,
    PrincipalDep,
    StandingDep,
)
from graphmem.api.openapi import documented, takes
from graphmem.api.schemas.facts import (
    ActIn,
    ChooseIn,
    CorrectFactIn,
    FactIn,
    SharerIn,
)
from graphmem.api.schemas.words import Instant, Name, Share, said_for
from graphmem.model.claim import Category
from graphmem.model.evidence import ChangeOutcome, Receipt, StructuredClaim
from graphmem.model.fact import FactQuery
from graphmem.write.facts import ActedOn, Sharing

router = APIRouter(prefix="/v1/groups/{group}", tags=["facts"])

_OWNED = """Only the owner of a fact changes it: `user` says who acts, and the answer is 403 with the owner's name where
somebody else does, 404 where that user does not see it. What has no user, anybody who may write may change; without
`user`, who may act for everybody changes anything."""


@router.get(
    "/facts",
    **documented(
        "Facts: beliefs with a category, the most important first; a user's own and what is shared",
        *(401, 403, 404, 422, 503),
    ),
)
async def list_facts(
    standing: StandingDep,
    asked: AskedDep,
    memory: MemoryDep,
    category: Annotated[list[Category] | None, Query(description="Only these.", max_length=len(Category))] = None,
    subject: Annotated[IdPath | None, Query(description="The id of an entity: only facts about it.")] = None,
    least_importance: Annotated[Share, Query(description="From 0 to 1.")] = 0.0,
    tag: Annotated[list[Name] | None, Query(description="Only what rests on an episode with one of these.")] = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
) -> FactList:
    query = FactQuery(
        categories=tuple(category or ()),
        subject_id=subject,
        least_importance=least_importance,
        tags=tuple(tag or ()),
    )
    page = await memory.fact_lists.facts(asked.scope, query, after=after_fact(cursor), limit=limit)
    more = fact_cursor(page.more_after) if page.more_after else None
    return FactList.of(page, asked, standing, next_cursor=more, context=asked.context(page.entities))


@router.post(
    "/facts",
    **takes(FactIn),
    **documented(
        "Remember a fact that somebody says on purpose",
        *(401, 403, 409, 413, 415, 422, 503),
        status=201,
    ),
)
async def remember_fact(
    group: GroupPath,
    posted: Annotated[FactIn, Depends(json_body(FactIn))],
    principal: PrincipalDep,
    memory: MemoryDep,
    predicates: PredicatesDep,
    clock: ClockDep,
) -> RememberedFact:
    fact = said_for(posted, principal.writes(group, posted.user))
    defined = (await predicates.predicate(group, fact.key)).changed_at is not None

    async def store(times: Times) -> tuple[Receipt, StructuredClaim, ChangeOutcome]:
        return await memory.facts.remember(group, fact.to_domain(times[0]), fact.category, defined=defined)

    receipt, taken, outcome = await as_first_said(memory, group, {0: fact}, clock(), store)
    return RememberedFact.of(outcome, claim=ClaimReceipt.of(receipt, line=None), predicate=taken.predicate)


@router.post(
    "/facts/{belief_id}/confirm",
    **takes(ActIn, required=False),
    **documented(
        "Confirm a fact: it is sure, it does not fade, and nothing that is less sure takes its place",
        *(401, 403, 404, 409, 413, 415, 422, 503),
    ),
    description=_OWNED,
)
async def confirm_fact(
    group: GroupPath,
    belief_id: IdPath,
    posted: Annotated[ActIn, Depends(json_body(ActIn, optional=True))],
    principal: PrincipalDep,
    memory: MemoryDep,
) -> ActedFact:
    user = principal.writes(group, posted.user)
    return _acted(await memory.facts.confirm(group, belief_id, user, recorded_at=posted.recorded_at))


@router.post(
    "/facts/{belief_id}/correct",
    **takes(CorrectFactIn),
    **documented(
        "Correct a fact: say what is so instead",
        *(401, 403, 404, 409, 413, 415, 422, 503),
    ),
    description=_OWNED,
)
async def correct_fact(
    group: GroupPath,
    belief_id: IdPath,
    posted: Annotated[CorrectFactIn, Depends(json_body(CorrectFactIn))],
    principal: PrincipalDep,
    memory: MemoryDep,
    clock: ClockDep,
) -> ActedFact:
    user = principal.writes(group, posted.user)
    to = partial(posted.to_domain, group, clock())
    return _acted(await memory.facts.correct(group, belief_id, user, to, recorded_at=posted.recorded_at))


_SHARED = """What is shared is the value under the names in which it was told: its statement, and the words it rests on,
whenever they were said, never the rest of what was said. Another value, or the same of somebody by another name, is not
shared with it. Who may see answers about the past follows, too: those say so in `access_changed_at`."""


@router.post(
    "/facts/{belief_id}/share",
    **takes(SharerIn),
    **documented(
        "Share a fact with everybody in the group",
        *(401, 403, 404, 409, 413, 415, 422, 503),
    ),
    description=f"{_OWNED} {_SHARED}",
)
async def share_fact(
    group: GroupPath,
    belief_id: IdPath,
    posted: Annotated[SharerIn, Depends(json_body(SharerIn))],
    principal: PrincipalDep,
    memory: MemoryDep,
) -> SharedFact:
    return _shared(await memory.facts.share(group, belief_id, principal.writes(group, posted.user)))


@router.post(
    "/facts/{belief_id}/unshare",
    **takes(SharerIn),
    **documented(
        "Take back that a fact is shared: its user alone sees it from now on",
        *(401, 403, 404, 409, 413, 415, 422, 503),
    ),
    description=f"{_OWNED} {_SHARED}",
)
async def unshare_fact(
    group: GroupPath,
    belief_id: IdPath,
    posted: Annotated[SharerIn, Depends(json_body(SharerIn))],
    principal: PrincipalDep,
    memory: MemoryDep,
) -> SharedFact:
    return _shared(await memory.facts.unshare(group, belief_id, principal.writes(group, posted.user)))


@router.delete(
    "/facts/{belief_id}",
    **documented(
        "Say that a fact was never so: it is believed no more, and its history keeps it",
        *(401, 403, 404, 409, 422, 503),
    ),
    description=_OWNED,
)
async def delete_fact(
    group: GroupPath,
    belief_id: IdPath,
    user: ActorDep,
    memory: MemoryDep,
    reason: Annotated[Name | None, Query(description="Why; it is kept as evidence.")] = None,
    recorded_at: Annotated[Instant | None, Query(description="For groups that import, and needed there.")] = None,
) -> ActedFact:
    done = await memory.facts.reject(group, belief_id, user, reason=reason, recorded_at=recorded_at)
    return _acted(done)


@router.get(
    "/conflicts",
    **documented(
        "What is contested, with the evidence of both sides, the most important first",
        *(401, 403, 404, 422, 503),
    ),
)
async def list_conflicts(
    standing: StandingDep, asked: AskedDep, memory: MemoryDep, cursor: CursorQuery = None, limit: LimitQuery = 100
) -> ConflictList:
    page = await memory.fact_lists.conflicts(replace(asked.scope, open=False), after=after_fact(cursor), limit=limit)
    more = fact_cursor(page.more_after) if page.more_after else None
    return ConflictList.of(page, asked, standing, next_cursor=more, context=asked.context(page.entities))


@router.post(
    "/conflicts/{belief_id}",
    **takes(ChooseIn),
    **documented(
        "Settle a conflict: say which claim is right; the values of the others give way to it",
        *(401, 403, 404, 409, 413, 415, 422, 503),
    ),
    description=_OWNED,
)
async def settle_conflict(
    group: GroupPath,
    belief_id: IdPath,
    posted: Annotated[ChooseIn, Depends(json_body(ChooseIn))],
    principal: PrincipalDep,
    memory: MemoryDep,
) -> ActedFact:
    user = principal.writes(group, posted.user)
    done = await memory.facts.choose(group, belief_id, user, posted.keep, recorded_at=posted.recorded_at)
    return _acted(done)


def _acted(done: ActedOn) -> ActedFact:
    return ActedFact.of(done, done.belief, done.outcome)


def _shared(done: Sharing) -> SharedFact:
    return SharedFact.of(done, done.belief)
