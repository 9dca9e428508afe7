"""Facts that people own: listed, remembered, confirmed, corrected, deleted; and what is contested, to be settled."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Annotated, Self

from fastapi import Query
from pydantic import model_validator

from graphmem.answers.claims import ActedFact, ClaimReceipt, ConflictList, FactList, RememberedFact, SharedFact
from graphmem.answers.outcomes import kept_of
from graphmem.api.accepting import Times, as_first_said, kept_claims
from graphmem.api.cursors import BY_IMPORTANCE
from graphmem.api.deps import (
    ActorDep,
    AskedDep,
    ClockDep,
    CursorQuery,
    GroupPath,
    HandInDep,
    IdPath,
    LimitQuery,
    MemoryDep,
    PrincipalDep,
    SeenDep,
    ServicesDep,
    StandingDep,
    decided_body,
    written_body,
)
from graphmem.api.errors import invalid
from graphmem.api.openapi import ANYWHERE, CallRouter, TakenBody
from graphmem.api.schemas.claims import NamedThing, Told
from graphmem.api.schemas.words import (
    Attributes,
    ContentHash,
    Id,
    Instant,
    LongText,
    Name,
    Request,
    ScalarValue,
    Share,
    Tags,
)
from graphmem.model.acts import Correction
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import Category
from graphmem.model.entity import Entity, TypedBy
from graphmem.model.evidence import ChangeOutcome, Receipt, StructuredClaim
from graphmem.model.fact import FactQuery
from graphmem.model.fragment import ThingName
from graphmem.model.interval import as_instant
from graphmem.model.limits import HandedText
from graphmem.model.principal import Right
from graphmem.model.recall import Grounds
from graphmem.resolve.namesakes import entity_of
from graphmem.resolve.remembering import IMPORTANCE
from graphmem.resolve.structured import statement_of
from graphmem.write.facts import ActedOn, Sharing

router = CallRouter(prefix="/v1/groups/{group}", tags=["facts"])

_OWNED = """Only the owner of a fact changes it: `user` says who acts, and the answer is 403 with the owner's name where
somebody else does, 404 where that user does not see it. What has no user, anybody who may write may change; without
`user`, who may act for everybody changes anything."""
_SHARED = """What is shared is the value under the names in which it was told: its statement, and the words it rests on,
whenever they were said, never the rest of what was said. Another value, or the same of somebody by another name, is not
shared with it. Who may see answers about the past follows, too: those say so in `access_changed_at`."""


class FactIn(Told):
    """What is to be remembered of a subject: a key, and an object or a value.

    A ``key`` that neither a policy nor the group's ontology knows becomes the predicate `category.key`: of identity,
    preference and occupation one value holds at a time, of others many. Confidence is 1. ``valid_from`` is when it
    began, by default now (``occurred_at``); null is an unknown start. ``beside``: it stands beside other values of its
    predicate, such as a second job, and ends none. ``recorded_at`` is for groups that import.
    """

    category: Category
    key: Name
    importance: Share = IMPORTANCE
    tags: Tags = ()

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if (self.object is None) == (self.value is None):
            raise ValueError("needs either an object or a value")
        return self

    def to_domain(self, said_at: datetime) -> StructuredClaim:
        """The fact as a claim by its key, said at an instant.

        Raises:
            InvalidRequest: it ends before it starts.
        """
        start = self.valid_from and as_instant(self.valid_from) if "valid_from" in self.model_fields_set else said_at
        if self.valid_to is not None and start is not None and self.valid_to <= start:
            raise invalid("body", "", "the fact ends before it starts, or as it starts")
        return self.claim(start, said_at, predicate=self.key)


class ActIn(Request):
    """``user``: who says so; only the owner of a fact may. ``recorded_at`` is for groups that import."""

    user: Name | None = None
    recorded_at: Instant | None = None


class CorrectFactIn(ActIn):
    """What is so instead: an object or a value; neither, if the time or the attributes are wrong.

    What is left out stays as it is; of another value, its attributes go. A text in place of an entity names an entity.
    Without `changed_at` the old value was wrong all along, and counts as never said. With it the old value was right
    and has changed, as by a move: it was so until then, and stays known.
    `content_sha256` is of the statement that you read: if it says something else by now, it is 409.
    """

    content_sha256: ContentHash | None = None
    object: NamedThing | None = None
    value: ScalarValue | None = None
    statement: LongText | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    changed_at: Instant | None = None
    attributes: Attributes | None = None
    category: Category | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.object is not None and self.value is not None:
            raise ValueError("has either an object or a value")
        if self.changed_at is not None and self.object is None and self.value is None:
            raise ValueError("has changed_at, and neither an object nor a value: give what holds since")
        if self.changed_at is not None and self.valid_from is not None:
            raise ValueError("has either changed_at or valid_from: since then the other value holds")
        if not self.model_dump(exclude={"user", "recorded_at", "content_sha256"}, exclude_none=True):
            raise ValueError("says nothing: give what is so instead")
        return self

    def to_domain(self, group: str, now: datetime, corrected: Grounds) -> Correction:
        """What is so instead of a belief; what names an entity there names one here, too."""
        belief, known = corrected.belief, {entity.id: entity for entity in corrected.entities}
        thing, value = self.object, self.value
        if belief.object_id is not None and isinstance(value, str):
            thing, value = NamedThing(name=value, type=known[belief.object_id].type or "thing"), None
        instead = self.model_copy(update={"object": thing, "value": value})
        statement = instead._statement(belief, known[belief.subject_id].name, now)  # noqa: SLF001 - of the same class
        return instead.into(Correction, object=_entity(group, thing, now), statement=statement)

    def _statement(self, belief: BeliefRow, subject: str, now: datetime) -> str:
        if self.object is None and self.value is None:
            return self.statement or belief.statement
        claim = StructuredClaim(
            subject=ThingName(subject, ""),
            predicate=belief.predicate,
            object=self.object.to_domain(None) if self.object else None,
            value=self.value,
            statement=self.statement,
            valid_from=now,
            occurred_at=now,
            open=belief.open,
        )
        return statement_of(claim)


class ChooseIn(ActIn):
    """``keep``: the id of the claim that is right, of the belief's evidence or of those that dispute it."""

    keep: Id


