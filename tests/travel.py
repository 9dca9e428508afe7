"""Time travel: one clock for Python and the database, which goes as far ahead as a test says; and what workers do then.

Whatever reads the database's clock adds how far ahead it is, which every call brings as a parameter of its own.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Any
from uuid import uuid4

import httpx
from neo4j import AsyncDriver

from graphmem.api.app import create_app
from graphmem.api.backend import Backend
from graphmem.clock import utc_now
from graphmem.jobs.digester import Digester
from graphmem.jobs.runner import Do
from graphmem.jobs.schedule import (
    ask_to_consolidate,
    ask_to_deduplicate,
    ask_to_embed,
    ask_to_reflect,
    ask_to_renew,
    ask_to_reprocess,
    ask_to_summarise,
    begin_night,
)
from graphmem.jobs.steps import Stepper, Steps
from graphmem.jobs.worker import steps_of
from graphmem.model.embedding import Embedder
from graphmem.model.fragment import Extractor
from graphmem.model.work import Taken, Work, WorkKind, WorkRequest, WorkStep, reflection_request, work_id
from graphmem.process.tasks import together
from graphmem.queue.redis import Queue
from graphmem.settings import Settings
from graphmem.settings.servers import Neo4jSettings
from graphmem.store.driver import Database, Result, Row, Transaction
from graphmem.store.queries import Query, cypher_root, load_queries
from graphmem.store.reading import Reading
from graphmem.wiring import Services, open_services
from graphmem.write.bulk import MOST
from tests.fakes import InlineQueue

AHEAD = "ahead"
_LONG = 120.0  # seconds, after which whatever was leased or given back is due again
_PASSES = 30


class TravelClock:
    """The clock of this machine, and how far a test is ``ahead`` of it."""

    def __init__(self, start: datetime) -> None:
        self.ahead = start - utc_now()

    def __call__(self) -> datetime:
        return utc_now() + self.ahead

    def go_to(self, instant: datetime) -> None:
        """Go on to an instant, if it is still to come: time goes forward only."""
        self.ahead += max(timedelta(), instant - self())

    def let_pass(self, seconds: float) -> None:
        self.ahead += timedelta(seconds=seconds)


def travelling_queries() -> Mapping[str, Query]:
    """All queries; those that read the database's clock take one parameter more."""
    return {name: _travelling(query) for name, query in load_queries(cypher_root()).items()}


def _travelling(query: Query) -> Query:
    text = query.text.replace("datetime.realtime()", "(datetime.realtime() + duration({microseconds: $ahead}))")
    return query if text == query.text else replace(query, text=text, params=(*query.params, AHEAD))


class TravelledTransaction(Transaction):
    """A transaction whose queries read the clock of a test."""

    def __init__(self, inner: Transaction, clock: TravelClock) -> None:
        super().__init__(inner._transaction, inner._mode)  # noqa: SLF001 - of the same class
        self._clock = clock

    async def _reading(self, query: Query, row: type[Row], params: Mapping[str, object]) -> Reading[Row]:
        return await super()._reading(query, row, _with(query, params, self._clock))

    async def execute(self, query: Query, /, **params: object) -> None:
        await super().execute(query, **_with(query, params, self._clock))

    async def execute_last(self, query: Query, /, **params: object) -> None:
        await self.execute(query, **params)


class TravelledDatabase(Database):
    """A database that reads the clock of a test."""

    def __init__(self, driver: AsyncDriver, settings: Neo4jSettings, clock: TravelClock) -> None:
        super().__init__(driver, settings)
        self._clock = clock

    async def read(self, work: Callable[[Transaction], Awaitable[Result]], /) -> Result:
        return await super().read(self._in_time(work))

    async def write(
        self, work: Callable[[Transaction], Awaitable[Result]], /, *, seconds: float | None = None
    ) -> Result:
        return await super().write(self._in_time(work), seconds=seconds)

    async def rehearse(self, work: Callable[[Transaction], Awaitable[Result]], /, *, seconds: float) -> Result:
        return await super().rehearse(self._in_time(work), seconds=seconds)

    async def run(self, query: Query, row: type[Row], /, **params: object) -> list[Row]:
        return await super().run(query, row, **_with(query, params, self._clock))

    async def execute(self, query: Query, /, **params: object) -> None:
        await super().execute(query, **_with(query, params, self._clock))

    async def execute_in_batches(self, query: Query, /, *, seconds: float, **params: object) -> int:
        return await super().execute_in_batches(query, seconds=seconds, **_with(query, params, self._clock))

    def _in_time(self, work: Callable[[Transaction], Awaitable[Result]]) -> Callable[[Transaction], Awaitable[Result]]:
        async def in_time(transaction: Transaction) -> Result:
            return await work(TravelledTransaction(transaction, self._clock))

        return in_time


