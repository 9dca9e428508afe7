"""Claims whose writers read who is who before a merge was decided, and committed after it: they follow it."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem.errors import Conflict
from graphmem.identity.matching import PlacedAgain
from graphmem.jobs.deduplicator import Deduplicator
from graphmem.jobs.steps import Stepper, number
from graphmem.memory import Memory
from graphmem.model.claim import Claim
from graphmem.model.entity import normalise_name
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.ids import entity_id
from graphmem.model.scope import Scope
from graphmem.model.work import WorkKind, WorkRequest, work_id
from graphmem.recall.reader import GraphQuery
from graphmem.settings.jobs import JobSettings
from graphmem.settings.servers import Neo4jSettings
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.driver import Database, Transaction
from graphmem.store.queries import Query, read_queries
from tests.models import memory_on, shipped_queries
from tests.properties.machines import ON_A_DATABASE
from tests.servers import Servers

Result = TypeVar("Result")
Row = TypeVar("Row")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
NAMES = ("Bob", "Robert", "Rob")
SHORT = 2.0  # seconds that a transaction may take
WAIT = 60.0
(MAKE_DUE,) = read_queries(Path(__file__).parent / "overtaken.cypher")


class Held(Transaction):
    """Waits before it writes what a change adds, when locks are taken and who is who is read."""

    def __init__(self, inner: Transaction, slow: "Slow") -> None:
        self.__dict__.update(vars(inner))
        self._slow = slow

    async def execute(self, query: Query, /, **params: object) -> None:
        if query.name == "write_change":
            self._slow.has_read.set()
            await self._slow.may_write.wait()
        await super().execute(query, **params)


class Slow(Database):
    """Its writers wait before they write."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.driver, Neo4jSettings(transaction_timeout=database.transaction_timeout))
        self.has_read, self.may_write = asyncio.Event(), asyncio.Event()

    async def write(
        self, work: Callable[[Transaction], Awaitable[Result]], /, *, seconds: float | None = None
    ) -> Result:
        return await super().write(lambda transaction: work(Held(transaction, self)), seconds=seconds)


@pytest.fixture(scope="module")
def memory(database: Database) -> Memory:
    return memory_on(database)


def claim(subject: str, target: str, number: int = 0, predicate: str = "knows") -> StructuredClaim:
    at = datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=number)
    return StructuredClaim(
        subject=ThingName(subject, "person"),
        predicate=predicate,
        object=ThingName(target, "person"),
        valid_from=at,
        occurred_at=at,
    )


def id_of(group: str, name: str) -> str:
    return entity_id(group, normalise_name(name))


@asynccontextmanager
async def writing(database: Database, group: str, told: StructuredClaim) -> AsyncGenerator[None]:
    """Somebody writes a claim, read before this who is who, and commits it at the end."""
    slow = Slow(database)
    evidence = EvidenceStore(slow, shipped_queries())
    memory = memory_on(database, evidence=evidence)
    task = asyncio.create_task(memory.intake.assert_claims(group, [told]))
    has_read = asyncio.create_task(slow.has_read.wait())
    await asyncio.wait({task, has_read}, return_when=asyncio.FIRST_COMPLETED)
    if not slow.has_read.is_set():  # a writer that failed says why here; it would be waited for without end
        has_read.cancel()
        await task
    try:
        yield
    finally:
        slow.may_write.set()
        await task


async def merge(memory: Memory, group: str, one: str, other: str) -> str:
    made, _ = await memory.merging.merge(group, id_of(group, one), id_of(group, other), reason="told so")
    return made.id


async def believed(memory: Memory, group: str) -> set[tuple[str, str]]:
    """(subject, object) of what is believed."""
    graph = await memory.reader.graph(Scope(group, NOW), GraphQuery())
    names = {entity.id: entity.name for entity in graph.entities}
    return {(names[row.subject_id], names[row.object_id or ""]) for row in graph.beliefs}


async def follow(memory: Memory, database: Database, group: str) -> int:
    """What the dedup job does when all writers are gone; returns how many rows it changed."""
    await database.write(lambda transaction: transaction.execute(MAKE_DUE, group=group))
    rows = 0
    while placed := await memory.matching.place_some(group, 2):
        rows += placed.rows
    return rows


@pytest.mark.parametrize("predicate", ["knows", "lives_in"])
async def test_a_claim_that_a_merge_overtook_follows_it_and_its_revert(
    memory: Memory, database: Database, group: str, predicate: str
) -> None:
    await memory.intake.assert_claims(group, [claim("Bob", "Cem"), claim("Robert", "Dag", 1)])
    async with writing(database, group, claim("Ann", "Robert", 2, predicate)):
        made = await merge(memory, group, "Bob", "Robert")
    assert ("Ann", "Robert") in await believed(memory, group)

    await follow(memory, database, group)

    merged = {("Bob", "Cem"), ("Bob", "Dag"), ("Ann", "Bob")}
    assert await believed(memory, group) == merged
    async with writing(database, group, claim("Eve", "Robert", 3, predicate)):
        await memory.merging.revert(group, made, reason="two people")
    assert ("Eve", "Bob") in await believed(memory, group)
    await follow(memory, database, group)
    assert await believed(memory, group) == {
        ("Bob", "Cem"),
        ("Robert", "Dag"),
        ("Ann", "Robert"),
        ("Eve", "Robert"),
    }


