"""A worker does what is due without being told, and goes on and says so where a background task fails."""

import asyncio
import os
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
from pydantic import SecretStr

from graphmem.errors import ConfigurationError, GraphmemError, QueryDefinitionError, StoreUnavailable
from graphmem.jobs.deduplicator import Deduplicator
from graphmem.jobs.digester import Digester
from graphmem.jobs.runner import POLL_SECONDS, Runner
from graphmem.jobs.schedule import scheduled
from graphmem.jobs.steps import Stepper
from graphmem.jobs.worker import ReadyFile, sweeping
from graphmem.local import ManagedServers
from graphmem.local.programs import worker_missing
from graphmem.model.episode import Episode, EpisodeStatus
from graphmem.model.interval import LATEST
from graphmem.model.scope import Scope
from graphmem.model.work import FEW, Lane, Taken, WorkKind, WorkProgress, WorkRequest, work_id
from graphmem.process.background import Background
from graphmem.process.disk import Disk
from graphmem.queue.redis import Queue
from graphmem.queue.wakeups import WakeUp
from graphmem.settings import Settings
from graphmem.settings.jobs import JobSettings
from graphmem.settings.servers import DiskSettings, Neo4jSettings, RedisSettings
from graphmem.store.driver import Database
from graphmem.store.queries import read_queries
from graphmem.wiring import Services, open_services
from tests.fakes import HashEmbedder, ScriptedExtractor

QUERIES = {query.name: query for query in read_queries(Path(__file__).parent / "work.cypher")}


@pytest.fixture
async def services(own_servers: ManagedServers, own_database: Database, tmp_path: Path) -> AsyncGenerator[Services]:
    await own_database.execute(QUERIES["nothing_waits"])
    settings = Settings(
        data_dir=tmp_path,
        neo4j=Neo4jSettings(uri=own_servers.uri, user=own_servers.user, password=SecretStr(own_servers.password)),
        jobs=JobSettings(sweep_seconds=0.1, concurrency=2),
    )
    async with open_services(settings, extractor=ScriptedExtractor(), embedder=HashEmbedder()) as opened:
        yield opened


@pytest.mark.parametrize("error", [QueryDefinitionError("A torn row."), ConfigurationError("Check the password.")])
async def test_the_sweeper_goes_on_after_any_error_and_the_worker_is_not_ready_meanwhile(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: GraphmemError
) -> None:
    changed, errors = asyncio.Event(), [error]
    ready = ReadyFile(tmp_path)

    def write() -> None:
        ready.write(background.failing())
        changed.set()

    async def close_silent() -> None:
        if errors:
            raise errors.pop()

    monkeypatch.setattr(services.memory.sessions, "close_silent", close_silent)
    background, missing = Background(write), list[str | None]()
    with ready:
        missing.append(worker_missing(tmp_path / "run", os.getpid()))
        async with sweeping(services, background), asyncio.timeout(30):
            for _ in range(2):
                await changed.wait()
                changed.clear()
                missing.append(worker_missing(tmp_path / "run", os.getpid()))
    missing.append(worker_missing(tmp_path / "run", os.getpid()))

    assert missing == [None, f"sweeper: {error.title()}: {error}", None, "it has not connected to its servers"]


class Doer:
    """Does work of any kind, or nothing yet; notes what, and how many at once."""

    def __init__(self, *, hold: bool = False) -> None:
        self.done: asyncio.Queue[Taken] = asyncio.Queue()
        self.most = 0
        self._at = 0
        self._free = asyncio.Event()
        if not hold:
            self._free.set()

    async def do(self, taken: Taken) -> None:
        self._at += 1
        self.most = max(self.most, self._at)
        await self.done.put(taken)
        await self._free.wait()
        self._at -= 1

    def release(self) -> None:
        self._free.set()


async def told(services: Services, group: str, count: int) -> set[str]:
    episodes = [
        Episode(group_id=group, session="s", content=f"Turn {day}.", occurred_at=datetime(2025, 1, day, tzinfo=UTC))
        for day in range(1, count + 1)
    ]
    return {answer.id for answer in await services.memory.intake.remember(group, episodes)}


