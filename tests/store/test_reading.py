"""Reads of a real database: answers that would be too large, and answers while others write."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.clock import utc_now
from graphmem.errors import AnswerTooLarge
from graphmem.memory import Memory
from graphmem.model.claim import ClaimKind
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.recall import Difference, Graph
from graphmem.model.scope import Scope
from graphmem.recall.reader import DiffQuery, GraphQuery, Reader
from graphmem.store.driver import Database
from tests.models import memory_on

JANUARY = datetime(2025, 1, 1, tzinfo=UTC)
FRIENDS = 64


def knows(number: int, kind: ClaimKind = ClaimKind.STARTS, at: datetime = JANUARY) -> StructuredClaim:
    """That a friend knows Maya: one subject each, so that writers do not wait for each other."""
    return StructuredClaim(
        kind=kind,
        subject=ThingName(f"Friend {number}", "person"),
        predicate="knows",
        object=ThingName("Maya", "person"),
        valid_from=at,
        occurred_at=at,
    )


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database)


async def maya(memory: Memory, group: str) -> str:
    (known,) = await memory.reader.entities(Scope(group, JANUARY), name="maya")
    return known.id


async def test_a_graph_too_large_is_refused_with_advice_or_cut_as_asked(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [knows(number) for number in range(4)])
    reader, now = Reader(memory.store, most=3), Scope(group, utc_now())
    for query in (GraphQuery(), GraphQuery(entity_id=await maya(memory, group))):
        with pytest.raises(AnswerTooLarge, match=r"more than 3 .* entity, depth or predicate, or set limit"):
            await reader.graph(now, query)
        cut = await reader.graph(now, replace(query, limit=3))
        assert (len(cut.beliefs), cut.complete) == (3, False)


async def test_a_step_into_a_crowd_stops_at_the_limit(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [knows(number) for number in range(9)])
    (friend,) = await memory.reader.entities(Scope(group, JANUARY), name="friend 1")
    query = GraphQuery(entity_id=friend.id, depth=5, limit=4)
    found = await memory.reader.graph(Scope(group, utc_now()), query)
    assert (len(found.beliefs), found.complete) == (4, False)
    assert friend.id in {belief.subject_id for belief in found.beliefs}


async def test_a_diff_too_large_is_refused_and_what_held_throughout_does_not_count(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [knows(number) for number in range(4)])
    reader = Reader(memory.store, most=3)
    year = timedelta(days=365)
    with pytest.raises(AnswerTooLarge, match="entity or predicate"):
        await reader.diff(DiffQuery(before=Scope(group, JANUARY - year), after=Scope(group, JANUARY + year)))
    nothing = await reader.diff(DiffQuery(before=Scope(group, JANUARY), after=Scope(group, JANUARY + year)))
    assert nothing.complete
    assert nothing.difference == Difference(began=(), ended=(), changed=())


async def test_an_answer_about_the_past_is_the_same_while_eight_writers_are_at_work(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [knows(number) for number in range(FRIENDS)])
    when, id_ = Scope(group, JANUARY + timedelta(days=9), utc_now()), await maya(memory, group)
    before = await answers(memory, when, id_)

    seen = set[str]()
    async with asyncio.TaskGroup() as tasks:
        writers = [tasks.create_task(end(memory, group, range(start, FRIENDS, 8))) for start in range(8)]
        while not all(writer.done() for writer in writers):
            seen |= differences(before, await answers(memory, when, id_))

    assert len(before[0].beliefs) == FRIENDS
    assert seen == set()
    assert await answers(memory, when, id_) == before


async def answers(memory: Memory, when: Scope, entity_id: str) -> tuple[Graph, ...]:
    return (
        await memory.reader.graph(when, GraphQuery()),
        await memory.reader.graph(when, GraphQuery(entity_id=entity_id)),
    )


def differences(expected: tuple[Graph, ...], given: tuple[Graph, ...]) -> set[str]:
    """What is missing, added or different, a line each: an answer of 64 beliefs is too long to read."""
    of_each = zip(("of the group", "around Maya"), map(_parts, expected), map(_parts, given), strict=True)
    return {
        f"{where}: {name} is {given.get(name)!r} instead of {expected.get(name)!r}"
        for where, expected, given in of_each
        for name in expected.keys() | given.keys()
        if expected.get(name) != given.get(name)
    }


def _parts(graph: Graph) -> dict[str, object]:
    beliefs = {belief.statement: belief for belief in graph.beliefs}
    entities = {entity.name: entity for entity in graph.entities}
    return {**beliefs, **entities, "complete": graph.complete, "order": [belief.id for belief in graph.beliefs]}


async def end(memory: Memory, group: str, friends: range) -> None:
    for number in friends:
        await memory.intake.assert_claims(group, [knows(number, ClaimKind.ENDS, JANUARY + timedelta(days=3))])


async def test_what_was_called_settled_stays_so_though_the_clock_steps_back(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [knows(1)])
    ahead = utc_now() + timedelta(hours=1)
    await memory.store.promise_settled(group, ahead)  # as if the clock had gone back by an hour since

    _, outcome = await memory.intake.assert_claims(group, [knows(2)])
    await memory.store.promise_settled(group, JANUARY)

    assert outcome.recorded_at > ahead
    assert await Reader(memory.store).settled(group, ahead)


async def test_an_answer_that_settles_by_the_clock_is_promised(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [knows(1)])

    assert await Reader(memory.store).settled(group, utc_now() - timedelta(hours=1))
    assert not await Reader(memory.store).settled(group, utc_now() + timedelta(hours=1))

    horizon = await memory.store.horizon(group)
    assert horizon is not None
    assert JANUARY < horizon.promised <= horizon.until
