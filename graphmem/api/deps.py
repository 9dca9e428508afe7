"""What routes ask for: the services, who calls, the scope of a read, and the entity that a name means."""

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Query, Request

from graphmem.answers.answer import AnswerContext
from graphmem.api.backend import Backend, WorkQueue
from graphmem.api.bodies import json_body
from graphmem.api.errors import AmbiguousName, group_of
from graphmem.api.schemas.words import GROUP_PATTERN, ID_PATTERN, Instant, Name, said_for
from graphmem.clock import Clock
from graphmem.errors import NotFound
from graphmem.memory import Memory
from graphmem.model.acts import Seen
from graphmem.model.interval import LATEST
from graphmem.model.limits import HandedText
from graphmem.model.naming import nobody_called
from graphmem.model.principal import Actor, Principal, Right
from graphmem.model.recall import KnownEntity, identities
from graphmem.model.scope import Scope
from graphmem.recall.names import meant_by, near_names
from graphmem.recall.reader import Standing
from graphmem.settings import Settings
from graphmem.trust.audit import Audit
from graphmem.trust.keys import Keys
from graphmem.trust.limits import CallerLimits
from graphmem.trust.naming import GroupNames
from graphmem.trust.tombstones import Tombstones
from graphmem.wiring import Services


async def _backend(request: Request) -> Backend:
    return request.app.state.backend


async def _settings(request: Request) -> Settings:
    return request.app.state.settings


async def _principal(request: Request) -> Principal:
    return request.scope["graphmem.principal"]


BackendDep = Annotated[Backend, Depends(_backend)]
SettingsDep = Annotated[Settings, Depends(_settings)]
PrincipalDep = Annotated[Principal, Depends(_principal)]


def _of_backend(part: Callable[[Backend], object]) -> Any:
    """A dependency on a part of what the service stands on."""

    async def taken(backend: BackendDep) -> object:
        return part(backend)

    return Depends(taken)


ServicesDep = Annotated[Services, _of_backend(lambda backend: backend.services)]
MemoryDep = Annotated[Memory, _of_backend(lambda backend: backend.services.memory)]
ClockDep = Annotated[Clock, _of_backend(lambda backend: backend.services.clock)]
NamesDep = Annotated[GroupNames, _of_backend(lambda backend: backend.services.names)]
KeysDep = Annotated[Keys, _of_backend(lambda backend: backend.services.keys)]
TombstonesDep = Annotated[Tombstones, _of_backend(lambda backend: backend.services.tombstones)]
QueueDep = Annotated[WorkQueue, _of_backend(lambda backend: backend.queue)]
AuditDep = Annotated[Audit, _of_backend(lambda backend: backend.services.audit)]
LimitsDep = Annotated[CallerLimits, _of_backend(lambda backend: backend.limits)]
GroupPath = Annotated[str, Path(pattern=GROUP_PATTERN, description="The tenant's graph.", examples=["team-1"])]


ReaderQuery = Annotated[
    Name | None, Query(description="What everybody and this user may see; default: the whole group.")
]


async def _reading_user(
    group: GroupPath, principal: PrincipalDep, audit: AuditDep, user: ReaderQuery = None
) -> str | None:
    reader = principal.reads(group, user)
    audit.ask_for(group, reader)
    await audit.read(principal, group)
    return reader


ActorQuery = Annotated[
    Name | None, Query(description="Who does it: what this user may not see is not there; default: whoever may do all.")
]


async def _actor(group: GroupPath, principal: PrincipalDep, audit: AuditDep, user: ActorQuery = None) -> Actor:
    actor = principal.acting(principal.writes(group, user))
    audit.ask_for(group, actor.user)
    return actor


async def _deciding_user(
    group: GroupPath, principal: PrincipalDep, audit: AuditDep, user: ActorQuery = None
) -> str | None:
    decider = principal.decides(group, user)
    audit.ask_for(group, decider)
    return decider


async def _deciding_actor(principal: PrincipalDep, decider: Annotated[str | None, Depends(_deciding_user)]) -> Actor:
    return principal.acting(decider)


async def _overseeing_user(group: GroupPath, principal: PrincipalDep, user: ReaderQuery = None) -> str | None:
    if user is None and principal.users is None:
        principal.administers(group)
        return None
    return principal.reads(group, user)


async def _entered_group(group: GroupPath, principal: PrincipalDep) -> str:
    principal.enters(group, Right.READ)
    return group


async def _administered_group(group: GroupPath, principal: PrincipalDep) -> str:
    principal.administers(group)
    return group


async def _restored_group(group: GroupPath, principal: PrincipalDep) -> str:
    principal.oversees(Right.ADMIN)
    return group


