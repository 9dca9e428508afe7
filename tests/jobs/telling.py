"""Tells a group a course of claims, retractions and corrections; as a process of its own, so that it can be killed.

    python -m tests.jobs.telling GROUP

Told again from its start, whoever told how much of it before, the course comes to the same. Prints a line a step.
"""

import asyncio
import os
import random
import sys
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta

from pydantic import SecretStr

from graphmem.errors import StoreUnavailable
from graphmem.memory import Memory
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.settings.servers import Neo4jSettings
from graphmem.store.driver import Database, open_driver
from tests.models import memory_on

PEOPLE = ("Maya", "Bruno", "Ines")
STEPS = 45


def telling_memory(database: Database) -> Memory:
    """One that needs no models: claims are told, and nothing is read."""
    return memory_on(database)


async def tell(memory: Memory, group: str) -> AsyncGenerator[int]:
    """Step by step: who lives where, and for each two such claims one is withdrawn or put right."""
    rng, told = random.Random(7), list[str]()  # noqa: S311 - reproducible on purpose
    for step in range(STEPS):
        said = _home(rng, step)
        if step % 3 < 2 or not told:
            receipts, _ = await memory.intake.assert_claims(group, [said])
            told.append(receipts[0].claim_id)
        elif step % 2:
            await memory.intake.retract(group, told.pop(rng.randrange(len(told))))
        else:
            _, receipt, _ = await memory.intake.correct(group, told.pop(rng.randrange(len(told))), said)
            told.append(receipt.claim_id)
        yield step


def _home(rng: random.Random, step: int) -> StructuredClaim:
    began = datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=rng.randrange(300))
    return StructuredClaim(
        subject=ThingName(rng.choice(PEOPLE), "person"),
        predicate="lives_in",
        object=ThingName(rng.choice("ABCD"), "place"),
        valid_from=began,
        occurred_at=began + timedelta(days=step),
        external_id=f"step {step}",
    )


async def _tell_to_the_end(group: str) -> None:
    settings = Neo4jSettings(
        uri=os.environ["NEO4J_URI"],  # noqa: TID251
        password=SecretStr(os.environ["NEO4J_PASSWORD"]),  # noqa: TID251
    )
    assert settings.uri
    assert settings.password
    driver = open_driver(settings.uri, settings.user, settings.password.get_secret_value(), settings)
    database = Database(driver, settings)
    while True:
        try:
            async for step in tell(telling_memory(database), group):
                sys.stdout.write(f"{step}\n")
                sys.stdout.flush()
        except StoreUnavailable:
            await asyncio.sleep(0.2)
        else:
            break
    await database.aclose()


if __name__ == "__main__":
    asyncio.run(_tell_to_the_end(sys.argv[1]))
