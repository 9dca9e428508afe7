"""What a turn means depends on the turns before it, and not on when they came in."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.clock import utc_now
from graphmem.errors import ContextChanged, StoreUnavailable
from graphmem.memory import Memory
from graphmem.model.episode import Episode, EpisodeStatus
from graphmem.model.fragment import ALONE, Context, Fragment
from graphmem.model.scope import Scope
from graphmem.queue.redis import Queue
from graphmem.recall.reader import GraphQuery
from graphmem.settings.jobs import JobSettings
from graphmem.store.change.statements import Statements
from graphmem.store.driver import Database, Transaction
from tests.jobs.doing import ById
from tests.models import extractor, memory_on, shipped_queries
from tests.seeds import seeds

SETTINGS = JobSettings.model_validate({"retry_seconds": 0})
SAID_AT = datetime(2025, 3, 1, tzinfo=UTC)
TURNS = (
    ("Ivo", "My sister Anna called."),
    ("Ivo", "She lives in Rome."),
    ("Pia", "Hello, I am late."),
    ("Pia", "Is there any coffee?"),
    ("Pia", "Good."),
    ("Pia", "My brother Carlo called."),
    ("Pia", "He lives in Oslo."),
)


def conversation(group: str) -> list[Episode]:
    """Two turns that speak of somebody; who that is, the turn before tells."""
    return [
        Episode(group_id=group, session="s", content=text, occurred_at=SAID_AT, sequence=number, speaker=speaker)
        for number, (speaker, text) in enumerate(TURNS)
    ]


async def believed(memory: Memory, group: str) -> set[str]:
    graph = await memory.reader.graph(Scope(group, utc_now()), GraphQuery())
    return {belief.statement for belief in graph.beliefs}


async def digested(digester: ById, memory: Memory, group: str, episodes: Sequence[Episode]) -> None:
    for episode in episodes:
        while (await memory.reader.episode(group, episode.id)).status in (
            EpisodeStatus.PENDING,
            EpisodeStatus.REFINING,
        ):
            await digester.digest(group, episode.id)


@pytest.mark.parametrize("seed", seeds(4))
async def test_turns_may_come_in_any_order(database: Database, queue: Queue, group: str, seed: int) -> None:
    memory = memory_on(database, extracts=extractor())
    digester = ById(memory, queue, SETTINGS)
    in_order, mixed = conversation(f"{group}-in-order"), conversation(group)
    await memory.intake.remember(f"{group}-in-order", in_order)
    await digested(digester, memory, f"{group}-in-order", in_order)

    random.Random(seed).shuffle(mixed)  # noqa: S311 - reproducible on purpose
    for number, episode in enumerate(mixed, 1):
        await memory.intake.remember(group, [episode])
        await digested(digester, memory, group, mixed[:number])

    found = await believed(memory, group)
    assert found == await believed(memory, f"{group}-in-order")
    assert {"Anna lives in Rome.", "Carlo lives in Oslo."} <= found


async def test_in_order_nothing_is_read_twice(database: Database, queue: Queue, group: str) -> None:
    memory = memory_on(database, extracts=extractor())
    digester, episodes = ById(memory, queue, SETTINGS), conversation(group)
    for episode in episodes:
        await memory.intake.remember(group, [episode])
        await digested(digester, memory, group, [episode])

    stored = [await memory.reader.episode(group, episode.id) for episode in episodes]
    assert [one.revision for one in stored] == [0] * len(episodes)


async def test_a_turn_far_after_the_late_one_is_left_alone(database: Database, queue: Queue, group: str) -> None:
    memory = memory_on(database, extracts=extractor())
    digester, (first, *others) = ById(memory, queue, SETTINGS), conversation(group)
    await memory.intake.remember(group, others)
    await digested(digester, memory, group, others)
    await memory.intake.remember(group, [first])

    stored = [await memory.reader.episode(group, episode.id) for episode in others]
    assert [one.status for one in stored] == [EpisodeStatus.REFINING] * 2 + [EpisodeStatus.DIGESTED] * 4


@pytest.mark.parametrize("elsewhere", [{"session": "other"}, {"occurred_at": SAID_AT + timedelta(days=1)}])
async def test_turns_after_one_that_an_edit_moves_away_are_read_without_it(
    database: Database, queue: Queue, group: str, elsewhere: dict[str, Any]
) -> None:
    memory = memory_on(database, extracts=extractor())
    digester, (first, second) = ById(memory, queue, SETTINGS), conversation(group)[:2]
    first = replace(first, external_id="1")
    await memory.intake.put(first)
    await memory.intake.remember(group, [second])
    await digested(digester, memory, group, [first, second])
    assert "Anna lives in Rome." in await believed(memory, group)

    await memory.intake.put(replace(first, **elsewhere))
    assert (await memory.reader.episode(group, second.id)).status is EpisodeStatus.REFINING
    await digested(digester, memory, group, [second])
    assert "Anna lives in Rome." not in await believed(memory, group)


class Interrupted:
    """Reads as another does, while turns come in that were said before."""

    uses_ontology = False
    piece_chars = 1_000_000

    def __init__(self, *late: Episode) -> None:
        self.late = list(late)
        self.memory: Memory | None = None
        self.context_turns = extractor().context_turns
        self.context_chars = extractor().context_chars

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        read = await extractor().extract(episode, context)
        if self.late and self.memory:
            late = self.late.pop()
            await self.memory.intake.remember(late.group_id, [late])
        return read


async def test_a_turn_that_comes_in_meanwhile_is_not_overlooked(database: Database, queue: Queue, group: str) -> None:
    first, second = conversation(group)[:2]
    reader = Interrupted(first)
    memory = memory_on(database, extracts=reader)
    reader.memory = memory
    await memory.intake.remember(group, [second])
    lease = await memory.digestion.lease(group, second.id, 5)
    assert lease

    with pytest.raises(ContextChanged):
        await memory.digestion.digest(lease)
    assert await believed(memory, group) == set()
    await memory.works.return_work(group, second.id, lease.token, 0)
    await digested(ById(memory, queue, SETTINGS), memory, group, [first, second])
    assert await believed(memory, group) == {"Ivo is a sibling of Anna.", "Anna lives in Rome."}


@pytest.mark.parametrize("gone", [StoreUnavailable("away"), None])
async def test_a_context_that_cannot_be_had_beside_the_lease_is_asked_for_again(
    database: Database, queue: Queue, group: str, monkeypatch: pytest.MonkeyPatch, gone: StoreUnavailable | None
) -> None:
    """A server is away, or does not know the turn yet; the lease is told of, and no attempt is lost."""
    memory = memory_on(database, extracts=extractor())
    first, second = conversation(group)[:2]
    await memory.intake.remember(group, [first, second])
    ask, asked = memory.store.context_of_episode, list[str]()

    async def context_of_episode(group: str, episode_id: str, limit: int, chars: int) -> Context | None:
        asked.append(episode_id)
        if len(asked) > 1:
            return await ask(group, episode_id, limit, chars)
        if gone is not None:
            raise gone
        return None

    monkeypatch.setattr(memory.store, "context_of_episode", context_of_episode)
    await ById(memory, queue, SETTINGS).digest(group, second.id)

    stored = await memory.reader.episode(group, second.id)
    assert (stored.status, stored.leases, len(asked)) == (EpisodeStatus.DIGESTED, 1, 2)
    assert await believed(memory, group) == {"Anna lives in Rome."}


async def test_turns_that_come_in_at_once_are_read_as_if_in_order(database: Database, queue: Queue, group: str) -> None:
    memory = memory_on(database, extracts=extractor())
    digester, mixed = ById(memory, queue, SETTINGS), conversation(group)
    random.Random(9).shuffle(mixed)  # noqa: S311 - reproducible on purpose

    async def tell(episode: Episode) -> None:
        await memory.intake.remember(group, [episode])
        await digester.digest(group, episode.id)

    async with asyncio.TaskGroup() as tasks:
        for episode in mixed:
            tasks.create_task(tell(episode))
    await digested(digester, memory, group, mixed)

    assert {"Anna lives in Rome.", "Carlo lives in Oslo."} <= await believed(memory, group)


async def test_no_turn_is_stored_beside_one_of_its_session_that_is_not_yet_to_be_seen(
    database: Database, group: str
) -> None:
    """Also in a session of many turns, where Neo4j does not lock the node with each relationship."""
    memory = memory_on(database, extracts=extractor())
    turns = [
        Episode(group_id=group, session="s", content=f"Turn {minute}.", occurred_at=SAID_AT + timedelta(minutes=minute))
        for minute in range(102)
    ]
    await memory.intake.remember(group, turns[:100])
    stored, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(transaction: Transaction) -> None:
        await Statements(transaction, shipped_queries(), group).remember_episodes("slow", turns[100:101])
        stored.set()
        await go_on.wait()

    first = asyncio.create_task(database.write(slowly))
    await stored.wait()
    second = asyncio.create_task(memory.intake.remember(group, turns[101:]))
    done, _ = await asyncio.wait({second}, timeout=1)
    go_on.set()
    await asyncio.wait({first, second})

    assert not done
    assert [answer.new for answer in second.result()] == [True]
