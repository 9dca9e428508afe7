"""What is retracted while an answer is read is in the answer with its evidence, or not at all."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import pytest

from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.interval import LATEST
from graphmem.model.recall import Difference
from graphmem.model.scope import Scope
from graphmem.recall.reader import DiffQuery, GraphQuery, Reader
from graphmem.settings.servers import Neo4jSettings
from graphmem.store.driver import Database
from graphmem.store.graph import GraphStore
from graphmem.store.queries import Query
from tests.models import memory_on, shipped_queries

Row = TypeVar("Row")
JANUARY = datetime(2025, 1, 1, tzinfo=UTC)
NOW = JANUARY + timedelta(days=100)


class BusyDatabase(Database):
    """After each read, something happens: ``between`` is called."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.driver, Neo4jSettings.model_validate({}))
        self.between: Callable[[], Awaitable[None]] | None = None

    async def run(self, query: Query, row: type[Row], /, **params: object) -> list[Row]:
        found = await super().run(query, row, **params)
        if self.between is not None:
            await self.between()
        return found


def knows(number: int) -> StructuredClaim:
    return StructuredClaim(
        subject=ThingName("Maya", "person"),
        predicate="knows",
        object=ThingName(f"Friend {number}", "person"),
        valid_from=JANUARY,
        occurred_at=JANUARY,
    )


async def _entity(reader: Reader, scope: Scope, id_: str) -> list[BeliefRow]:
    return list((await reader.entity(scope, id_)).beliefs)


async def _graph(reader: Reader, scope: Scope, id_: str) -> list[BeliefRow]:
    return list((await reader.graph(scope, GraphQuery(entity_id=id_, depth=3))).beliefs)


async def _whole(reader: Reader, scope: Scope, id_: str) -> list[BeliefRow]:
    del id_
    return list((await reader.graph(scope, GraphQuery())).beliefs)


async def _history(reader: Reader, scope: Scope, id_: str) -> list[BeliefRow]:
    return list((await reader.history(scope, id_)).versions)


async def _diff(reader: Reader, scope: Scope, id_: str) -> list[BeliefRow]:
    del id_
    before = Scope(scope.group, JANUARY - timedelta(days=1))
    return list((await reader.diff(DiffQuery(before=before, after=scope))).difference.began)


async def test_a_graph_of_several_steps_is_that_of_one_instant(database: Database, group: str) -> None:
    """A belief that becomes another version between two steps is there once."""
    memory: Memory = memory_on(database)
    await memory.intake.assert_claims(group, [knows(1)])
    (maya,) = await memory.reader.entities(Scope(group, NOW), name="Maya")
    busy = BusyDatabase(database)

    async def change_once() -> None:
        busy.between = None
        await memory.intake.assert_claims(group, [replace(knows(1), attributes={"since": "school"})])

    query = GraphQuery(entity_id=maya.id, depth=2)
    reader = Reader(GraphStore(busy, shipped_queries()))
    await reader.known_group(group)
    busy.between = change_once
    graph = await reader.graph(Scope(group, NOW, LATEST), query)

    assert busy.between is None
    assert graph.beliefs == (await memory.reader.graph(Scope(group, NOW, LATEST), query)).beliefs


async def test_a_diff_is_of_one_instant(database: Database, group: str) -> None:
    """What is believed anew between its two reads did neither begin nor end."""
    memory: Memory = memory_on(database)
    first = replace(knows(1), valid_to=JANUARY + timedelta(days=10))
    (receipt,), _ = await memory.intake.assert_claims(group, [first])
    busy = BusyDatabase(database)
    reader = Reader(GraphStore(busy, shipped_queries()))
    await reader.known_group(group)

    async def correct_once() -> None:
        busy.between = None
        await memory.intake.retract(group, receipt.claim_id)
        await memory.intake.assert_claims(group, [knows(1)])

    busy.between = correct_once
    found = await reader.diff(DiffQuery(before=Scope(group, JANUARY + timedelta(days=1)), after=Scope(group, NOW)))

    assert busy.between is None
    assert found.difference == Difference(began=(), ended=(), changed=())


@pytest.mark.parametrize("read", [_entity, _graph, _whole, _history, _diff])
async def test_no_belief_is_shown_without_its_evidence(
    read: Callable[[Reader, Scope, str], Awaitable[list[BeliefRow]]], database: Database, group: str
) -> None:
    memory: Memory = memory_on(database)
    receipts, _ = await memory.intake.assert_claims(group, [knows(number) for number in range(9)])
    (maya,) = await memory.reader.entities(Scope(group, NOW), name="Maya")
    left = [receipt.claim_id for receipt in receipts]
    busy = BusyDatabase(database)
    reader = Reader(GraphStore(busy, shipped_queries()))

    async def retract_one() -> None:
        if len(left) > 1:
            await memory.intake.retract(group, left.pop())

    busy.between = retract_one
    shown = await read(reader, Scope(group, NOW, LATEST), maya.id)

    assert len(left) < len(receipts), "nothing was retracted meanwhile"
    assert shown
    assert all(belief.evidence for belief in shown)
