"""Facts that nobody uses come up no more, on a real database; what is true, and what was answered, stays."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from math import exp
from typing import Any

import pytest

from graphmem.clock import utc_now
from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import ClaimKind
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fact import LEAST_STRENGTH, RATES
from graphmem.model.hits import Lost
from graphmem.model.interval import END
from graphmem.model.scope import Scope
from graphmem.model.search import BELIEFS
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from graphmem.store.fact import UsedBelief
from tests.models import memory_on
from tests.store.test_evidence import MAYA, day

HELD = 29
"""Days for which what was surely said of the category “other” comes up."""


def told(drink: str, start: int = 1, **changes: Any) -> StructuredClaim:
    claim = StructuredClaim(
        subject=MAYA,
        predicate="drinks",
        object=None,
        value=drink,
        statement=f"Maya drinks {drink}.",
        valid_from=day(start),
        occurred_at=day(start),
        category="other",
        confidence=1.0,
    )
    return replace(claim, **changes)


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database)


async def say(memory: Memory, group: str, *claims: StructuredClaim) -> None:
    await memory.intake.assert_claims(group, list(claims))


def asked(group: str, days: float = 0, known_at: datetime | None = None) -> Scope:
    """So many days from now."""
    now = utc_now() + timedelta(days=days)
    return Scope(group, now, known_at or now, asked_at=now)


async def found(memory: Memory, scope: Scope, text: str = "Maya drinks tea") -> set[str]:
    recall = await memory.searcher.search(scope, text, kinds=BELIEFS)
    return {str(hit.thing.value) for hit in recall.hits if isinstance(hit.thing, BeliefRow)}


async def believed(memory: Memory, scope: Scope) -> dict[str, BeliefRow]:
    graph = await memory.reader.graph(scope, GraphQuery())
    return {str(row.value): row for row in graph.beliefs}


async def test_a_fact_comes_up_until_it_has_faded_and_is_believed_all_the_same(memory: Memory, group: str) -> None:
    await say(memory, group, told("tea"))
    assert await found(memory, asked(group, HELD)) == {"tea"}
    assert await found(memory, asked(group, HELD + 2)) == set()
    assert not (await believed(memory, asked(group, HELD)))["tea"].faded
    assert (await believed(memory, asked(group, HELD + 2)))["tea"].faded


async def test_where_nothing_fades_what_faded_before_comes_up_again(memory: Memory, group: str) -> None:
    await say(memory, group, told("tea"))
    awake = replace(asked(group, HELD + 2), fades=False)
    assert not (await believed(memory, awake))["tea"].faded
    assert await found(memory, awake) == {"tea"}


@pytest.mark.parametrize("category", ["", "identity", "constraint"])
async def test_what_does_not_fade_comes_up_for_ever(memory: Memory, group: str, category: str) -> None:
    await say(memory, group, told("tea", category=category))
    assert await found(memory, asked(group, 10_000)) == {"tea"}


async def test_a_past_answer_stays_what_it_was(memory: Memory, group: str) -> None:
    await say(memory, group, told("tea"))
    then = utc_now()
    assert await found(memory, asked(group, 1_000, known_at=then)) == {"tea"}


async def test_what_is_used_fades_later_and_counts_once_a_day(memory: Memory, group: str) -> None:
    await say(memory, group, told("tea"))
    for days in (20, 20.001, 25):
        assert await found(memory, asked(group, days)) == {"tea"}
        await memory.uses.flush()
    assert await found(memory, asked(group, 25 + HELD)) == {"tea"}
    await memory.uses.flush()
    assert await found(memory, asked(group, 25 + 2 * HELD + 4)) == set()


async def test_a_use_after_it_had_faded_does_not_wake_it(memory: Memory, group: str) -> None:
    await say(memory, group, told("tea"))
    (row,) = (await believed(memory, asked(group))).values()
    memory.uses.note(asked(group, HELD + 2), [row])
    assert await memory.uses.flush() == 1
    assert await found(memory, asked(group, HELD + 2)) == set()


async def test_a_use_that_is_written_after_it_had_faded_does_not_wake_it(memory: Memory, group: str) -> None:
    seconds = 0.5
    await say(memory, group, told("tea", confidence=LEAST_STRENGTH * exp(RATES["other"] * seconds / 86_400)))
    (row,) = (await believed(memory, asked(group))).values()
    await asyncio.sleep(2 * seconds)
    assert await found(memory, asked(group)) == set()

    await memory.store.use_beliefs(group, [UsedBelief(row.id, at=row.recorded_at, fades_at=END)])

    assert await found(memory, asked(group)) == set()


async def test_nobody_uses_what_is_asked_without_a_clock(memory: Memory, group: str) -> None:
    await say(memory, group, told("tea"))
    assert await found(memory, Scope(group, day(40))) == {"tea"}
    assert await memory.uses.flush() == 0


async def test_what_is_said_again_fades_later(memory: Memory, group: str) -> None:
    await say(memory, group, told("tea", confidence=0.06))
    assert await found(memory, asked(group, 3)) == set()
    (before,) = (await believed(memory, asked(group))).values()
    await say(
        memory, group, told("tea", 2, kind=ClaimKind.HOLDS, confidence=0.06, statement="Maya drinks tea, she says.")
    )
    (after,) = (await believed(memory, asked(group))).values()
    assert (after.id, after.superseded_at) == (before.id, END)


async def test_what_is_confirmed_comes_up_for_ever(memory: Memory, group: str) -> None:
    await say(memory, group, told("tea"))
    (row,) = (await believed(memory, asked(group))).values()
    await memory.facts.confirm(group, row.id)
    assert await found(memory, asked(group, 10_000)) == {"tea"}


async def test_a_use_is_carried_to_the_row_that_takes_its_place(memory: Memory, group: str) -> None:
    await say(memory, group, told("tea"))
    await found(memory, asked(group, 20))
    await memory.uses.flush()
    await say(
        memory, group, told("tea", 3, kind=ClaimKind.ENDS, valid_from=day(30), statement="Maya stopped drinking tea.")
    )
    long_ago = replace(asked(group, 20 + HELD), valid_at=day(5))
    assert await found(memory, long_ago) == {"tea"}


async def test_a_search_tells_that_something_faded(memory: Memory, group: str) -> None:
    await say(memory, group, told("tea"))
    (row,) = (await believed(memory, asked(group))).values()
    recall = await memory.searcher.search(asked(group, HELD + 2), "tea", kinds=BELIEFS, why_not=[row.id])
    assert [one.lost for one in recall.why_not] == [Lost.FADED]
