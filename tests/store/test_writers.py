"""Many writers at once: on one slot, on one subject, on many; and answers that are settled while they are at work."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from graphmem.clock import utc_now
from graphmem.errors import Conflict
from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.interval import END, LATEST
from graphmem.model.recall import FIRST_VERSION, Subgraph
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from graphmem.store.rows.digest import GroundRow
from tests.models import memory_on, shipped_queries
from tests.servers import Servers

WRITERS = 8
ROUNDS = 6
SHORT = 2.0  # seconds that a transaction may take here, so that answers settle soon
EPOCH = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database)


@pytest.fixture
async def impatient(database: Database, servers: Servers) -> AsyncGenerator[Memory]:
    await memory_on(database).intake.assert_claims("warm", [claim("Maya", "lives_in", "Rome", 0)])  # all is planned
    own = servers.open(transaction_timeout=SHORT)
    yield memory_on(own)
    await own.aclose()


def claim(subject: str, predicate: str, value: str, number: int) -> StructuredClaim:
    at = EPOCH + timedelta(hours=number)
    return StructuredClaim(
        subject=ThingName(subject, "person"),
        predicate=predicate,
        object=ThingName(value, "place"),
        valid_from=at,
        occurred_at=at,
        external_id=f"{subject} {predicate} {number}",
    )


def work(writer: int, number: int, course: str) -> StructuredClaim:
    at = number * WRITERS + writer
    if course == "one slot":
        return claim("Maya", "lives_at", f"City {at % 5}", at)
    if course == "one subject":
        return claim("Maya", f"knows_{writer}", f"City {number}", at)
    return claim(f"Person {writer}", "lives_in", f"City {number % 3}", at)


async def write(memory: Memory, group: str, course: str, writer: int, rounds: int = ROUNDS) -> None:
    for number in range(rounds):
        await memory.intake.assert_claims(group, [work(writer, number, course)])


async def versions(memory: Memory, group: str) -> list[BeliefRow]:
    people = await memory.reader.entities(Scope(group, EPOCH), entity_type="person", limit=100)
    return [row for person in people for row in (await history(memory, group, person.id)).beliefs]


async def history(memory: Memory, group: str, entity_id: str) -> Subgraph:
    return await memory.store.history_of_entity(
        Scope(group, LATEST), entity_id, valid_at=None, predicates=None, after=FIRST_VERSION, limit=9_999
    )


def present(rows: list[BeliefRow]) -> Counter[tuple[str, datetime, datetime]]:
    return Counter((row.statement, row.valid_from, row.valid_to) for row in rows if row.superseded_at == END)


@pytest.mark.parametrize("course", ["one slot", "one subject", "many subjects"])
async def test_writers_at_once_amount_to_one_after_the_other(memory: Memory, group: str, course: str) -> None:
    await memory.groups.ensure(group)
    async with asyncio.TaskGroup() as tasks:
        for writer in range(WRITERS):
            tasks.create_task(write(memory, group, course, writer))
    for writer in range(WRITERS):
        await write(memory, f"{group}-alone", course, writer)

    at_once, alone = await versions(memory, group), await versions(memory, f"{group}-alone")
    assert present(at_once) == present(alone)
    assert all(row.recorded_at < row.superseded_at for row in at_once)


@pytest.mark.parametrize("other", ["same group", "another group"])
async def test_nobody_waits_for_who_writes_of_the_same_predicate(
    memory: Memory, database: Database, group: str, other: str
) -> None:
    """Not even where it has no policy yet, as any predicate that a language model makes up."""
    lock_change = shipped_queries()["lock_change"]
    predicate = f"paints_{group[-6:]}".replace("-", "_")
    elsewhere = group if other == "same group" else f"{group}-2"
    await memory.groups.ensure(group)
    await memory.groups.ensure(elsewhere)
    async with database.unlimited() as open_change:
        await open_change.single(lock_change, GroundRow, group=group, rows=[], claims=[], predicates=[predicate])
        async with asyncio.timeout(10):
            _, outcome = await memory.intake.assert_claims(elsewhere, [claim("Maya", predicate, "Lisbon", 0)])
    assert outcome.recorded == 1


async def test_of_corrections_at_once_of_one_claim_one_stands_and_the_others_are_refused(
    memory: Memory, group: str
) -> None:
    (told,), _ = await memory.intake.assert_claims(group, [claim("Maya", "lives_in", "Rome", 0)])

    async def corrected(writer: int) -> int:
        try:
            await memory.intake.correct(group, told.claim_id, claim("Maya", "lives_in", f"City {writer}", writer + 1))
        except Conflict:
            return 0
        return 1

    async with asyncio.TaskGroup() as tasks:
        correcting = [tasks.create_task(corrected(writer)) for writer in range(WRITERS)]

    assert sum(task.result() for task in correcting) == 1
    assert len(present(await versions(memory, group))) == 1


async def test_at_every_instant_a_single_valued_slot_held_one_value_at_a_time(memory: Memory, group: str) -> None:
    await memory.groups.ensure(group)
    async with asyncio.TaskGroup() as tasks:
        for writer in range(WRITERS):
            tasks.create_task(write(memory, group, "one slot", writer))

    rows = await versions(memory, group)
    for stamp in {row.recorded_at for row in rows}:
        known = sorted(
            (row for row in rows if row.recorded_at <= stamp < row.superseded_at), key=lambda row: row.valid_from
        )
        assert all(one.valid_to <= next_.valid_from for one, next_ in pairwise(known))


@pytest.mark.full
async def test_a_settled_answer_stays_while_eight_writers_are_at_work(
    impatient: Memory, memory: Memory, group: str
) -> None:
    """Only writers are in a hurry: how long a reader takes has no say in what is settled."""
    await impatient.intake.assert_claims(group, [claim("Maya", "lives_in", "Rome", 0)])
    writing = [asyncio.create_task(_write_and_take_back(impatient, group, writer)) for writer in range(WRITERS)]
    answers: dict[Scope, str] = {}
    try:
        for _ in range(40):
            await asyncio.sleep(0.25)
            known_at = utc_now() - timedelta(seconds=SHORT + 3.0)
            if await impatient.reader.settled(group, known_at):
                when = Scope(group, EPOCH + timedelta(hours=3), known_at)
                answers[when] = await _answer(memory, when)
        again = {when: await _answer(memory, when) for when in answers}
    finally:
        for task in writing:
            task.cancel()
        await asyncio.wait(writing)

    assert len(answers) > WRITERS
    assert len(set(answers.values())) > 1
    assert again == answers
    assert {when: await _answer(memory, when) for when in answers} == answers


async def _write_and_take_back(memory: Memory, group: str, writer: int) -> None:
    number = 0
    while True:
        number += 1
        one = work(writer, number, "one slot")
        early = replace(one, valid_from=EPOCH + timedelta(hours=number % 5), occurred_at=EPOCH)
        receipts, _ = await memory.intake.assert_claims(group, [early, work(writer, number, "many subjects")])
        if number % 2:
            await memory.intake.retract(group, receipts[0].claim_id)


async def _answer(memory: Memory, when: Scope) -> str:
    """The whole graph with its evidence, one entity with its beliefs: letter by letter."""
    graph = await memory.reader.graph(when, GraphQuery())
    (maya,) = await memory.reader.entities(when, name="Maya") or [None]
    entity = await memory.reader.entity(when, maya.id) if maya else None
    return repr((graph, entity))
