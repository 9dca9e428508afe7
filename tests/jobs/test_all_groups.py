"""What the schedule asks for goes over all groups: in a database in which nobody else works meanwhile."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import cast

from graphmem.clock import utc_now
from graphmem.jobs.nights import NIGHTLY
from graphmem.jobs.schedule import ask_to_consolidate, ask_to_reflect, ask_to_renew, ask_to_summarise, begin_night
from graphmem.memory import Memory
from graphmem.model.episode import Episode
from graphmem.model.fragment import ThingName
from graphmem.model.scope import Scope
from graphmem.model.session import FIRST_SESSION
from graphmem.model.work import SERVICE, WorkKind, WorkProgress, WorkRequest, work_id
from graphmem.queue.redis import Queue
from graphmem.settings import Settings
from graphmem.store.driver import Database
from graphmem.wiring import Services
from tests.jobs import test_consolidation as consolidation
from tests.jobs import test_enrichment as enrichment
from tests.jobs.reflecting import WEEK
from tests.jobs.test_consolidation import SHORT, VERY_SHORT, read, reads, wants
from tests.jobs.test_entity_summaries import likes
from tests.jobs.test_reprocess import FRIEND, HOME, SAID_AT, TEXT, WORK, Told
from tests.store.test_corrections import Says


async def test_the_schedule_asks_where_an_entity_is_to_be_looked_at(services: Services, group: str) -> None:
    await services.memory.intake.assert_claims(group, likes(1))
    await services.memory.groups.ensure(f"{group}-none")
    await services.names.archive(group, archived=True)
    await ask_to_summarise(services)
    assert await services.works.works_by_id(group, [work_id(WorkKind.SUMMARISE, group)]) == []
    await services.names.archive(group, archived=False)
    async with asyncio.TaskGroup() as clocks:
        for _ in range(2):
            clocks.create_task(ask_to_summarise(services))
    (work,) = await services.works.works_by_id(group, [work_id(WorkKind.SUMMARISE, group)])
    assert (work.kind, work.status, work.generation) == (WorkKind.SUMMARISE, WorkProgress.PENDING, 1)
    other = f"{group}-none"
    assert await services.works.works_by_id(other, [work_id(WorkKind.SUMMARISE, other)]) == []


async def test_the_schedule_asks_once_for_the_week_that_ended_last(services: Services, group: str) -> None:
    await services.memory.groups.ensure(group)
    at = replace(services, clock=lambda: WEEK.until + timedelta(hours=30))
    async with asyncio.TaskGroup() as clocks:
        for _ in range(2):
            clocks.create_task(ask_to_reflect(at))

    (work,) = await services.works.works_by_id(group, [work_id(WorkKind.REFLECT, group, period="2025-05-04")])
    assert (work.period, work.generation, work.arguments) == ("2025-05-04", 1, {"until": WEEK.until.isoformat()})
    await ask_to_renew(services)
    assert await services.works.works_by_id(group, [work_id(WorkKind.REFLECT, group)]) == []


async def test_weeks_that_ended_while_no_worker_ran_are_asked_for_too(services: Services, group: str) -> None:
    await services.memory.groups.ensure(group)
    late = replace(services, clock=lambda: utc_now() + timedelta(days=22))

    await ask_to_reflect(late)

    weeks = services.reflections.policy.scheduled(utc_now(), late.clock())
    assert len(weeks) in {3, 4}
    ids = [work_id(WorkKind.REFLECT, group, period=week.day.isoformat()) for week in weeks]
    assert [work.status for work in await services.works.works_by_id(group, ids)] == [WorkProgress.PENDING] * len(weeks)


def services_of(memory: Memory, settings: Settings) -> Services:
    """What the schedule asks of services: the parts that are asked for."""

    class Parts:
        def __init__(self) -> None:
            self.memory, self.works, self.settings, self.clock = memory, memory.works, settings, utc_now

    return cast("Services", Parts())


async def closed_session(bench: consolidation.Bench, group: str) -> str:
    await read(bench.memory, group)
    (session,) = await bench.memory.sessions.sessions(Scope(group, utc_now()), after=FIRST_SESSION, limit=10)
    await bench.memory.sessions.close(group, session.id)
    return session.id


async def test_a_session_that_closes_is_consolidated_once_whoever_asks(own_database: Database, group: str) -> None:
    bench = consolidation.Bench(own_database, reader=Says(reads(VERY_SHORT, 0.6, 6)))
    await bench.say(
        group,
        wants(SHORT),
        wants(SHORT, subject=ThingName("Bo", "person")),
        wants(VERY_SHORT, subject=ThingName("Bo", "person")),
    )
    session = await closed_session(bench, group)
    services = services_of(bench.memory, Settings())

    for _ in range(2):
        await ask_to_consolidate(services)
    (work,) = await bench.memory.works.works(group, [WorkKind.CONSOLIDATE], "", 10)
    done = await bench.do(group, work.id)

    assert (work.target, work.generation, done.progress["episodes"]) == (session, 1, 1)
    assert await bench.values(group) == [SHORT, SHORT, VERY_SHORT]  # of Bo nobody spoke there
    assert await bench.memory.store.sessions_to_consolidate(100_000) == [
        one for one in await bench.memory.store.sessions_to_consolidate(100_000) if one[0] != group
    ]


async def test_by_night_enrichment_comes_first_and_then_consolidation_once_a_day(
    own_database: Database, group: str
) -> None:
    bench = consolidation.Bench(own_database)
    await bench.memory.groups.ensure(group)
    services = services_of(bench.memory, Settings())
    period = utc_now().date().isoformat()
    for _ in range(2):
        await begin_night(services)
    id_ = work_id(WorkKind.ENRICH, SERVICE, period=period)

    (night,) = await bench.memory.works.works_by_id(SERVICE, [id_])

    assert (night.generation, night.arguments) == (1, {"then": "consolidate"})
    assert await bench.memory.works.works(group, [WorkKind.CONSOLIDATE], "", 10) == []


async def test_every_group_is_asked_by_night(own_database: Database, group: str) -> None:
    bench = enrichment.Bench(own_database)
    await bench.memory.groups.ensure(group)
    night = work_id(WorkKind.ENRICH, SERVICE, period=group)
    request = WorkRequest(id=night, period=group, arguments={"then": "consolidate"}, anew=False)
    for _ in range(2):
        await bench.memory.works.request_work(SERVICE, WorkKind.ENRICH, [request])

    done = await bench.once(SERVICE, night)

    (asked,) = await bench.memory.works.works(group, [WorkKind.ENRICH], "", 10)
    assert (done.status, done.generation) == (WorkProgress.DONE, 1)
    assert (asked.status, asked.arguments, asked.period) == (WorkProgress.PENDING, {"then": "consolidate"}, NIGHTLY)


async def test_by_night_episodes_are_read_again_of_which_another_reader_read_little(
    own_database: Database, queue: Queue, group: str
) -> None:
    little = Told(own_database, queue, group, FRIEND)
    much = Told(own_database, queue, group, HOME, WORK, FRIEND)
    await little.tell()
    other = Episode(group_id=much.group, session="t", content=TEXT, occurred_at=SAID_AT)
    ((answer),) = await much.memory.intake.remember(much.group, [other])
    much.id = answer.id
    await much.digest()
    little.reader.sees = frozenset({HOME})  # a better reader, which finds little as well
    version = ",".join(little.reader.sees)

    asked = await little.memory.intake.reprocess_low_yield(SERVICE, version, 1_000)
    first, left_alone = await little.digest(), await much.digest()
    again = await little.memory.intake.reprocess_low_yield(SERVICE, version, 1_000)
    second = await little.digest()

    assert asked >= 1
    assert again == 0
    assert (first.revision, second.revision, left_alone.revision) == (1, 1, 0)
    assert first.outcome
    assert first.outcome["extractor_version"] == version