class SharerIn(Request):
    """``user``: who says so; only the owner of a fact may."""

    user: Name | None = None


def _entity(group: str, thing: NamedThing | None, now: datetime) -> Entity | None:
    if thing is None:
        return None
    return entity_of(group, thing.to_domain(None), now, TypedBy.CALLER)


@router.call("GET", "/facts")
async def list_facts(
    standing: StandingDep,
    asked: AskedDep,
    memory: MemoryDep,
    category: Annotated[list[Category] | None, Query(description="Only these.", max_length=len(Category))] = None,
    subject: Annotated[IdPath | None, Query(description="The id of an entity: only facts about it.")] = None,
    least_importance: Annotated[Share, Query(description="From 0 to 1.")] = 0.0,
    tag: Annotated[
        list[Name] | None, Query(max_length=64, description="Only what rests on an episode with one of these.")
    ] = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 100,
) -> FactList:
    """Facts: beliefs with a category, the most important first; a user's own and what is shared."""
    query = FactQuery(
        categories=tuple(category or ()),
        subject_id=subject,
        least_importance=least_importance,
        tags=tuple(tag or ()),
    )
    page = await memory.fact_lists.facts(asked.scope, query, after=BY_IMPORTANCE.after(cursor), limit=limit)
    more = BY_IMPORTANCE.of(page.more_after) if page.more_after else None
    return FactList.of(page, asked, standing, next_cursor=more, context=asked.context(page.entities))


@router.call("POST", "/facts", 409, problems=ANYWHERE, takes=FactIn, status=201)
async def remember_fact(
    group: GroupPath,
    fact: Annotated[FactIn, written_body(FactIn)],
    principal: PrincipalDep,
    services: ServicesDep,
    hand_in: HandInDep,
) -> RememberedFact:
    """Remember a fact that somebody says on purpose."""
    await hand_in([fact.handed()])
    memory = services.memory
    defined = (await services.predicates.predicate(group, fact.key)).changed_at is not None

    async def store(times: Times) -> tuple[Receipt, StructuredClaim, ChangeOutcome]:
        return await memory.facts.remember(group, fact.to_domain(times[0]), fact.category, defined=defined)

    receipt, taken, outcome = await as_first_said(memory, group, {0: fact}, services.clock(), store)
    kept = await kept_claims(memory, group, [receipt.episode_id], may_read=Right.READ in principal.rights)
    return RememberedFact.of(
        outcome,
        kept_of(None, kept.get(receipt.episode_id)),
        claim=ClaimReceipt.of(receipt, line=None),
        predicate=taken.predicate,
    )


@router.call("POST", "/facts/{belief_id}/confirm", 409, 412, takes=TakenBody(ActIn, required=False), notes=_OWNED)
async def confirm_fact(
    group: GroupPath,
    belief_id: IdPath,
    act: Annotated[ActIn, written_body(ActIn, optional=True)],
    seen: SeenDep,
    principal: PrincipalDep,
    memory: MemoryDep,
) -> ActedFact:
    """Confirm a fact: it is sure, it does not fade, and nothing that is less sure takes its place."""
    by = principal.acting(act.user)
    return _acted(await memory.facts.confirm(group, belief_id, by, recorded_at=act.recorded_at, seen=seen))


