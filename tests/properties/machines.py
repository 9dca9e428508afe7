"""State machines on a real Neo4j."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from typing import TypeVar

from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from graphmem.memory import Memory
from graphmem.store.driver import Database
from tests.generated import asked
from tests.models import memory_on
from tests.servers import Servers


class MemoryMachine(RuleBasedStateMachine):
    """Asks ``memory`` by ``runner``, for rules are no coroutines."""

    runner: asyncio.Runner
    memory: Memory


Machine = TypeVar("Machine", bound=MemoryMachine)
ON_A_DATABASE = asked() or settings().max_examples // 5
"""How many examples are tried where each has to be stored."""


@contextmanager
def opened(machine: type[Machine], servers: Servers) -> Generator[type[Machine]]:
    """The machine with a memory, until the block ends."""
    with asyncio.Runner() as runner:
        database = runner.run(_open(servers))
        machine.runner, machine.memory = runner, memory_on(database)
        try:
            yield machine
        finally:
            runner.run(database.aclose())


async def _open(servers: Servers) -> Database:
    return servers.open()


def run(machine: type[MemoryMachine], steps: int, *unchecked: HealthCheck) -> None:
    """Run courses of so many events, however slow; raises what breaks an invariant."""
    checks = [HealthCheck.too_slow, *unchecked]
    chosen = settings(max_examples=ON_A_DATABASE, stateful_step_count=steps, suppress_health_check=checks)
    run_state_machine_as_test(machine, settings=chosen)