def runner(services: Services, doer: Doer) -> Runner:
    return Runner(services.works, dict.fromkeys(WorkKind, doer.do), WakeUp(), services.settings.jobs)


async def test_work_is_done_though_nobody_tells_of_it(services: Services, group: str) -> None:
    doer = Doer()
    async with runner(services, doer).running(Background()), asyncio.timeout(60):
        ids = await told(services, group, 5)
        done = [await doer.done.get() for _ in ids]

    assert {id_ for taken in done for id_ in taken.ids} == ids


async def test_while_space_is_short_work_waits_and_spends_nothing(services: Services, group: str) -> None:
    free = [0]
    disk = Disk(DiskSettings(path=Path("/"), least_free_mb=1, watch_seconds=0.05), lambda _path: free[0])
    doer, background = Doer(), Background()
    paused = Runner(services.works, dict.fromkeys(WorkKind, doer.do), WakeUp(), services.settings.jobs, disk=disk)
    (id_,) = await told(services, group, 1)
    async with background.running("disk", disk.watching), paused.running(background), asyncio.timeout(60):
        await asyncio.sleep(3 * POLL_SECONDS)
        (waiting,) = await services.works.works_by_id(group, [id_])
        free[0] = 2**30
        done = await doer.done.get()

    assert (waiting.status, waiting.attempts, waiting.leases) == (WorkProgress.PENDING, 0, 0)
    assert done.ids == (id_,)


async def test_a_job_stops_between_two_steps_when_space_gets_short_and_goes_on_later(
    services: Services, group: str
) -> None:
    disk = Disk(DiskSettings(path=Path("/"), least_free_mb=1), lambda _path: 0)
    request = WorkRequest(id=work_id(WorkKind.DEDUP, group))
    await services.works.request_work(group, WorkKind.DEDUP, [request])
    taken = await services.works.take_work("lease", 60.0, group=group)
    assert taken is not None
    deduplicator = Deduplicator(services.memory.matching)
    await Stepper(deduplicator, services.works, services.settings.jobs, disk=disk).do(taken)
    (left,) = await services.works.works_by_id(group, taken.ids)
    assert (left.status, left.attempts, left.leases) == (WorkProgress.PENDING, 0, 0)


async def test_a_retry_that_is_due_is_taken_up_though_nobody_tells_of_it(services: Services, group: str) -> None:
    doer = Doer()
    async with runner(services, doer).running(Background()), asyncio.timeout(60):
        (id_,) = await told(services, group, 1)
        first = await doer.done.get()
        await services.works.return_work(group, id_, first.lease, 0.2)
        second = await doer.done.get()

    assert (second.ids, second.lease != first.lease) == ((id_,), True)


async def test_no_more_is_taken_than_there_is_room_for(services: Services, group: str) -> None:
    doer = Doer(hold=True)
    async with runner(services, doer).running(Background()), asyncio.timeout(60):
        ids = await told(services, group, 5)
        first = [await doer.done.get() for _ in range(2)]
        doer.release()
        rest = [await doer.done.get() for _ in range(3)]

    assert doer.most == services.settings.jobs.concurrency
    assert {id_ for taken in (*first, *rest) for id_ in taken.ids} == ids


async def test_batches_leave_a_place_for_what_somebody_waits_for(services: Services, group: str) -> None:
    doer = Doer(hold=True)
    bulk = await told(services, group, 3 * FEW)
    busy = Runner(services.works, dict.fromkeys(WorkKind, doer.do), WakeUp(), services.settings.jobs, most=2 * FEW)
    async with busy.running(Background()), asyncio.timeout(60):
        batch = await doer.done.get()
        (id_,) = await told(services, f"{group}-live", 1)
        live = await doer.done.get()
        doer.release()
        rest = await doer.done.get()

    assert (len(batch.ids), live.ids) == (2 * FEW, (id_,))
    assert {*batch.ids, *rest.ids} == bulk


