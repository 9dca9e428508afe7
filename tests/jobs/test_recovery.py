"""Whatever is killed, whenever: afterwards the graph is what one clean run gives."""

import asyncio
import os
import random
import re
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from graphmem.errors import StoreUnavailable
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.offline.providers import Strategy
from graphmem.jobs.nights import Reprocessor
from graphmem.jobs.schedule import nightly, redacting
from graphmem.jobs.steps import Stepper
from graphmem.local import ManagedServers
from graphmem.local.ports import choose_port
from graphmem.memory import Memory
from graphmem.model.episode import Episode, EpisodeStatus
from graphmem.model.forgetting import Selector
from graphmem.model.ids import group_token
from graphmem.model.interval import BEGIN, END, LATEST
from graphmem.model.projection.predicate import ONE
from graphmem.model.recall import FIRST_VERSION
from graphmem.model.scope import Scope
from graphmem.model.search import EPISODE
from graphmem.model.work import SERVICE, Work, WorkKind, WorkProgress, work_id
from graphmem.queue.redis import Queue, open_queue
from graphmem.settings.jobs import JobSettings
from graphmem.store.forget import ForgetStore
from graphmem.store.graph import GraphStore
from graphmem.store.search import TextQuery
from graphmem.wiring import Services
from tests.jobs.clean_run import clean_run, held
from tests.jobs.conftest import StartWorker
from tests.jobs.deals import Bench, deals, expected
from tests.jobs.telling import STEPS, tell, telling_memory
from tests.models import digest, embedder, extractor, memory_on
from tests.store.test_forgetting import where_told

PEOPLE = ("Maya", "Bruno", "Ines")
SENTENCES = (
    "I live in Lisbon.",
    "I moved to Porto last month.",
    "I work at Initech.",
    "I left Initech in March.",
    "I like jazz.",
    "Bruno lives in Madrid.",
    "I am married to Ines.",
)
PATIENCE = 240.0

pytestmark = pytest.mark.timeout(900)


def conversation(group: str, size: int, seed: int) -> list[Episode]:
    """Dated turns in a shuffled order: what arrives late is part of the test."""
    rng = random.Random(seed)  # noqa: S311 - reproducible on purpose
    turns = [
        Episode(
            group_id=group,
            session=f"talk {number % 3}",
            content=rng.choice(SENTENCES),
            speaker=rng.choice(PEOPLE),
            occurred_at=datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=7 * number),
        )
        for number in range(size)
    ]
    rng.shuffle(turns)
    return turns


async def digested(services: Services, group: str, wanted: int) -> None:
    """Return once so many episodes are digested."""
    async with asyncio.timeout(PATIENCE):
        while await digested_so_far(services, group) < wanted:  # noqa: ASYNC110 - as a client would
            await asyncio.sleep(0.05)


async def digested_so_far(services: Services, group: str) -> int:
    """How many; none where a server that has just started does not answer yet."""
    try:
        return (await services.memory.store.work_of_group(group))[EpisodeStatus.DIGESTED]
    except StoreUnavailable:
        return 0


async def remembered(services: Services, queue: Queue, episodes: list[Episode]) -> None:
    group = episodes[0].group_id
    await services.memory.intake.remember(group, episodes)
    await queue.wake_workers(group)


async def flushed(queue: Queue) -> None:
    """The queue loses everything."""
    await queue.redis.flushall()  # pyright: ignore[reportUnknownMemberType] -- its **kwargs


async def found_by_text(store: GraphStore, group: str) -> int:
    """How many episodes the full-text index has."""
    query = TextQuery(EPISODE, f"group_token:{group_token(group)}", limit=1000)
    return (await store.by_text(Scope(group, LATEST, LATEST), [query]))[0].raw


async def assert_clean(services: Services, episodes: list[Episode]) -> None:
    group, store = episodes[0].group_id, services.memory.store
    await digested(services, group, len(episodes))

    assert (await store.work_of_group(group))[EpisodeStatus.FAILED] == 0
    assert await held(services.database, group) == await clean_run(episodes, extractor())
    assert await found_by_text(store, group) == len(episodes)


async def test_workers_killed_at_any_point(services: Services, start_worker: StartWorker, group: str) -> None:
    episodes = conversation(group, 30, seed=1)
    async with open_queue(services.settings.redis) as queue:
        await remembered(services, queue, episodes)
    for wanted in (3, 12):
        worker = start_worker()
        await digested(services, group, wanted)
        worker.kill()
    start_worker()

    await assert_clean(services, episodes)


@pytest.mark.full
async def test_a_lost_queue_and_two_workers_at_once(services: Services, start_worker: StartWorker, group: str) -> None:
    episodes = conversation(group, 40, seed=2)
    start_worker()
    start_worker()
    async with open_queue(services.settings.redis) as queue:
        await remembered(services, queue, episodes[:20])
        await flushed(queue)
        await remembered(services, queue, episodes[20:])
        await flushed(queue)

    await assert_clean(services, episodes)