@router.call("POST", "/facts/{belief_id}/correct", 409, 412, takes=CorrectFactIn, notes=_OWNED)
async def correct_fact(
    group: GroupPath,
    belief_id: IdPath,
    act: Annotated[CorrectFactIn, written_body(CorrectFactIn)],
    seen: SeenDep,
    principal: PrincipalDep,
    memory: MemoryDep,
    clock: ClockDep,
    hand_in: HandInDep,
) -> ActedFact:
    """Correct a fact that was wrong all along: say what is so instead, and it counts as never said. Of one that was
    right and has changed, as by a move, give `changed_at`: it was so until then, and stays known.
    """
    await hand_in([HandedText.of(act.user, act.statement, act.value, act.attributes)])
    to, by = partial(act.to_domain, group, clock()), principal.acting(act.user)
    read = replace(seen, content_sha256=act.content_sha256)
    return _acted(await memory.facts.correct(group, belief_id, to, by, recorded_at=act.recorded_at, seen=read))


@router.call("POST", "/facts/{belief_id}/share", 409, 412, takes=SharerIn, notes=f"{_OWNED} {_SHARED}")
async def share_fact(
    group: GroupPath,
    belief_id: IdPath,
    sharer: Annotated[SharerIn, written_body(SharerIn)],
    seen: SeenDep,
    principal: PrincipalDep,
    memory: MemoryDep,
) -> SharedFact:
    """Share a fact with everybody in the group."""
    return _shared(await memory.facts.share(group, belief_id, principal.acting(sharer.user), seen=seen))


@router.call("POST", "/facts/{belief_id}/unshare", 409, 412, takes=SharerIn, notes=f"{_OWNED} {_SHARED}")
async def unshare_fact(
    group: GroupPath,
    belief_id: IdPath,
    sharer: Annotated[SharerIn, written_body(SharerIn)],
    seen: SeenDep,
    principal: PrincipalDep,
    memory: MemoryDep,
) -> SharedFact:
    """Take back that a fact is shared: its user alone sees it from now on."""
    return _shared(await memory.facts.unshare(group, belief_id, principal.acting(sharer.user), seen=seen))


@router.call("DELETE", "/facts/{belief_id}", 409, 412, notes=_OWNED)
async def delete_fact(
    group: GroupPath,
    belief_id: IdPath,
    by: ActorDep,
    seen: SeenDep,
    memory: MemoryDep,
    reason: Annotated[Name | None, Query(description="Why; it is kept as evidence.")] = None,
    recorded_at: Annotated[Instant | None, Query(description="For groups that import, and needed there.")] = None,
) -> ActedFact:
    """Say that a fact was never so: it is believed no more, and its history keeps it."""
    return _acted(await memory.facts.reject(group, belief_id, by, reason=reason, recorded_at=recorded_at, seen=seen))


@router.call("GET", "/conflicts")
async def list_conflicts(
    standing: StandingDep, asked: AskedDep, memory: MemoryDep, cursor: CursorQuery = None, limit: LimitQuery = 100
) -> ConflictList:
    """What is contested, with the evidence of both sides, the most important first."""
    scope = replace(asked.scope, open=False)
    page = await memory.fact_lists.conflicts(scope, after=BY_IMPORTANCE.after(cursor), limit=limit)
    more = BY_IMPORTANCE.of(page.more_after) if page.more_after else None
    return ConflictList.of(page, asked, standing, next_cursor=more, context=asked.context(page.entities))


@router.call("POST", "/conflicts/{belief_id}", 409, 412, takes=ChooseIn, notes=_OWNED)
async def settle_conflict(
    group: GroupPath,
    belief_id: IdPath,
    act: Annotated[ChooseIn, decided_body(ChooseIn)],
    seen: SeenDep,
    principal: PrincipalDep,
    memory: MemoryDep,
) -> ActedFact:
    """Settle a conflict: say which claim is right; the values of the others give way to it. One that is everybody's an
    administrator settles.
    """
    by = principal.acting(act.user)
    return _acted(await memory.facts.choose(group, belief_id, act.keep, by, recorded_at=act.recorded_at, seen=seen))


def _acted(done: ActedOn) -> ActedFact:
    return ActedFact.of(done, done.belief, done.outcome)


def _shared(done: Sharing) -> SharedFact:
    return SharedFact.of(done, done.belief)
