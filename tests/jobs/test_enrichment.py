"""Enrichment as a job: what gave little is read again by a closer reader, each episode once, and then consolidated."""

import asyncio
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from graphmem.jobs.nights import NIGHTLY, Enricher
from graphmem.jobs.steps import Stepper
from graphmem.memory import Memory
from graphmem.model.episode import CloserReader, Episode, EpisodeStatus, Reprocessing
from graphmem.model.fragment import ALONE, Context, Fragment
from graphmem.model.scope import Scope
from graphmem.model.work import Work, WorkKind, WorkProgress, WorkRequest, work_id
from graphmem.recall.reader import GraphQuery
from graphmem.settings.jobs import EnrichmentSettings, JobSettings
from graphmem.store.driver import Database
from tests.fakes import ScriptedExtractor
from tests.models import digest, memory_on
from tests.store.test_evidence import day

JOBS = JobSettings.model_validate({"retry_seconds": 0, "lease_seconds": 5})
CLOSE = CloserReader(name="close-1", how=Reprocessing(strategy="close"), version="close-1")
FEW, MANY = "Maya lives_in Lisbon.", "Maya lives_in Lisbon. Maya knows Bruno. Maya works_at Acme."


class Reader(ScriptedExtractor):
    """An offline reader of some version."""

    def __init__(self, version: str) -> None:
        self.version = version

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        read = await super().extract(episode, context)
        return replace(read, extractor="offline", version=self.version)


class Bench:
    """A memory with an old reader, and a worker that has its episodes read again by a closer one."""

    def __init__(self, database: Database, closer: CloserReader | None = CLOSE, limit: int = 50) -> None:
        readers: dict[str | None, Reader] = {"close": Reader("close-1"), "llm": Reader("fallback")}
        self.memory: Memory = memory_on(
            database,
            extracts=Reader("old"),
            closer=closer,
            extractor_of=lambda how: readers[how.strategy],
        )
        steps = Enricher(self.memory, EnrichmentSettings(limit=limit), pause=0.01)
        self.stepper = Stepper(steps, self.memory.works, JOBS)

    async def tell(self, group: str, *texts: str) -> list[str]:
        episodes = [
            Episode(group_id=group, session="s", content=text, occurred_at=day(at)) for at, text in enumerate(texts)
        ]
        for one in await self.memory.intake.remember(group, episodes):
            await digest(self.memory, group, one.id)
        return [one.id for one in episodes]

    async def once(self, group: str, id_: str) -> Work:
        """Have a worker work at it until it is given back."""
        async with asyncio.timeout(30):
            while (taken := await self.memory.works.lease_work(group, id_, uuid4().hex, 5)) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        await self.stepper.do(taken)
        (work,) = await self.memory.works.works_by_id(group, [id_])
        return work

    async def enrich(self, group: str, *, dry_run: bool = False, **arguments: object) -> Work:
        """Ask for it, and have what it asks for read."""
        id_ = work_id(WorkKind.ENRICH, group, dry_run=dry_run)
        request = WorkRequest(id=id_, dry_run=dry_run, arguments=arguments)
        await self.memory.works.request_work(group, WorkKind.ENRICH, [request])
        while (work := await self.once(group, id_)).status is WorkProgress.PENDING:
            await self.read(group)
        return work

    async def read(self, group: str) -> None:
        page = await self.memory.reader.episodes(Scope(group, day(300)), status=EpisodeStatus.REFINING, limit=100)
        for one in page.episodes:
            await digest(self.memory, group, one.id)

    async def versions(self, group: str, *ids: str) -> list[Any]:
        found = [await self.memory.reader.episode(group, id_) for id_ in ids]
        return [(one.outcome or {})["extractor_version"] for one in found]


@pytest.fixture
def bench(database: Database) -> Bench:
    return Bench(database)


async def test_what_gave_little_is_read_again_by_the_closer_reader_once(bench: Bench, group: str) -> None:
    few, many = await bench.tell(group, FEW, MANY)

    first = await bench.enrich(group)
    second = await bench.enrich(group)

    assert await bench.versions(group, few, many) == ["close-1", "old"]
    assert (first.status, first.result) == (WorkProgress.DONE, {"episodes": 1, "reader": "close-1"})
    assert (second.result["episodes"], (await bench.memory.reader.episode(group, few)).revision) == (0, 1)