@pytest.mark.full
async def test_neo4j_killed_and_started_again(
    services: Services, own_servers: ManagedServers, start_worker: StartWorker, group: str
) -> None:
    episodes = conversation(group, 40, seed=3)
    async with open_queue(services.settings.redis) as queue:
        await remembered(services, queue, episodes)
    start_worker()
    await digested(services, group, 5)
    await asyncio.to_thread(own_servers.kill, "neo4j")
    await asyncio.to_thread(own_servers.start, "neo4j")

    await assert_clean(services, episodes)


@pytest.mark.full
async def test_valkey_killed_and_started_again(
    services: Services, own_servers: ManagedServers, start_worker: StartWorker, group: str
) -> None:
    episodes = conversation(group, 30, seed=4)
    async with open_queue(services.settings.redis) as queue:
        await remembered(services, queue, episodes)
    start_worker()
    await digested(services, group, 3)
    await asyncio.to_thread(own_servers.kill, "valkey")
    await asyncio.to_thread(own_servers.start, "valkey")

    await assert_clean(services, episodes)


@pytest.mark.full
async def test_without_a_queue_work_is_done_all_the_same(
    services: Services, start_worker: StartWorker, group: str
) -> None:
    episodes = conversation(group, 15, seed=8)
    start_worker(REDIS_URL="unix:///nowhere/valkey.sock")
    await services.memory.intake.remember(group, episodes)

    await assert_clean(services, episodes)


@pytest.mark.full
async def test_a_worker_that_is_stopped_finishes_what_it_has_and_leaves_the_rest(
    services: Services, start_worker: StartWorker, group: str
) -> None:
    episodes = conversation(group, 30, seed=5)
    async with open_queue(services.settings.redis) as queue:
        await remembered(services, queue, episodes)
    worker = start_worker()
    await digested(services, group, 3)

    assert worker.stop() == 0
    start_worker()
    await assert_clean(services, episodes)


@pytest.mark.full
async def test_a_worker_shows_what_it_digested(services: Services, start_worker: StartWorker, group: str) -> None:
    port = choose_port(0)
    start_worker(GRAPHMEM_JOBS_METRICS_PORT=str(port))
    async with open_queue(services.settings.redis) as queue:
        await remembered(services, queue, conversation(group, 3, seed=6))
    await digested(services, group, 3)

    async with httpx.AsyncClient(trust_env=False) as client:
        shown = (await client.get(f"http://127.0.0.1:{port}/metrics")).text

    assert re.search(r'^graphmem_digests_total{outcome="digested"} [123]\.0$', shown, re.MULTILINE)
    assert re.search(r'^graphmem_digest_step_seconds_count{step="transaction"} [123]\.0$', shown, re.MULTILINE)