def _with(query: Query, params: Mapping[str, object], clock: TravelClock) -> dict[str, Any]:
    ahead = {AHEAD: clock.ahead // timedelta(microseconds=1)} if AHEAD in query.params else {}
    return {**params, **ahead}


@asynccontextmanager
async def travelling(
    settings: Settings, clock: TravelClock, extractor: Extractor, embedder: Embedder
) -> AsyncGenerator[Services]:
    """Everything that a process stands on, in the time of a test."""
    connect, queries = partial(TravelledDatabase, clock=clock), travelling_queries()
    async with open_services(
        settings, extractor=extractor, embedder=embedder, clock=clock, connect=connect, queries=queries
    ) as services:
        yield services


@asynccontextmanager
async def calling(services: Services) -> AsyncGenerator[httpx.AsyncClient]:
    """A client of the API over these services, without a network between them."""

    @asynccontextmanager
    async def backend(_settings: Settings) -> AsyncGenerator[Backend]:
        yield Backend(services=services, queue=InlineQueue(services.memory))

    app = create_app(services.settings, backend)
    token = (services.settings.data_dir / "secrets" / "api-token").read_text(encoding="utf-8").strip()
    transport, headers = httpx.ASGITransport(app), {"Authorization": f"Bearer {token}"}
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers, timeout=60) as client,
    ):
        yield client


class Mortal(Steps):
    """Steps of a worker that dies of some of them: after what they do is written, before it is told that it was."""

    def __init__(self, steps: Steps, chance: Random) -> None:
        self._steps = steps
        self._chance = chance
        self._survived = set[tuple[str, int, str]]()
        self.died = 0

    async def step(self, work: Work) -> WorkStep | None:
        done = await self._steps.step(work)
        place = (work.id, work.generation, repr(sorted(work.cursor.items())))
        if place not in self._survived and self._chance.random() < 0.3:
            self._survived.add(place)
            self.died += 1
            raise asyncio.CancelledError
        return done

    def shrink(self) -> None:
        self._steps.shrink()


@dataclass
class Workers:
    """What the schedule asks for, and what workers make of it: all in this process, to its end.

    With a ``chance``, they are killed now and then. All is done by so many ``at_once``.
    """

    services: Services
    queue: Queue
    clock: TravelClock
    chance: Random | None = None
    at_once: int = 1
    mortals: list[Mortal] = field(default_factory=list[Mortal])

    async def night(self) -> None:
        """What is asked for by night and by week, and whatever follows from it."""
        for ask in (begin_night, ask_to_reprocess, ask_to_reflect):
            await together([ask(self.services) for _ in range(self.at_once)])
        await self.work()

    async def again(self, group: str) -> None:
        """All that a group's night is made of once more, as somebody asks for it."""
        works, week = self.services.works, self.services.reflections.policy.last_scheduled(self.clock())
        for kind in (WorkKind.DEDUP, WorkKind.ENRICH, WorkKind.CONSOLIDATE, WorkKind.SUMMARISE):
            await works.request_work(group, kind, [WorkRequest(id=work_id(kind, group))])
        await works.request_work(group, WorkKind.REFLECT, [reflection_request(group, week, anew=True)])
        await self.work()

    @property
    def died(self) -> int:
        """How often one was killed."""
        return sum(mortal.died for mortal in self.mortals)

    async def work(self) -> None:
        """What is asked for all the time, until nothing is left to do."""
        for _ in range(_PASSES):
            await self.services.memory.sessions.close_silent()
            for ask in (ask_to_deduplicate, ask_to_embed, ask_to_consolidate, ask_to_summarise, ask_to_renew):
                await together([ask(self.services) for _ in range(self.at_once)])
            if not await self._do_what_is_due():
                return
        raise AssertionError("there is always something more to do")

    async def _do_what_is_due(self) -> int:
        """All of it, also what is due only later; returns how much."""
        jobs, done = self.services.settings.jobs, 0
        async with aclosing(Digester(self.services.memory, self.services.works, self.queue, jobs)) as digester:
            kinds: dict[str, Do] = {WorkKind.DIGEST: digester.digest}
            for kind, steps in steps_of(self.services).items():
                kinds[kind] = Stepper(self._mortal(steps), self.services.works, jobs).do
            while some := sum(await together([self._take_all(kinds) for _ in range(self.at_once)])):
                done += some
                self.clock.let_pass(_LONG)
        return done

    def _mortal(self, steps: Steps) -> Steps:
        if self.chance is None:
            return steps
        self.mortals.append(Mortal(steps, self.chance))
        return self.mortals[-1]

    async def _take_all(self, kinds: Mapping[str, Do]) -> int:
        done, seconds = 0, self.services.settings.jobs.lease_seconds
        while taken := await self.services.works.take_work(uuid4().hex, seconds, most=MOST):
            await _survived(kinds[taken.kind], taken)
            done += 1
        return done


async def _survived(do: Do, taken: Taken) -> None:
    """Have it done by somebody who may die of it."""
    try:
        await do(taken)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
