"""How all groups are, as those who look after the service are told."""

from dataclasses import asdict

import pytest

from graphmem.memory import Memory
from graphmem.store.driver import Database
from tests.models import memory_on
from tests.store.test_acts import likes, said, the_only
from tests.store.test_fading import told


@pytest.fixture
def memory(own_database: Database) -> Memory:
    return memory_on(own_database)


async def condition(memory: Memory) -> dict[str, int]:
    return asdict(await memory.store.condition_of_all())


async def test_what_has_faded_and_what_is_contested_is_counted(memory: Memory, group: str) -> None:
    before = await condition(memory)
    await said(memory, f"{group}-fades", told("tea", confidence=0.04), told("milk"))
    faded = await condition(memory)
    assert faded == before | {"faded": before["faded"] + 1}

    _, blue = await said(memory, group, likes("red", 1, 0.9), likes("blue", 3, 0.5))
    assert await condition(memory) == faded | {"contested": before["contested"] + 1}

    await memory.facts.choose(group, (await the_only(memory, group)).id, blue)
    assert await condition(memory) == faded