async def _retained_group(group: GroupPath, principal: PrincipalDep) -> str:
    principal.administers(group)
    principal.enters(group, Right.ERASE)
    return group


async def _verified_group(group: GroupPath, principal: PrincipalDep) -> str:
    principal.verifies(group)
    return group


def _overseen(right: Right) -> Any:
    async def overseen(principal: PrincipalDep) -> None:
        principal.oversees(right)

    return Depends(overseen)


OVERSEEN = _overseen(Right.READ)
"""For what is read of the whole service."""
OVERSEEN_BY_ADMIN = _overseen(Right.ADMIN)
"""For what only an administrator of the whole service reads."""
UserDep = Annotated[str | None, Depends(_reading_user)]
"""As which user the caller reads; None is the whole group."""
ActorDep = Annotated[Actor, Depends(_actor)]
"""As whom the caller changes something."""
DecidingActorDep = Annotated[Actor, Depends(_deciding_actor)]
"""As whom the caller changes what also others may go by; without a user, an administrator."""
DeciderDep = Annotated[str | None, Depends(_deciding_user)]
"""As which user the caller decides what also others may go by; None is an administrator, for everybody."""
OverseerDep = Annotated[str | None, Depends(_overseeing_user)]
"""As which user the caller looks at work, which has no words of users; None is who administers the group."""
EnteredGroup = Annotated[str, Depends(_entered_group)]
"""A group of which something is read that is no user's: its settings."""
AdministeredGroup = Annotated[str, Depends(_administered_group)]
"""A group of which something is changed that holds for all of its users."""
RestoredGroup = Annotated[str, Depends(_restored_group)]
"""A group of which a file says ids and times, which may be those of any group and of any time; or a name, which keys
of any group may open."""
RetainedGroup = Annotated[str, Depends(_retained_group)]
"""A group of which it is said how long it keeps what was said."""
VerifiedGroup = Annotated[str, Depends(_verified_group)]
"""A group in all of which words are looked for."""


HandIn = Callable[[Sequence[HandedText]], Awaitable[None]]


async def _hand_in(group: GroupPath, principal: PrincipalDep, limits: LimitsDep) -> HandIn:
    return partial(limits.hand_in, principal, group)


HandInDep = Annotated[HandIn, Depends(_hand_in)]
"""Counts texts that are to be stored; raises ``QuotaUsed`` or ``GroupFull`` where they are too many."""


CheckAgain = Callable[[], Awaitable[Principal]]


async def _check_again(request: Request) -> CheckAgain:
    return request.scope["graphmem.check_again"]


CheckAgainDep = Annotated[CheckAgain, Depends(_check_again)]
"""Looks at the key once more, for calls that take long; raises ``Unauthenticated`` where it opens no more."""


def _posted_for(user_of: Callable[[Principal, str, str | None], str | None], body: Any) -> Any:
    async def posted(
        group: Annotated[str, Path(include_in_schema=False)],
        principal: PrincipalDep,
        audit: AuditDep,
        request: Annotated[Any, body],
    ) -> Any:
        agent = {"agent": principal.acts_as(request.agent)} if hasattr(request, "agent") else {}
        user = user_of(principal, group, request.user)
        audit.ask_for(group, user, **agent)
        if user_of is Principal.reads:
            await audit.read(principal, group)
        return said_for(request, user, **agent)

    return Depends(posted)


def read_body(model: Any) -> Any:
    """A dependency on a JSON body that says as which user the caller reads; its ``user`` is that one."""
    return _posted_for(Principal.reads, json_body(model))


def written_body(model: Any, *, optional: bool = False) -> Any:
    """A dependency on a JSON body that says as which user the caller changes something; its ``user`` is that one."""
    return _posted_for(Principal.writes, json_body(model, optional=optional))


def erased_body(model: Any) -> Any:
    """A dependency on a JSON body that says as which user the caller erases; its ``user`` is that one."""
    return _posted_for(Principal.erases, json_body(model))


def decided_body(model: Any) -> Any:
    """A dependency on a JSON body that says as which user the caller decides; its ``user`` is that one."""
    return _posted_for(Principal.decides, json_body(model))


async def _seen(
    if_match: Annotated[
        str | None,
        Header(
            pattern=r'^(\*|"[0-9a-f]{32}")$',
            description="The `id` of the version that you read, in quotes: if the fact has another by now, it is 412.",
        ),
    ] = None,
) -> Seen:
    return Seen(version=None if if_match in (None, "*") else if_match.strip('"'))


SeenDep = Annotated[Seen, Depends(_seen)]
"""What the caller had read of a fact that it changes."""
OpenQuery = Annotated[
    bool | None, Query(description="Open beliefs: false leaves them out, true takes only them; default: both kinds.")
]


