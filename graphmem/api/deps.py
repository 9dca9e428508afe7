"""What routes ask for: the services, who calls, and the scope of a read."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

from fastapi import Depends, Header, Path, Query, Request

from graphmem.answers.answer import AnswerContext
from graphmem.api.auth import Principal, Right
from graphmem.api.backend import Backend, WorkQueue
from graphmem.api.schemas.words import GROUP_PATTERN, ID_PATTERN, Instant, Name
from graphmem.clock import Clock
from graphmem.derived.reflections import Reflections
from graphmem.derived.summaries import Summaries
from graphmem.extract.providers import Extractors
from graphmem.memory import Memory
from graphmem.model.interval import LATEST
from graphmem.model.recall import KnownEntity
from graphmem.model.scope import Scope
from graphmem.recall.context import Contexts
from graphmem.recall.reader import Standing
from graphmem.settings import Settings
from graphmem.store.predicates import PredicateStore


async def _backend(request: Request) -> Backend:
    return request.app.state.backend


BackendDep = Annotated[Backend, Depends(_backend)]


async def _memory(backend: BackendDep) -> Memory:
    return backend.services.memory


async def _contexts(backend: BackendDep) -> Contexts:
    return backend.services.contexts


async def _summaries(backend: BackendDep) -> Summaries:
    return backend.services.summaries


async def _reflections(backend: BackendDep) -> Reflections:
    return backend.services.reflections


async def _predicates(backend: BackendDep) -> PredicateStore:
    return backend.services.predicates


async def _extractors(backend: BackendDep) -> Extractors:
    return backend.services.extractors


async def _queue(backend: BackendDep) -> WorkQueue:
    return backend.queue


async def _clock(backend: BackendDep) -> Clock:
    return backend.services.clock


async def _settings(request: Request) -> Settings:
    return request.app.state.settings


MemoryDep = Annotated[Memory, Depends(_memory)]
ContextsDep = Annotated[Contexts, Depends(_contexts)]
PredicatesDep = Annotated[PredicateStore, Depends(_predicates)]
ExtractorsDep = Annotated[Extractors, Depends(_extractors)]
QueueDep = Annotated[WorkQueue, Depends(_queue)]
ClockDep = Annotated[Clock, Depends(_clock)]
SummariesDep = Annotated[Summaries, Depends(_summaries)]
ReflectionsDep = Annotated[Reflections, Depends(_reflections)]
SettingsDep = Annotated[Settings, Depends(_settings)]


GroupPath = Annotated[str, Path(pattern=GROUP_PATTERN, description="The tenant's graph.", examples=["team-1"])]


async def _principal(request: Request) -> Principal:
    return request.scope["graphmem.principal"]


PrincipalDep = Annotated[Principal, Depends(_principal)]


ReaderQuery = Annotated[
    Name | None, Query(description="What everybody and this user may see; default: the whole group.")
]


async def _reading_user(
    group: GroupPath,
    principal: PrincipalDep,
    user: ReaderQuery = None,
) -> str | None:
    return principal.reads(group, user)


async def _writing_user(
    group: GroupPath,
    principal: PrincipalDep,
    user: Annotated[
        Name | None,
        Query(description="Who does it: what this user may not see is not there; default: whoever may do all."),
    ] = None,
) -> str | None:
    return principal.writes(group, user)


async def _overseeing_user(
    group: GroupPath,
    principal: PrincipalDep,
    user: ReaderQuery = None,
) -> str | None:
    if user is None and principal.user is None:
        principal.administers(group)
        return None
    return principal.reads(group, user)


async def _entered_group(group: GroupPath, principal: PrincipalDep) -> str:
    principal.enters(group, Right.READ)
    return group


async def _administered_group(group: GroupPath, principal: PrincipalDep) -> str:
    principal.administers(group)
    return group


UserDep = Annotated[str | None, Depends(_reading_user)]
"""As which user the caller reads; None is the whole group."""
ActorDep = Annotated[str | None, Depends(_writing_user)]
"""As which user the caller changes something; None may change what belongs to any user."""
OverseerDep = Annotated[str | None, Depends(_overseeing_user)]
"""As which user the caller looks at work, which has no words of users; None is who administers the group."""
EnteredGroup = Annotated[str, Depends(_entered_group)]
"""A group of which something is read that is no user's: its settings."""
AdministeredGroup = Annotated[str, Depends(_administered_group)]
"""A group of which something is changed that holds for all of its users."""


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


def asked_of(
    group: str, user: str | None, valid_at: datetime | None, known_at: datetime | None, now: datetime, *, fades: bool
) -> Asked:
    """``fades``: whether what nobody used for long no longer comes up by itself."""
    known = LATEST if known_at is None else known_at
    scope = Scope(group, valid_at or now, known, user, asked_at=now, fades=fades)
    return Asked(scope, valid_at or now, known_at or now, valid_at)


async def _asked(
    group: GroupPath,
    user: UserDep,
    clock: ClockDep,
    settings: SettingsDep,
    valid_at: Annotated[Instant | None, Query(description="What was true at this time; default: now.")] = None,
    known_at: Annotated[Instant | None, Query(description="… as believed at this time; default: now.")] = None,
) -> Asked:
    return asked_of(group, user, valid_at, known_at, clock(), fades=settings.fading.enabled)


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
CursorQuery = Annotated[str | None, Query(max_length=2_000, description="`next_cursor` of the page before.")]
PredicatesQuery = Annotated[list[Name] | None, Query(max_length=64, description="Only these.")]
EntityQuery = Annotated[Name | None, Query(description="The id or the name of an entity to start from.")]
LimitQuery = Annotated[int, Query(ge=1, le=500)]
NameQuery = Annotated[Name | None, Query()]
IdempotencyKey = Annotated[
    Name | None,
    Header(description="The same key of the same user is the same episode; in a list, at the same place."),
]
