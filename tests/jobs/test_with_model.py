"""Digests by a language model: turns that share a call, and models that are not waited for."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from graphmem.clock import utc_now
from graphmem.memory import Memory
from graphmem.model.episode import Episode, EpisodeRole, EpisodeStatus, Reprocessing, StoredEpisode
from graphmem.model.fragment import ALONE, Context, Extractor, Fragment
from graphmem.model.scope import Scope
from graphmem.queue.redis import Queue
from graphmem.recall.reader import GraphQuery
from graphmem.settings.extraction import StepSettings
from graphmem.settings.jobs import JobSettings
from graphmem.store.driver import Database
from tests.fake_anthropic import FakeProvider, Fault, fake_anthropic, model_extractor
from tests.fakes import ScriptedExtractor
from tests.jobs.doing import ById
from tests.models import memory_on

SETTINGS = JobSettings.model_validate({"retry_seconds": 0, "lease_seconds": 5})
SAID_AT = datetime(2025, 3, 1, tzinfo=UTC)
CITIES = ("Oslo", "Faro", "Rome", "Bonn", "Kyiv", "Lima", "Baku", "Doha", "Graz", "Nice", "Linz", "Metz")


def says(city: str) -> str:
    return f"Maya lives_in {city}."


def filled_in(city: str) -> dict[str, Any]:
    claim = {"subject": "Maya", "predicate": "likes", "object": city, "statement": f"Maya likes {city}."}
    return {
        "entities": [{"name": city, "type": "place", "confidence": "high"}],
        "claims": [{"turn": 0, **claim, "confidence": 0.9, "quote": f"lives_in {city}"}],
        "facts": [],
    }


@dataclass
class Read:
    """A memory whose reader asks the fake provider, and who digests for it."""

    memory: Memory
    queue: Queue
    digester: ById
    group: str

    async def tell(self, cities: Sequence[str], *, answered: bool = False, users: Sequence[str] = ("",)) -> list[str]:
        """One request, of ``users`` by turns; with ``answered`` an assistant says something after each turn."""
        roles = [EpisodeRole.USER, EpisodeRole.ASSISTANT] if answered else [EpisodeRole.USER]
        turns = [
            Episode(
                group_id=self.group,
                session="s",
                content=says(city) if role is EpisodeRole.USER else f"Maya lives_in Paris, or {city}?",
                occurred_at=SAID_AT + timedelta(minutes=minute),
                role=role,
                sequence=sequence,
                speaker="Maya" if role is EpisodeRole.USER else None,
                user=users[minute % len(users)],
            )
            for minute, city in enumerate(cities)
            for sequence, role in enumerate(roles)
        ]
        return [answer.id for answer in await self.memory.intake.remember(self.group, turns)]

    async def digest(self, ids: Sequence[str]) -> list[StoredEpisode]:
        """As workers do: many at once."""
        async with asyncio.TaskGroup() as tasks:
            for id_ in ids:
                tasks.create_task(self.digester.digest(self.group, id_))
        return [await self.memory.reader.episode(self.group, id_) for id_ in ids]

    async def settled(self, ids: Sequence[str]) -> list[StoredEpisode]:
        """The episodes once none of them is being refined any more."""
        async with asyncio.timeout(30):
            while True:
                stored = [await self.memory.reader.episode(self.group, id_) for id_ in ids]
                if all(one.status is not EpisodeStatus.REFINING for one in stored):
                    return stored
                await asyncio.sleep(0.02)

    async def believed(self, known_at: datetime | None = None) -> set[str]:
        when = Scope(self.group, utc_now()) if known_at is None else Scope(self.group, utc_now(), known_at)
        graph = await self.memory.reader.graph(when, GraphQuery())
        return {belief.statement for belief in graph.beliefs}


MakeRead = Callable[..., Read]


@pytest.fixture
def provider() -> Generator[FakeProvider]:
    with fake_anthropic() as running:
        running.answers = {says(city): filled_in(city) for city in CITIES}
        yield running


@pytest.fixture
async def read(database: Database, queue: Queue, group: str, provider: FakeProvider) -> AsyncGenerator[MakeRead]:
    async with AsyncExitStack() as closing:

        def make(offline: Extractor | None = None, **step: Any) -> Read:
            settings = StepSettings(strategy="llm", backoff_seconds=0.01, attempts=1, **step)
            reader = model_extractor(provider, settings, offline or ScriptedExtractor(), seconds=20)
            memory = memory_on(database, extracts=reader)
            digester = ById(memory, queue, SETTINGS)
            closing.push_async_callback(reader.aclose)
            closing.push_async_callback(digester.aclose)
            return Read(memory, queue, digester, group)

        yield make


def calls(stored: Sequence[StoredEpisode]) -> list[int]:
    return [cast("dict[str, Any]", (one.outcome or {})["usage"])["calls"] for one in stored]


# several turns a call -------------------------------------------------------------------------------------------------


async def test_turns_of_one_request_share_calls(read: MakeRead, provider: FakeProvider) -> None:
    reading = read(bulk_turns_per_call=5)
    stored = await reading.digest(await reading.tell(CITIES))

    assert [one.status for one in stored] == [EpisodeStatus.DIGESTED] * 12
    assert sorted(len(document["turns"]) for document in provider.documents()) == [2, 5, 5]
    assert calls(stored) == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
    assert await reading.believed() == {f"Maya likes {city}." for city in CITIES}


@pytest.mark.parametrize("together", [True, False], ids=["one request", "turns that wait"])
async def test_no_call_reads_turns_of_two_users(read: MakeRead, provider: FakeProvider, *, together: bool) -> None:
    users, cities = ("ann", "bo", ""), CITIES[:9]
    reading = read(turns_per_call=9, bulk_turns_per_call=9)
    if together:
        ids = await reading.tell(cities, users=users)
    else:
        ids = [id_ for index, city in enumerate(cities) for id_ in await reading.tell([city], users=[users[index % 3]])]
    await reading.digest(ids)

    read_of = [{turn["text"] for turn in document["turns"]} for document in provider.documents()]
    assert sorted(map(sorted, read_of)) == sorted(sorted(map(says, cities[index::3])) for index in range(3))


async def test_each_turn_keeps_its_own_quote_and_time(read: MakeRead) -> None:
    reading = read()
    ids = await reading.tell(CITIES[:3])
    await reading.digest(ids)

    graph = await reading.memory.reader.graph(Scope(reading.group, utc_now()), GraphQuery())
    beliefs = graph.beliefs
    found = {one.statement: (one.evidence[0].episode_id, one.evidence[0].quote, one.valid_from) for one in beliefs}
    assert found == {
        f"Maya likes {city}.": (id_, f"lives_in {city}", SAID_AT + timedelta(minutes=minute))
        for minute, (city, id_) in enumerate(zip(CITIES, ids, strict=False))
    }


async def test_what_an_assistant_says_in_between_is_context(read: MakeRead, provider: FakeProvider) -> None:
    provider.answers |= {f"Maya lives_in Paris, or {city}?": filled_in(city) for city in CITIES}
    reading = read()
    stored = await reading.digest(await reading.tell(CITIES[:3], answered=True))

    (document,) = provider.documents()
    assert [turn.get("context", False) for turn in document["turns"]] == [False, True] * 3
    assert [(one.outcome or {})["claims"] for one in stored] == [1, 0] * 3
    assert await reading.believed() == {f"Maya likes {city}." for city in CITIES[:3]}


async def test_turns_that_cannot_be_read_together_are_read_in_halves(read: MakeRead, provider: FakeProvider) -> None:
    provider.faults = [Fault.TRUNCATED]
    reading = read()
    stored = await reading.digest(await reading.tell(CITIES[:6]))

    assert [len(document["turns"]) for document in provider.documents()] == [6, 3, 3]
    assert [turn["text"] for turn in provider.documents()[2]["earlier"]] == [says(city) for city in CITIES[:3]]
    assert {one.status for one in stored} == {EpisodeStatus.DIGESTED}
    assert calls(stored) == [2, 0, 0, 1, 0, 0]
    assert len(await reading.believed()) == 6


async def test_one_that_nobody_can_read_fails_alone(read: MakeRead, provider: FakeProvider) -> None:
    provider.faults = [Fault.TRUNCATED] * 2
    reading = read(fallback="fail")
    ids = await reading.tell(CITIES[:2])
    await reading.digest(ids[:1])

    first, second = [await reading.memory.reader.episode(reading.group, id_) for id_ in ids]
    assert (first.status, first.attempts) == (EpisodeStatus.PENDING, 1)
    assert "4096 tokens" in str(first.error)
    assert (second.status, second.attempts) == (EpisodeStatus.DIGESTED, 0)
    (again,) = await reading.digest(ids[:1])
    assert again.status is EpisodeStatus.DIGESTED
    assert [len(document["turns"]) for document in provider.documents()] == [2, 1, 1, 1]


class NotesTurns(ScriptedExtractor):
    """Notes what was said before each turn that it reads, and understands the two turns before."""

    context_turns = 2
    context_chars = 100

    def __init__(self) -> None:
        self.before: dict[str, list[str]] = {}

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        self.before[episode.content] = [turn.content for turn in context.turns]
        return await super().extract(episode, context)


@pytest.mark.parametrize("fault", [Fault.OVERLOADED, Fault.TRUNCATED])
async def test_where_no_model_answers_each_turn_is_read_offline_after_those_before_it(
    read: MakeRead, provider: FakeProvider, fault: Fault
) -> None:
    provider.faults = [fault] * 99
    offline = NotesTurns()
    reading = read(offline=offline)
    stored = await reading.digest(await reading.tell(CITIES[:4]))

    assert [one.status for one in stored] == [EpisodeStatus.DIGESTED] * 4
    turns = [says(city) for city in CITIES[:4]]
    assert offline.before == {turn: turns[max(0, number - 2) : number] for number, turn in enumerate(turns)}


async def test_a_turn_that_was_begun_before_is_read_alone(read: MakeRead, provider: FakeProvider) -> None:
    reading = read()
    ids = await reading.tell(CITIES[:4])
    assert await reading.memory.digestion.lease(reading.group, ids[1], 0)  # whose worker died

    await reading.digest(ids[1:2])
    await reading.digest(ids)

    assert [[turn["text"] for turn in document["turns"]] for document in provider.documents()] == [
        [says(CITIES[1])],
        [says(city) for city in (CITIES[0], CITIES[2], CITIES[3])],
    ]


async def test_one_that_is_asked_for_in_its_own_way_is_read_alone(read: MakeRead, provider: FakeProvider) -> None:
    provider.faults = [Fault.TRUNCATED] * 6
    reading = read(fallback="fail")
    ids = await reading.tell(CITIES[:2])
    for _ in range(SETTINGS.max_attempts):
        await reading.digest(ids)
    for id_ in ids:
        await reading.memory.intake.reprocess(reading.group, id_, Reprocessing(strategy="llm"))
    provider.faults.clear()
    provider.requests.clear()
    stored = await reading.digest(ids)

    assert {one.status for one in stored} == {EpisodeStatus.DIGESTED}
    assert [len(document["turns"]) for document in provider.documents()] == [1, 1]


async def test_turns_of_several_requests_are_read_one_by_one_unless_more_are_allowed(
    read: MakeRead, provider: FakeProvider
) -> None:
    for turns, expected in ((1, [1, 1, 1]), (2, [2, 1])):
        provider.requests.clear()
        reading = read(turns_per_call=turns)
        reading.group = f"{reading.group}-{turns}"
        ids = [(await reading.tell([city]))[0] for city in CITIES[:3]]
        for id_ in ids:
            await reading.digest([id_])
        assert [len(document["turns"]) for document in provider.documents()] == expected
        assert len(await reading.believed()) == len(ids)


# models that are not waited for ---------------------------------------------------------------------------------------


async def test_what_is_read_offline_stands_until_the_model_answers(read: MakeRead, provider: FakeProvider) -> None:
    provider.open.clear()
    reading = read(latency_budget_ms=1)
    (first,) = await reading.digest(ids := await reading.tell(["Oslo"]))
    offline = await reading.believed()
    provider.open.set()
    (last,) = await reading.settled(ids)

    assert (first.status, (first.outcome or {})["provisional"], first.digested_at is None) == ("refining", True, False)
    assert offline == {"Maya lives_in Oslo."}
    assert (last.status, last.revision, (last.outcome or {})["provisional"]) == ("digested", 1, False)
    assert await reading.believed() == {"Maya likes Oslo."}
    assert await reading.believed(first.digested_at) == offline
    assert calls([last]) == [1]
    assert len(provider.requests) == 1


async def test_a_model_that_answers_in_time_is_all_there_is(read: MakeRead) -> None:
    reading = read(latency_budget_ms=60_000)
    (stored,) = await reading.digest(await reading.tell(["Oslo"]))

    assert (stored.status, stored.revision, (stored.outcome or {})["provisional"]) == ("digested", 0, False)
    assert await reading.believed() == {"Maya likes Oslo."}


async def test_ten_in_flight_all_stand_before_any_model_has_answered(read: MakeRead, provider: FakeProvider) -> None:
    provider.open.clear()
    reading = read(latency_budget_ms=1, concurrency=4)
    ids = [(await reading.tell([city]))[0] for city in CITIES[:10]]
    first = await reading.digest(ids)
    await provider.asked_at_once(4)
    provider.open.set()
    last = await reading.settled(ids)

    assert {one.status for one in first} == {EpisodeStatus.REFINING}
    assert {one.status for one in last} == {EpisodeStatus.DIGESTED}
    assert provider.most_at_once == 4
    assert len(provider.requests) == 10
    assert await reading.believed() == {f"Maya likes {city}." for city in CITIES[:10]}


async def test_ten_in_flight_are_read_at_once_as_the_settings_are(read: MakeRead, provider: FakeProvider) -> None:
    provider.open.clear()
    reading = read(latency_budget_ms=1)
    ids = [(await reading.tell([city]))[0] for city in CITIES[:10]]
    await reading.digest(ids)
    await provider.asked_at_once(10)
    provider.open.set()

    assert {one.status for one in await reading.settled(ids)} == {EpisodeStatus.DIGESTED}
    assert JobSettings.model_validate({}).concurrency >= 10


async def test_a_worker_that_ends_in_between_is_followed_by_another(read: MakeRead, provider: FakeProvider) -> None:
    provider.open.clear()
    reading = read(latency_budget_ms=1)
    short = JobSettings.model_validate({"lease_seconds": 0.2})
    reading.digester = ById(reading.memory, reading.queue, short)
    (first,) = await reading.digest(ids := await reading.tell(["Oslo"]))
    await reading.digester.aclose()
    provider.open.set()
    await asyncio.sleep(0.3)
    (last,) = await reading.digest(ids)

    assert (first.status, last.status, last.revision) == (EpisodeStatus.REFINING, EpisodeStatus.DIGESTED, 1)
    assert await reading.believed() == {"Maya likes Oslo."}


@pytest.mark.parametrize("fallback", ["offline", "fail"])
async def test_a_model_that_fails_leaves_what_stands(read: MakeRead, provider: FakeProvider, fallback: str) -> None:
    provider.open.clear()
    provider.faults = [Fault.SERVER_ERROR] * SETTINGS.max_attempts
    reading = read(latency_budget_ms=1, fallback=fallback)
    await reading.digest(ids := await reading.tell(["Oslo"]))
    provider.open.set()
    if fallback == "fail":
        while (await reading.memory.reader.episode(reading.group, ids[0])).status is EpisodeStatus.REFINING:
            await reading.digest(ids)
    (last,) = await reading.settled(ids)

    assert last.status is EpisodeStatus.DIGESTED
    assert "answered 500" in str(last.error if fallback == "fail" else (last.outcome or {})["usage"])
    assert await reading.believed() == {"Maya lives_in Oslo."}