@dataclass(frozen=True, slots=True)
class Asked:
    """The scope of a read, and the times that the answer shows: ``known_at`` by default is now."""

    scope: Scope
    valid_at: datetime
    known_at: datetime
    given_valid_at: datetime | None

    def context(self, entities: Iterable[KnownEntity] = (), *, explain: bool = False) -> AnswerContext:
        """What the answer is made with, beside what it shows."""
        return AnswerContext(entities=entities, valid_at=self.valid_at, known_at=self.known_at, explain=explain)


async def _archived_at(request: Request) -> datetime | None:
    group = group_of(request.scope)
    return group and group.archived_at


ArchivedAtDep = Annotated[datetime | None, Depends(_archived_at)]
"""Since when the group that is asked for is archived."""


def asked_of(
    group: str,
    user: str | None,
    valid_at: datetime | None,
    known_at: datetime | None,
    now: datetime,
    *,
    fades: bool,
    archived_at: datetime | None,
) -> Asked:
    """``fades``: whether what nobody used for long no longer comes up by itself; in an archived group no more does."""
    known = LATEST if known_at is None else known_at
    scope = Scope(group, valid_at or now, known, user, asked_at=archived_at or now, fades=fades)
    return Asked(scope, valid_at or now, known_at or now, valid_at)


async def _asked(
    group: GroupPath,
    user: UserDep,
    clock: ClockDep,
    settings: SettingsDep,
    archived_at: ArchivedAtDep,
    valid_at: Annotated[Instant | None, Query(description="What was true at this time; default: now.")] = None,
    known_at: Annotated[Instant | None, Query(description="… as believed at this time; default: now.")] = None,
) -> Asked:
    fades = settings.fading.enabled
    return asked_of(group, user, valid_at, known_at, clock(), fades=fades, archived_at=archived_at)


AskedDep = Annotated[Asked, Depends(_asked)]


async def _asked_of_beliefs(
    asked: AskedDep,
    open: OpenQuery = None,  # noqa: A002 - the name in the URL
) -> Asked:
    return replace(asked, scope=replace(asked.scope, open=open))


AskedOfBeliefsDep = Annotated[Asked, Depends(_asked_of_beliefs)]


async def _standing(asked: AskedDep, memory: MemoryDep) -> Standing:
    return await memory.reader.standing(asked.scope.group, asked.scope.known_at)


StandingDep = Annotated[Standing, Depends(_standing)]
"""Whether the answer will never change. It stands before whatever else of a route's parameters reads the graph."""

IdPath = Annotated[str, Path(pattern=ID_PATTERN, description="32 hexadecimal digits, as answers show them.")]
PredicatePath = Annotated[Name, Path(description="A predicate, as claims have it.", examples=["status"])]
ExternalIdPath = Annotated[Name, Path(description="What its user calls an episode.", examples=["message-17"])]
CursorQuery = Annotated[str | None, Query(max_length=2_000, description="`next_cursor` of the page before.")]
PredicatesQuery = Annotated[list[Name] | None, Query(max_length=64, description="Only these.")]
EntityQuery = Annotated[Name | None, Query(description="The id or the name of an entity to start from.")]
LimitQuery = Annotated[int, Query(ge=1, le=500)]
NameQuery = Annotated[Name | None, Query()]
IdempotencyKey = Annotated[
    Name | None,
    Header(description="The same key of the same user is the same episode; in a list, at the same place."),
]
_MOST_CANDIDATES = 20


async def entity_id(memory: Memory, scope: Scope, entity: str) -> str:
    """The entity that an id or a name means; a short name means the one person whose name it is short for.

    Raises:
        NotFound: none; tells names that are spelt much like it.
        AmbiguousName: several; names them with their ids.
    """
    id_ = await entity_meant(memory, scope, entity)
    if id_ is None:
        raise NotFound(nobody_called(scope.group, entity, await near_names(memory.store, scope, entity)))
    return id_


async def entity_meant(memory: Memory, scope: Scope, entity: str) -> str | None:
    """The id of the entity that an id or a name means; None where nobody and nothing bears the name.

    Raises:
        AmbiguousName: several do; names them with their ids.
    """
    if re.fullmatch(ID_PATTERN, entity):
        return entity
    await memory.reader.known_group(scope.group)
    entities = await meant_by(memory.store, scope, entity, limit=_MOST_CANDIDATES)
    if not entities:
        return None
    if len(identities(entities)) > 1:
        candidates = [{name: getattr(item, name) for name in ("id", "type", "name", "qualifier")} for item in entities]
        raise AmbiguousName("This name may mean several. Ask with the id of one of the candidates.", candidates)
    return entities[0].id
