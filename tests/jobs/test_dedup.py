"""The dedup job: asked for by the clock, killed at any moment, tried without effect, beside eight writers."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from uuid import uuid4

import pytest
from neo4j import AsyncSession

from graphmem.clock import utc_now
from graphmem.identity.merging import by_hand
from graphmem.jobs.deduplicator import Deduplicator
from graphmem.jobs.schedule import every_few_seconds
from graphmem.jobs.steps import Stepper, number
from graphmem.local import ManagedServers
from graphmem.memory import Memory
from graphmem.model.entity import Entity, normalise_name
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.ids import entity_id
from graphmem.model.interval import END
from graphmem.model.matching import Verdict, pair_of
from graphmem.model.scope import Scope
from graphmem.model.work import Work, WorkKind, WorkProgress, WorkRequest, work_id
from graphmem.settings import Settings
from graphmem.settings.jobs import JobSettings
from graphmem.settings.matching import MatchingTable
from graphmem.settings.servers import Neo4jSettings
from graphmem.store.driver import Database, open_driver
from graphmem.wiring import Services, open_services
from tests.damaging import put, things_of
from tests.jobs.conftest import StartWorker
from tests.models import embedder, extractor
from tests.records import records

EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
WAIT = 60.0
WRITERS = 8


def claim(name: str, number: int, predicate: str = "lives_in", value: str = "Rome") -> StructuredClaim:
    at = EPOCH + timedelta(hours=number)
    return StructuredClaim(
        subject=ThingName(name, "person"), predicate=predicate, value=value, valid_from=at, occurred_at=at
    )


def people(number: int) -> list[StructuredClaim]:
    """Each of them twice, under two spellings and with one address."""
    return [
        one
        for at in range(number)
        for one in (
            claim(f"Tomasz{at} Okafor", 2 * at, "email", f"t{at}@example.com"),
            claim(f"Okafor, Tomasz{at}", 2 * at + 1, "email", f"T{at}@example.com"),
        )
    ]


async def merged(memory: Memory, group: str) -> int:
    return len(await memory.merging.merges(Scope(group, END), limit=1_000))


async def until(happened: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(WAIT):
        while not await happened():  # noqa: ASYNC110 - what another process does is looked at
            await asyncio.sleep(0.05)


async def ask(services: Services, group: str, *, dry_run: bool = False) -> str:
    id_ = work_id(WorkKind.DEDUP, group, dry_run=dry_run)
    await services.works.request_work(group, WorkKind.DEDUP, [WorkRequest(id=id_, dry_run=dry_run)])
    return id_


async def do(services: Services, group: str, id_: str) -> Work:
    taken = await services.works.lease_work(group, id_, uuid4().hex, 60)
    assert taken
    await Stepper(Deduplicator(services.memory.matching), services.works, services.settings.jobs).do(taken)
    (work,) = await services.works.works_by_id(group, [id_])
    return work


async def test_the_clock_asks_where_something_was_said_and_once(services: Services, group: str) -> None:
    await services.memory.intake.assert_claims(group, people(2))
    (job,) = every_few_seconds(only_dedup(20))
    async with asyncio.TaskGroup() as clocks:
        for _ in range(2):
            clocks.create_task(job.coroutine({"services": services}))

    work = await do(services, group, work_id(WorkKind.DEDUP, group))

    assert job.second == {0, 20, 40}
    assert (work.status, work.generation) == (WorkProgress.DONE, 1)
    assert work.progress["merged"] == await merged(services.memory, group) == 2
    await job.coroutine({"services": services})
    (again,) = await services.works.works_by_id(group, [work.id])
    assert again.generation == 1
    assert list(every_few_seconds(only_dedup(0))) == []


@pytest.mark.parametrize(("kind", "properties"), [("Judgement", {"score": "much"}), ("SAME_AS", {"recorded_at": 5})])
async def test_what_cannot_be_decided_on_is_put_off_and_all_others_are_compared(
    services: Services, group: str, kind: str, properties: Mapping[str, object]
) -> None:
    said = people(3)
    await services.memory.intake.assert_claims(group, said[:4])
    await do(services, group, await ask(services, group))
    thing = next(one for one in await things_of(services.database, group) if one.kind == kind)
    await put(services.database, thing, properties)
    again = [replace(one, occurred_at=one.occurred_at + timedelta(days=1)) for one in said]
    await services.memory.intake.assert_claims(group, again)

    work = await do(services, group, await ask(services, group))

    assert (work.status, work.progress["put_off"], work.progress["compared"]) == (WorkProgress.DONE, 2, 6)
    assert await services.memory.store.next_group_to_match(group[:-1]) != group
    await put(services.database, thing, {name: thing.properties[name] for name in properties})
    assert await merged(services.memory, group) == 3
    for one in await things_of(services.database, group):
        if "match_due" in one.properties:
            await put(services.database, one, {"match_due": utc_now()})
    work = await do(services, group, await ask(services, group))
    assert (work.status, work.progress["compared"]) == (WorkProgress.DONE, 2)
    assert "put_off" not in work.progress


def only_dedup(seconds: int) -> Settings:
    jobs = JobSettings(dedup_seconds=seconds, embed_seconds=0, summarise_seconds=0, reflect_seconds=0)
    return Settings(jobs=jobs)


async def test_a_dry_run_says_what_and_why_and_changes_nothing(services: Services, group: str) -> None:
    await services.memory.intake.assert_claims(group, people(1))
    work = await do(services, group, await ask(services, group, dry_run=True))

    (told,) = cast("list[dict[str, str | list[str]]]", work.result["would"])
    assert told["verdict"] == "same"
    assert any("email" in reason for reason in told["because"])
    assert await merged(services.memory, group) == 0

    await do(services, group, await ask(services, group))
    assert await merged(services.memory, group) == 1


def told(work: Work) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", work.result["would"])


def pairs_told(work: Work, verdict: str) -> set[tuple[str, str]]:
    return {(one["pair"][0], one["pair"][1]) for one in told(work) if one["verdict"] == verdict}


async def test_a_dry_run_tells_what_a_person_decided_as_that(services: Services, group: str) -> None:
    memory = services.memory
    await memory.intake.assert_claims(group, people(1))
    await do(services, group, await ask(services, group))
    (merge,) = await memory.merging.merges(Scope(group, END))
    await memory.merging.revert(group, merge.id, reason="cousins")
    await memory.intake.assert_claims(group, [claim("Tomasz0 Okafor", 9, "likes", "tea")])

    (one,) = told(await do(services, group, await ask(services, group, dry_run=True)))

    assert (one["pair"], one["verdict"], one["method"]) == ([*merge.pair], "different", "human")
    assert one["because"] == ["said by hand: cousins"]
    done = await do(services, group, await ask(services, group))
    assert (done.progress["merged"], await merged(memory, group)) == (0, 0)


async def test_a_dry_run_goes_over_all_and_says_how_many_it_does_not_show(
    services: Services, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphmem.jobs.deduplicator.STEP", 3)
    monkeypatch.setattr("graphmem.jobs.deduplicator.MOST_SHOWN", 4)
    await services.memory.intake.assert_claims(group, people(10))

    tried = await do(services, group, await ask(services, group, dry_run=True))

    assert (tried.progress["compared"], len(told(tried)), tried.result["beyond"]) == (20, 4, 6)
    assert await merged(services.memory, group) == 0
    await do(services, group, await ask(services, group))
    merges = await services.memory.merging.merges(Scope(group, END), limit=100)
    assert pairs_told(tried, "same") < {one.pair for one in merges}
    assert len(merges) == 10
    again = await do(services, group, await ask(services, group, dry_run=True))
    assert again.result == {"would": [], "beyond": 0}


@pytest.mark.parametrize("step", [1, 50])
async def test_a_dry_run_decides_on_clusters_as_the_job_does(
    services: Services, group: str, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    monkeypatch.setattr("graphmem.jobs.deduplicator.STEP", step)
    memory, names = services.memory, ["Ann Baker", "Baker, Ann", "A. Baker", "Ann B. Baker"]
    await memory.intake.assert_claims(
        group, [claim(name, number, "email", "ann@example.com") for number, name in enumerate(names)]
    )
    first, last = (entity_id(group, normalise_name(name)) for name in (names[0], names[-1]))
    await memory.merging.carry_out(group, by_hand(first, last, Verdict.DIFFERENT, user="", reason="sisters"))

    tried = await do(services, group, await ask(services, group, dry_run=True))
    await do(services, group, await ask(services, group))

    made = await memory.merging.merges(Scope(group, END))
    asked = await memory.merging.reviews(Scope(group, END))
    assert len(made) == 2
    assert any(one.refused for one in asked)
    assert pairs_told(tried, "same") == {one.pair for one in made}
    assert pairs_told(tried, "review") == {one.judgement.pair for one in asked}
    assert pairs_told(tried, "different") == {pair_of(first, last)}
    assert {f"not merged: {one.refused}" for one in asked} <= {why for one in told(tried) for why in one["because"]}


async def test_the_job_decides_by_the_settings_of_its_process(
    settings: Settings, services: Services, group: str
) -> None:
    people = [claim("Ann Baker", 0, "badge", "B-7"), claim("Cleo Dunn", 1, "badge", "B-7")]
    await services.memory.intake.assert_claims(group, people)
    await do(services, group, await ask(services, group))
    assert await merged(services.memory, group) == 0

    keyed = settings.model_copy(update={"matching": MatchingTable(keys=frozenset({"badge"}))})
    async with open_services(keyed, extractor=extractor(), embedder=embedder()) as others:
        work = await do(others, group, await ask(others, group))

    assert work.progress["merged"] == await merged(services.memory, group) == 1


@pytest.mark.full
async def test_what_is_indexed_is_learnt_from_before_anything_is_compared(
    settings: Settings, services: Services, group: str
) -> None:
    await services.memory.intake.assert_claims(group, records(40))
    refining = settings.model_copy(update={"matching": MatchingTable(refine=True)})
    async with open_services(refining, extractor=extractor(), embedder=embedder()) as others:
        first = await do(others, group, await ask(others, group))
        held = await others.memory.store.refined_weights(group)
        await services.memory.intake.assert_claims(group, records(60))
        second = await do(others, group, await ask(others, group))
        learnt = await others.memory.store.refined_weights(group)
        again = await others.memory.matching.refine(group)
    third = await do(services, group, await ask(services, group))

    assert (held, again) == ({}, 0)
    assert learnt["person"]["short of city"]["different"] > 0
    assert [work.progress.get("refined", 0) for work in (first, second, third)] == [0, 1, 1]
    assert number(third.progress["compared"]) >= 120
    assert await services.memory.store.refined_weights(group) == {}


async def is_waited_for(session: AsyncSession) -> bool:
    result = await session.run("SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN count(*)")
    return await result.value() != [0]


@asynccontextmanager
async def locked(servers: ManagedServers, entity_id: str) -> AsyncGenerator[Callable[[], Awaitable[bool]]]:
    """Nobody else writes to an entity meanwhile; says whether somebody waits to."""
    driver = open_driver(servers.uri, servers.user, servers.password, Neo4jSettings())
    database = Database(driver, Neo4jSettings())
    async with driver, database.session() as session, database.session() as other:
        transaction = await session.begin_transaction()
        await transaction.run("MATCH (e:Entity {id: $id}) SET e.locked = true", id=entity_id)
        yield lambda: is_waited_for(other)
        await transaction.rollback()


@pytest.mark.full
async def test_killed_workers_leave_the_same_clusters(
    own_servers: ManagedServers, services: Services, start_worker: StartWorker, group: str
) -> None:
    await services.memory.intake.assert_claims(group, people(30))
    matching = services.memory.matching
    await matching.index_some(group, 60)
    await matching.compare_some(group, 20)
    so_far = await merged(services.memory, group)
    last = Entity(group_id=group, type="person", name="Okafor, Tomasz29", first_seen=EPOCH)

    async with locked(own_servers, last.id) as is_waiting:
        worker = start_worker(GRAPHMEM_JOBS_DEDUP_SECONDS="1")
        await until(is_waiting)
        worker.kill()
        assert 0 < so_far == await merged(services.memory, group) < 30
    start_worker(GRAPHMEM_JOBS_DEDUP_SECONDS="1")

    async def all_of_them() -> bool:
        return await merged(services.memory, group) == 30

    await until(all_of_them)


async def told_at_once(memory: Memory, group: str, names: list[str]) -> None:
    """Eight writers name the same new people."""
    async with asyncio.TaskGroup() as tasks:
        for writer in range(WRITERS):
            claims = [claim(name, writer, "seen_by", f"writer {writer}") for name in names]
            tasks.create_task(memory.intake.assert_claims(group, claims))


async def compare(memory: Memory, group: str, stop: asyncio.Event) -> None:
    while not stop.is_set():
        await memory.matching.index_some(group, 5)
        await memory.matching.compare_some(group, 5)
        await asyncio.sleep(0)


@pytest.mark.parametrize("runs", [3, pytest.param(12, marks=pytest.mark.full)])
async def test_writers_at_once_make_each_person_once_while_the_job_runs(
    services: Services, group: str, runs: int
) -> None:
    memory, stop = services.memory, asyncio.Event()
    await memory.groups.ensure(group)
    job = asyncio.create_task(compare(memory, group, stop))
    try:
        for run in range(runs):
            names = [f"{name}{run} Okafor" for name in ("Ann", "Bob", "Cleo", "Dag")]
            await told_at_once(memory, group, names)
            found = [one.name for one in await memory.reader.entities(Scope(group, END), limit=500)]
            assert sorted(name for name in found if name in names) == names
    finally:
        stop.set()
        await job
    assert len(await memory.reader.entities(Scope(group, END), limit=500)) == 4 * runs