async def test_what_followed_is_not_looked_at_again(memory: Memory, database: Database, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Bob", "Cem"), claim("Robert", "Dag", 1)])
    async with writing(database, group, claim("Ann", "Robert", 2)):
        await merge(memory, group, "Bob", "Robert")

    assert await memory.matching.place_some(group, 9) is None  # nobody knows yet who still writes
    assert await follow(memory, database, group) == 2
    assert await follow(memory, database, group) == 0
    assert await memory.matching.place_some(group, 9) is None


async def test_a_claim_that_was_retracted_since_leaves_nothing_behind(
    memory: Memory, database: Database, group: str
) -> None:
    await memory.intake.assert_claims(group, [claim("Bob", "Cem"), claim("Robert", "Dag", 1)])
    told = replace(claim("Ann", "Robert", 2), external_id="1")
    async with writing(database, group, told):
        await merge(memory, group, "Bob", "Robert")
    receipts, _ = await memory.intake.assert_claims(group, [told])
    await memory.intake.retract(group, receipts[0].claim_id)

    await follow(memory, database, group)

    assert await believed(memory, group) == {("Bob", "Cem"), ("Bob", "Dag")}


class Killed(EvidenceStore):
    """Its process ends after it placed claims again, and before it could say so."""

    async def place_again(self, group: str, claims: Sequence[Claim], since: datetime) -> int:
        await super().place_again(group, claims, since)
        raise asyncio.CancelledError


async def test_killed_in_between_it_is_done_again(memory: Memory, database: Database, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Bob", "Cem"), claim("Robert", "Dag", 1)])
    async with writing(database, group, claim("Ann", "Robert", 2)):
        await merge(memory, group, "Bob", "Robert")
    evidence = Killed(database, shipped_queries())
    killed = memory_on(database, evidence=evidence)
    with pytest.raises(asyncio.CancelledError):
        await follow(killed, database, group)

    assert await memory.matching.place_some(group, 9) == PlacedAgain(1, 0)
    assert await believed(memory, group) == {("Bob", "Cem"), ("Bob", "Dag"), ("Ann", "Bob")}


async def test_the_job_does_it_once_all_who_may_not_know_are_gone(servers: Servers, memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [claim("Bob", "Cem"), claim("Robert", "Dag", 1)])
    database = servers.open(transaction_timeout=SHORT)
    hurried = memory_on(database)
    async with writing(database, group, claim("Ann", "Robert", 2)):
        await merge(hurried, group, "Bob", "Robert")

    async with asyncio.timeout(WAIT):
        while (  # noqa: ASYNC110 - others end, and say so to nobody
            await memory.store.next_group_to_match(before(group)) != group or not await job(hurried, group)
        ):
            await asyncio.sleep(0.1)

    assert await believed(memory, group) == {("Bob", "Cem"), ("Bob", "Dag"), ("Ann", "Bob")}
    await database.aclose()


def before(group: str) -> str:
    """No group is between this and the group."""
    return group[:-1] + chr(ord(group[-1]) - 1) + "~"


async def job(memory: Memory, group: str) -> int:
    """What the dedup job does, to its end; of how many entities it placed claims again."""
    id_ = work_id(WorkKind.DEDUP, group)
    await memory.works.request_work(group, WorkKind.DEDUP, [WorkRequest(id=id_)])
    taken = await memory.works.lease_work(group, id_, uuid4().hex, 60)
    assert taken
    await Stepper(Deduplicator(memory.matching), memory.works, JobSettings()).do(taken)
    (work,) = await memory.works.works_by_id(group, [id_])
    return number(work.progress.get("placed_again", 0))


@settings(max_examples=ON_A_DATABASE, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    told=st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 4), st.integers(0, 4)), max_size=4),
    decisions=st.lists(st.sampled_from([("Bob", "Robert"), ("Robert", "Rob"), ("Bob", "Rob"), None]), max_size=4),
)
async def test_however_writers_and_decisions_interleave_beliefs_follow_who_is_who(
    memory: Memory, database: Database, told: list[tuple[str, int, int]], decisions: list[tuple[str, str] | None]
) -> None:
    """Each claim is written after so many decisions, and committed after so many more; None takes a merge back."""
    group = uuid4().hex
    await memory.intake.assert_claims(group, [claim(name, "Cem", number) for number, name in enumerate(NAMES)])
    async with AsyncExitStack() as all_of_them:
        open_: dict[int, list[AsyncExitStack]] = defaultdict(list)
        for at in range(len(decisions) + 1):
            for writer, (target, begins, lasts) in enumerate(told):
                if begins == at:
                    stack = await all_of_them.enter_async_context(AsyncExitStack())
                    await stack.enter_async_context(writing(database, group, claim(f"Writer {writer}", target, 9)))
                    open_[at + lasts].append(stack)
            if at < len(decisions):
                await decide(memory, group, decisions[at])
            for stack in open_[at]:
                await stack.aclose()

    await follow(memory, database, group)

    merges = await memory.merging.merges(Scope(group, NOW))
    stands_for = {merge.member: merge.other for merge in merges}
    first = {id_of(group, name): name for name in NAMES}
    who = {name: first[stands_for.get(id_of(group, name), id_of(group, name))] for name in NAMES}
    wanted = {(who[name], "Cem") for name in NAMES}
    began = {(f"Writer {n}", who[one[0]]) for n, one in enumerate(told) if one[1] <= len(decisions)}
    assert await believed(memory, group) == wanted | began


async def decide(memory: Memory, group: str, pair: tuple[str, str] | None) -> None:
    with suppress(Conflict):  # who were said to be different are no more the same
        if pair is not None:
            await merge(memory, group, *pair)
        elif merges := await memory.merging.merges(Scope(group, NOW)):
            await memory.merging.revert(group, merges[0].id, reason="two people")
