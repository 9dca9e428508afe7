"""What routes ask for: the services, the group of the path, and the point in time of a read."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import Depends, Header, Path, Query, Request

from graphmem.api.backend import Backend, Queue
from graphmem.api.schemas.words import GROUP_PATTERN, ID_PATTERN, Instant, Name
from graphmem.clock import Clock
from graphmem.extractors import Extractors
from graphmem.memory import Memory
from graphmem.model.recall import PointInTime
from graphmem.settings import Settings
from graphmem.store.predicates import PredicateStore


async def _backend(request: Request) -> Backend:
    return request.app.state.backend


BackendDep = Annotated[Backend, Depends(_backend)]


async def _memory(backend: BackendDep) -> Memory:
    return backend.services.memory


async def _predicates(backend: BackendDep) -> PredicateStore:
    return backend.services.predicates


async def _extractors(backend: BackendDep) -> Extractors:
    return backend.services.extractors


async def _queue(backend: BackendDep) -> Queue:
    return backend.queue


async def _clock(backend: BackendDep) -> Clock:
    return backend.services.clock


async def _settings(request: Request) -> Settings:
    return request.app.state.settings


MemoryDep = Annotated[Memory, Depends(_memory)]
PredicatesDep = Annotated[PredicateStore, Depends(_predicates)]
ExtractorsDep = Annotated[Extractors, Depends(_extractors)]
QueueDep = Annotated[Queue, Depends(_queue)]
ClockDep = Annotated[Clock, Depends(_clock)]
SettingsDep = Annotated[Settings, Depends(_settings)]


@dataclass(frozen=True, slots=True)
class When:
    """The point in time of a read, and how the answer shows it: ``known_at`` by default is now."""

    point: PointInTime
    valid_at: datetime
    known_at: datetime
    given_valid_at: datetime | None


def when_of(valid_at: datetime | None, known_at: datetime | None, now: datetime) -> When:
    point = PointInTime(valid_at or now) if known_at is None else PointInTime(valid_at or now, known_at)
    return When(point, valid_at or now, known_at or now, valid_at)


async def _when(
    clock: ClockDep,
    valid_at: Annotated[Instant | None, Query(description="What was true at this time; default: now.")] = None,
    known_at: Annotated[Instant | None, Query(description="… as believed at this time; default: now.")] = None,
) -> When:
    return when_of(valid_at, known_at, clock())


WhenDep = Annotated[When, Depends(_when)]
GroupPath = Annotated[str, Path(pattern=GROUP_PATTERN, description="The tenant's graph.", examples=["team-1"])]


async def _settled(group: GroupPath, when: WhenDep, memory: MemoryDep) -> bool:
    return await memory.reader.settled(group, when.point.known_at)


SettledDep = Annotated[bool, Depends(_settled)]
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
    Header(description="The same key is the same episode; items of a list get `<key>/<index>`."),
]
