"""Which work is taken next: live before bulk, fair between groups, and once."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from graphmem.errors import Unreadable
from graphmem.memory import Memory
from graphmem.model.episode import Episode, EpisodeStatus
from graphmem.model.work import FEW, Lane, Taken, WorkKind, WorkRequest, work_id
from graphmem.store.driver import Database
from graphmem.store.queries import read_queries
from graphmem.store.work import WorkStore, request_one
from tests.damaging import damage
from tests.fakes import HashEmbedder, ScriptedExtractor
from tests.models import digest, memory_on

QUERIES = {query.name: query for query in read_queries(Path(__file__).parent / "work.cypher")}
START = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
async def memory(database: Database) -> Memory:
    await database.execute(QUERIES["nothing_waits"])
    return memory_on(database, extracts=ScriptedExtractor(), embeds=HashEmbedder())


async def told(memory: Memory, group: str, count: int, first: int = 0) -> list[str]:
    """Ids of episodes that came in one request."""
    episodes = [
        Episode(group_id=group, session="s", content=f"Turn {number}.", occurred_at=START + timedelta(hours=number))
        for number in range(first, first + count)
    ]
    return [answer.id for answer in await memory.intake.remember(group, episodes)]


async def take(works: WorkStore, *, seconds: float = 60, most: int = 1, lane: Lane = Lane.BACKGROUND) -> Taken | None:
    return await works.take_work(uuid4().hex, seconds, most=most, lane=lane)


async def taken(works: WorkStore, times: int) -> list[Taken]:
    found = [await take(works) for _ in range(times)]
    return [one for one in found if one is not None]


async def test_all_is_taken_once_however_many_take(memory: Memory, group: str) -> None:
    ids = await told(memory, group, 30)

    async def drain() -> list[Taken]:
        found: list[Taken] = []
        while (one := await take(memory.works)) is not None:
            found.append(one)
        return found

    async with asyncio.TaskGroup() as tasks:
        takers = [tasks.create_task(drain()) for _ in range(4)]

    assert sorted(id_ for taker in takers for one in taker.result() for id_ in one.ids) == sorted(ids)


@pytest.mark.parametrize("name", ["leases", "attempts"])
@pytest.mark.parametrize("value", [["a"], True, "many"], ids=str)
async def test_a_damaged_count_of_what_is_due_first_stops_nobody(
    memory: Memory, database: Database, group: str, name: str, value: object
) -> None:
    (first,), (second,) = await told(memory, group, 1), await told(memory, group, 1, first=1)
    await damage(database, first, {name: value})

    found = await taken(memory.works, 2)

    assert [one.ids for one in found] == [(first,), (second,)]
    lease = found[0].lease
    await memory.works.return_work(group, first, lease, 0)
    again = await memory.works.lease_work(group, first, lease, 60)
    assert again is not None
    failed = await memory.works.fail_work(group, first, lease, error="damaged", max_attempts=1, seconds=0)
    assert failed is not None
    assert failed.status == EpisodeStatus.FAILED


@pytest.mark.parametrize("status", [None, "x", ["pending"]], ids=str)
async def test_work_with_a_damaged_status_is_put_aside(
    memory: Memory, database: Database, group: str, status: object
) -> None:
    (first,), (second,) = await told(memory, group, 1), await told(memory, group, 1, first=1)
    await damage(database, first, {"status": status})

    assert [one.ids for one in await taken(memory.works, 2)] == [(second,)]


async def test_whoever_asks_for_what_cannot_be_read_is_told(memory: Memory, database: Database, group: str) -> None:
    request = WorkRequest(id=work_id(WorkKind.SUMMARISE, group), anew=False, again=True)
    await request_one(memory.works, group, WorkKind.SUMMARISE, request)
    await damage(database, request.id, {"cursor": "{"})

    with pytest.raises(Unreadable, match=f"Work {request.id}.*cursor"):
        await request_one(memory.works, group, WorkKind.SUMMARISE, request)


async def test_what_came_alone_goes_before_what_came_in_bulk(memory: Memory, group: str) -> None:
    await told(memory, f"{group}-bulk", FEW + 1)
    (alone,) = await told(memory, f"{group}-live", 1)
    (late,) = await told(memory, f"{group}-bulk", 1, first=100)

    first, second, third = await taken(memory.works, 3)

    assert {first.ids, second.ids} == {(alone,), (late,)}
    assert third.group == f"{group}-bulk"


async def test_groups_take_turns_however_much_one_of_them_has(memory: Memory, group: str) -> None:
    much, little, least = (f"{group}-{name}" for name in ("much", "little", "least"))
    await told(memory, much, 40)
    await taken(memory.works, 3)
    await told(memory, little, FEW + 2)
    await told(memory, least, FEW + 1)

    served = [one.group for one in await taken(memory.works, 6)]

    assert sorted(served[:3]) == sorted([much, little, least])
    assert served[:3] == served[3:]


@pytest.mark.parametrize(("seconds", "first"), [(120, "reprocess"), (30, "digest")])
async def test_no_lane_waits_for_ever(memory: Memory, database: Database, group: str, seconds: int, first: str) -> None:
    await told(memory, group, 2)
    await memory.works.request_work(group, WorkKind.REPROCESS, [WorkRequest(id=work_id(WorkKind.REPROCESS, group))])
    await database.execute(QUERIES["waits"], group=group, lane=Lane.BACKGROUND, seconds=seconds)

    one, two = await taken(memory.works, 2)

    assert one.kind == first
    assert two.kind == "digest"


async def test_only_lanes_that_were_asked_for_are_served(memory: Memory, group: str) -> None:
    await memory.works.request_work(group, WorkKind.REPROCESS, [WorkRequest(id=work_id(WorkKind.REPROCESS, group))])
    (live,) = await told(memory, group, 1)

    found = [await take(memory.works, lane=Lane.BULK) for _ in range(2)]
    background = await take(memory.works)

    assert [one.ids for one in found if one] == [(live,)]
    assert background is not None
    assert background.kind == WorkKind.REPROCESS


@pytest.mark.parametrize(
    ("count", "most", "together"), [(60, 50, 50), (FEW + 1, 50, FEW + 1), (FEW, 50, 1), (60, 1, 1)]
)
async def test_digests_that_came_in_bulk_are_taken_together(
    memory: Memory, group: str, count: int, most: int, together: int
) -> None:
    ids = await told(memory, group, count)

    one = await take(memory.works, most=most)

    assert one is not None
    assert one.ids == tuple(ids[:together])


async def test_many_that_came_alone_and_wait_are_taken_together(memory: Memory, group: str) -> None:
    for number in range(6):
        await told(memory, group, 1, first=number)

    few, many = await take(memory.works, most=7), await take(memory.works, most=5)

    assert few is not None
    assert many is not None
    assert (len(few.ids), len(many.ids)) == (1, 5)


async def test_what_is_given_back_is_due_when_it_says_and_a_lease_that_ran_out_at_once(
    memory: Memory, group: str
) -> None:
    (id_,) = await told(memory, group, 1)
    first = await take(memory.works)
    assert first is not None
    assert await take(memory.works) is None
    await memory.works.return_work(group, id_, first.lease, 0)
    second = await take(memory.works, seconds=0)
    third = await take(memory.works)
    assert second is not None
    assert third is not None
    await memory.works.fail_work(group, id_, third.lease, error="x", max_attempts=3, seconds=0)
    fourth = await take(memory.works)
    assert fourth is not None

    assert {one.ids for one in (first, second, third, fourth)} == {(id_,)}
    assert await memory.works.fail_work(group, id_, third.lease, error="x", max_attempts=1, seconds=0) is None


async def test_work_that_is_done_or_failed_is_work_no_more(memory: Memory, group: str) -> None:
    done, failed = await told(memory, group, 2)
    await digest(memory, group, done)
    one = await take(memory.works)
    assert one is not None
    await memory.works.fail_work(group, failed, one.lease, error="x", max_attempts=1, seconds=0)

    assert one.ids == (failed,)
    assert await memory.works.works(group, list(WorkKind), "", 10) == []
    assert await take(memory.works) is None


async def test_a_row_that_cannot_be_read_stops_nobody_else(memory: Memory, database: Database, group: str) -> None:
    torn, sound = await told(memory, group, 2)
    await database.execute(QUERIES["tear"], group=group, id=torn)

    assert [one.ids for one in await taken(memory.works, 3)] == [(torn,), (sound,)]


async def test_what_is_asked_for_once_is_not_begun_anew(memory: Memory, group: str) -> None:
    request = WorkRequest(id=work_id(WorkKind.REPROCESS, group, period="2025-01-01"), period="2025-01-01", anew=False)

    async def ask() -> int:
        (work,) = await memory.works.request_work(group, WorkKind.REPROCESS, [request])
        return work.generation

    generations: Sequence[int] = [await ask(), await ask()]

    assert generations == [1, 1]