async def test_what_came_in_bulk_and_is_taken_alone_leaves_a_place_too(services: Services, group: str) -> None:
    doer = Doer(hold=True)
    await told(services, group, 2 * FEW)
    async with runner(services, doer).running(Background()), asyncio.timeout(60):
        bulk = await doer.done.get()
        (id_,) = await told(services, f"{group}-live", 1)
        live = await doer.done.get()
        doer.release()

    assert (bulk.lane, live.lane, live.ids) == (Lane.BULK, Lane.LIVE, (id_,))


async def test_of_work_that_is_no_digest_one_is_done_at_a_time(services: Services, group: str) -> None:
    doer = Doer(hold=True)
    requests = [WorkRequest(id=work_id(WorkKind.REPROCESS, group, target)) for target in "ab"]
    async with runner(services, doer).running(Background()), asyncio.timeout(60):
        await services.works.request_work(group, WorkKind.REPROCESS, requests)
        await doer.done.get()
        (id_,) = await told(services, group, 1)
        live = await doer.done.get()
        doer.release()
        last = await doer.done.get()

    assert live.ids == (id_,)
    assert last.kind == WorkKind.REPROCESS


@pytest.mark.parametrize("error", [StoreUnavailable(), QueryDefinitionError("A torn row."), ValueError("x")])
async def test_the_runner_goes_on_after_any_error(
    services: Services, group: str, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    doer, errors, take = Doer(), [error], services.works.take_work

    async def failing(*arguments: object, **named: object) -> Taken | None:
        if errors:
            raise errors.pop()
        return await take(*arguments, **named)  # pyright: ignore[reportArgumentType] -- handed on as they came

    monkeypatch.setattr(services.works, "take_work", failing)
    async with runner(services, doer).running(Background()), asyncio.timeout(60):
        ids = await told(services, group, 1)
        done = await doer.done.get()

    assert set(done.ids) == ids


async def test_work_of_a_kind_that_nobody_knows_is_left_to_a_newer_worker(services: Services, group: str) -> None:
    id_ = work_id(WorkKind.REPROCESS, group)
    await services.works.request_work(group, WorkKind.REPROCESS, [WorkRequest(id=id_)])
    async with Runner(services.works, {}, WakeUp(), services.settings.jobs).running(Background()), asyncio.timeout(60):
        while True:
            (work,) = await services.works.works_by_id(group, [id_])
            if work.began_at is not None and work.leases == 0:
                break
            await asyncio.sleep(0.05)

    assert (work.attempts, work.error) == (0, None)


async def test_what_came_in_bulk_is_digested_together_and_what_fails_fails_alone(
    services: Services, queue: Queue, group: str
) -> None:
    ids = await told(services, group, FEW + 2)
    broken = Episode(group_id=group, session="s", content="Broken.", occurred_at=datetime(2025, 2, 1, tzinfo=UTC))
    works, memory = services.works, services.memory
    await memory.intake.remember(group, [broken])
    digester = Digester(memory, works, queue, services.settings.jobs)
    for _ in range(2):
        taken = await works.take_work(uuid4().hex, 60, most=50, group=group)
        assert taken is not None
        await digester.digest(taken)

    stored = {one.id: one for one in await memory.store.episodes_by_id(Scope(group, LATEST), [*ids, broken.id])}
    assert {stored[id_].status for id_ in ids} == {EpisodeStatus.DIGESTED}
    assert (stored[broken.id].status, stored[broken.id].attempts) == (EpisodeStatus.PENDING, 0)


async def test_the_schedule_ends_with_its_block(services: Services, own_servers: ManagedServers) -> None:
    redis = RedisSettings(url=SecretStr(own_servers.redis_url))
    opened = replace(services, settings=services.settings.model_copy(update={"redis": redis}))
    background = Background()
    async with asyncio.timeout(30), scheduled(opened, background):
        await asyncio.sleep(0.5)

    assert background.failures == {}