async def test_what_the_same_reader_would_read_again_stays_and_it_says_so(database: Database, group: str) -> None:
    bench = Bench(database, CloserReader(name="old", how=Reprocessing(strategy="close"), version="old"))
    (few,) = await bench.tell(group, FEW)

    done = await bench.enrich(group)

    assert (done.result["episodes"], await bench.versions(group, few)) == (0, ["old"])
    assert done.result["why"] == (
        "there is no episode with up to 2 entities that another reader read, and this one not yet"
    )
    assert (await Bench(database, None).enrich(group)).result["why"] == "nothing is read: the strategy is off"


async def test_a_dry_run_tells_which_and_why_and_asks_for_nothing(bench: Bench, group: str) -> None:
    few, _ = await bench.tell(group, FEW, MANY)

    would = await bench.enrich(group, dry_run=True)

    assert would.result == {
        "episodes": 1,
        "reader": "close-1",
        "would": [{"episode": few, "because": "old found 2 entities"}],
    }
    assert (await bench.memory.reader.episode(group, few)).status is EpisodeStatus.DIGESTED
    assert (await bench.enrich(group)).result["episodes"] == 1


async def test_a_pass_takes_no_more_than_allowed_and_the_next_one_the_rest(database: Database, group: str) -> None:
    bench = Bench(database, limit=2)
    ids = await bench.tell(group, *(f"Maya lives_in Place{number}." for number in range(3)))

    asked = [(await bench.enrich(group)).result["episodes"] for _ in range(3)]

    assert (asked, await bench.versions(group, *ids)) == ([2, 1, 0], ["close-1"] * 3)


async def test_a_reader_is_asked_once_also_where_it_was_read_offline_instead(database: Database, group: str) -> None:
    bench = Bench(database, CloserReader(name="llm", how=Reprocessing(strategy="llm")))
    (few,) = await bench.tell(group, FEW)

    asked = [(await bench.enrich(group)).result["episodes"] for _ in range(2)]

    assert (asked, await bench.versions(group, few)) == ([1, 0], ["fallback"])


async def test_it_ends_when_what_it_asked_for_is_read_and_consolidation_follows(bench: Bench, group: str) -> None:
    await bench.tell(group, FEW)
    id_ = work_id(WorkKind.ENRICH, group)
    request = WorkRequest(id=id_, arguments={"then": "consolidate"})
    await bench.memory.works.request_work(group, WorkKind.ENRICH, [request])
    waiting = await bench.once(group, id_)
    before = await bench.memory.works.works(group, [WorkKind.CONSOLIDATE], "", 10)
    await bench.read(group)

    done = await bench.once(group, id_)

    (then,) = await bench.memory.works.works(group, [WorkKind.CONSOLIDATE], "", 10)
    assert (waiting.status, before, done.status) == (WorkProgress.PENDING, [], WorkProgress.DONE)
    assert (then.status, then.period, then.id) == (
        WorkProgress.PENDING,
        NIGHTLY,
        work_id(WorkKind.CONSOLIDATE, group, period=NIGHTLY),
    )


async def test_killed_after_it_asked_it_asks_for_no_more(bench: Bench, group: str) -> None:
    ids = await bench.tell(group, FEW, "Bruno lives_in Porto.")
    id_ = work_id(WorkKind.ENRICH, group)
    await bench.memory.works.request_work(group, WorkKind.ENRICH, [WorkRequest(id=id_)])
    found = await bench.memory.reading_again.find(group, 1, entities=2)
    (work,) = await bench.memory.works.works_by_id(group, [id_])
    asked = replace(work, cursor={"ids": [one.id for one in found]})
    steps = Enricher(bench.memory, EnrichmentSettings())

    for _ in range(2):  # the first one's record is lost
        await steps.step(asked)

    statuses = [(await bench.memory.reader.episode(group, one)).status for one in ids]
    assert sorted(statuses) == [EpisodeStatus.DIGESTED, EpisodeStatus.REFINING]


async def test_what_stands_stays_while_it_waits_to_be_read_again(bench: Bench, group: str) -> None:
    await bench.tell(group, FEW)
    id_ = work_id(WorkKind.ENRICH, group)
    await bench.memory.works.request_work(group, WorkKind.ENRICH, [WorkRequest(id=id_)])

    await bench.once(group, id_)

    graph = await bench.memory.reader.graph(Scope(group, day(300)), GraphQuery())
    assert [row.predicate for row in graph.beliefs] == ["lives_in"]
