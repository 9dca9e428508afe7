"""A digest without a language model knows from the session who is spoken of."""

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.memory import Memory
from graphmem.model.episode import Episode
from graphmem.store.driver import Database
from tests.models import digest, extractor, memory_on

SAID_AT = datetime(2025, 3, 1, tzinfo=UTC)


async def claimed(memory: Memory, group: str, session: str, *turns: tuple[str, str]) -> int:
    """How many claims the last turn makes, each being digested when it is said."""
    claims = 0
    for minute, (speaker, text) in enumerate(turns):
        at = SAID_AT + timedelta(minutes=minute)
        episode = Episode(group_id=group, session=session, content=text, occurred_at=at, speaker=speaker)
        await memory.intake.remember(group, [episode])
        claims = (await digest(memory, group, episode.id)).claims
    return claims


@pytest.mark.parametrize(
    ("session", "before", "claims"),
    [
        ("s", ["My brother Carlo called."], 1),
        ("s", ["Hello there."], 0),
        ("s", [], 0),
        ("", ["My brother Carlo called."], 0),
    ],
)
async def test_who_he_is_the_turn_before_tells(
    database: Database, group: str, session: str, before: list[str], claims: int
) -> None:
    memory = memory_on(database, extracts=extractor())
    turns = [*(("Ivo", text) for text in before), ("Ivo", "He lives in Oslo.")]
    assert await claimed(memory, group, session, *turns) == claims