@pytest.mark.full
async def test_claims_retractions_and_corrections_though_their_teller_and_neo4j_are_killed(
    services: Services, own_servers: ManagedServers, group: str
) -> None:
    memory, clean = telling_memory(services.database), f"{group}-clean"
    steps = [step async for step in tell(memory, clean)]

    for last in (STEPS // 6, STEPS // 2):
        with teller(own_servers, group) as telling:
            await told(telling, last)
            telling.kill()
    with teller(own_servers, group) as telling:
        await told(telling, STEPS * 2 // 3)
        await asyncio.to_thread(own_servers.kill, "neo4j")
        await asyncio.to_thread(own_servers.start, "neo4j")
        assert await asyncio.to_thread(telling.wait, PATIENCE) == 0

    assert steps == list(range(STEPS))
    assert await believed(memory, group) == await believed(memory, clean)
    assert "backwards" not in await held(services.database, group)


def teller(own_servers: ManagedServers, group: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "NEO4J_URI": own_servers.uri, "NEO4J_PASSWORD": own_servers.password}  # noqa: TID251
    command = [sys.executable, "-m", "tests.jobs.telling", group]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


async def told(telling: subprocess.Popen[str], last: int) -> None:
    """Return once this step was told."""
    assert telling.stdout
    while await asyncio.to_thread(telling.stdout.readline) != f"{last}\n":
        assert telling.poll() is None


async def believed(memory: Memory, group: str) -> set[tuple[object, ...]]:
    """What is believed now, of any time: without ids, which are of a group."""
    found: set[tuple[object, ...]] = set()
    for entity in await memory.reader.entities(Scope(group, BEGIN, LATEST)):
        scope = Scope(group, LATEST)
        versions = await memory.store.history_of_entity(
            scope, entity.id, valid_at=None, predicates=None, after=FIRST_VERSION, limit=1000
        )
        now = [row for row in versions.beliefs if row.superseded_at == END]
        found |= {(row.statement, row.valid_from, row.valid_to, row.confidence, row.contested) for row in now}
    return found


async def reprocess(services: Services) -> None:
    """Do what was asked for by night, in this group of 30 episodes and in whatever others there are."""
    period = services.clock().date().isoformat()
    id_ = work_id(WorkKind.REPROCESS, SERVICE, period=period)
    taken = await services.works.lease_work(SERVICE, id_, "lease", 60)
    assert taken
    steps = Reprocessor(services.memory, "accurate", extractor().version, services.settings.jobs)
    await Stepper(steps, services.works, services.settings.jobs).do(taken)
    (work,) = await services.works.works_by_id(SERVICE, [id_])
    assert (work.status, work.generation) == (WorkProgress.DONE, 1)
    assert isinstance(found := work.result["episodes"], int)
    assert found >= 30


@pytest.mark.full
async def test_what_is_read_again_by_night_is_as_if_it_had_been_read_so_at_once(
    services: Services, start_worker: StartWorker, group: str
) -> None:
    episodes = conversation(group, 30, seed=7)
    quick = memory_on(services.database, extracts=OfflineExtractor(Strategy.FAST), embeds=embedder())
    clean = f"{group}-clean"
    for memory, told in ((quick, episodes), (services.memory, conversation(clean, 30, seed=7))):
        for answer in await memory.intake.remember(told[0].group_id, told):
            await digest(memory, told[0].group_id, answer.id)
    (job,) = nightly(JobSettings(reprocess_hour=3))

    await job.coroutine({"services": services})
    await job.coroutine({"services": services})
    await reprocess(services)
    waiting = await services.memory.store.work_of_group(group)
    for wanted in (3, 10):
        worker = start_worker()
        await digested(services, group, wanted)
        worker.kill()
    start_worker()
    await digested(services, group, 30)

    assert (waiting[EpisodeStatus.REFINING], waiting[EpisodeStatus.DIGESTED]) == (30, 0)
    assert (job.hour, job.minute) == (3, 0)
    assert await believed(services.memory, group) == await believed(services.memory, clean)
    assert "backwards" not in await held(services.database, group)
    again = await services.memory.reader.episode(group, episodes[0].id)
    assert again.outcome
    assert again.outcome["extractor_version"] == extractor().version


def test_nothing_is_read_again_where_that_is_switched_off() -> None:
    assert list(nightly(JobSettings(reprocess_hour=-1))) == []
    assert list(redacting(JobSettings(redact_hour=-1))) == []


async def finished(services: Services, group: str) -> Work:
    async with asyncio.timeout(200):
        while True:
            (one,) = await services.predicates.reprojections(group, "stage")
            if one.status is not WorkProgress.PENDING:
                return one
            await asyncio.sleep(0.1)


@pytest.mark.full
async def test_beliefs_follow_a_policy_though_a_worker_is_killed(
    services: Services, start_worker: StartWorker, group: str
) -> None:
    bench = Bench(services.database)
    await bench.memory.intake.assert_claims(group, deals(60))
    assert await services.predicates.change(group, "stage", ONE) is not None
    worker = start_worker()
    async with asyncio.timeout(100):
        while (await services.predicates.reprojections(group, "stage"))[0].began_at is None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    worker.kill()
    start_worker()
    done = await finished(services, group)

    assert (done.status, done.progress["done"]) == (WorkProgress.DONE, 60)
    assert await bench.shown(group, (1, 6, 10)) == expected(60, one=True)


@pytest.mark.full
async def test_what_is_to_be_forgotten_goes_though_its_workers_are_killed(
    services: Services, start_worker: StartWorker, group: str
) -> None:
    kept, earlier = conversation(group, 20, seed=5), timedelta(days=3_000)
    gone = [
        replace(one, content="I like zorblatt.", occurred_at=one.occurred_at - earlier)
        for one in conversation(group, 120, seed=6)
    ]
    forgetting, rng = services.forgetting, random.Random(7)  # noqa: S311 - reproducible on purpose
    worker = start_worker()
    await services.memory.intake.remember(group, [*kept, *gone])
    await digested(services, group, len(kept) + len(gone))
    worker.kill()
    selector = Selector(until=min(one.occurred_at for one in kept))
    preview = await forgetting.preview(group, selector, None)
    work, _ = await forgetting.confirm(group, selector, None, preview.confirm, "")
    for _ in range(3):
        (before,) = await services.memory.works.works_by_id(group, [work.id])
        if before.status is not WorkProgress.PENDING:
            break
        worker = start_worker()
        async with asyncio.timeout(100):  # until it is taken: its lease ends later than that of the one before
            while (await services.memory.works.works_by_id(group, [work.id]))[0].due_at == before.due_at:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await asyncio.sleep(rng.uniform(0.0, 1.0))
        worker.kill()
    start_worker()
    async with asyncio.timeout(PATIENCE):
        while (await forgetting.receipt(group, work.id)).ended_at is None:  # noqa: ASYNC110 - as a client would
            await asyncio.sleep(0.1)

    assert (await forgetting.receipt(group, work.id)).erased.episodes == len(gone)
    assert await where_told(ForgetStore.beside(services.memory.store), group, "zorblatt") == []
    assert (await services.memory.store.work_of_group(group))[EpisodeStatus.DIGESTED] == len(kept)
