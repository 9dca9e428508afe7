"""What a digest hands to a reader or model: turns and names of everybody and of the episode's user, nobody else's."""

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.memory import Memory
from graphmem.model.episode import Episode
from graphmem.model.fragment import ALONE, Context, Fragment
from graphmem.store.driver import Database
from tests.fakes import ScriptedExtractor
from tests.models import digest, memory_on

START = datetime(2025, 1, 1, tzinfo=UTC)
TURNS = [
    ("ann", "BRUNO likes Porto."),
    ("", "Bruno likes Rome."),
    ("bo", "Bruno also_known_as Bobo."),
    ("ann", "Bruno also_known_as Annabel."),
]


class Spy(ScriptedExtractor):
    """Remembers in which context it read each episode."""

    context_turns = 9
    context_chars = 1_000

    def __init__(self) -> None:
        self.contexts: dict[str, Context] = {}

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        self.contexts[episode.content] = context
        return await super().extract(episode, context)


@pytest.mark.parametrize(
    ("user", "heard", "name"),
    [
        ("", ["Bruno likes Rome."], "Bruno"),
        ("bo", ["Bruno likes Rome.", "Bruno also_known_as Bobo."], "Bruno"),
        ("ann", ["BRUNO likes Porto.", "Bruno likes Rome.", "Bruno also_known_as Annabel."], "BRUNO"),
    ],
)
async def test_a_digest_sees_the_turns_of_everybody_and_of_its_user(
    database: Database, group: str, user: str, heard: list[str], name: str
) -> None:
    spy = Spy()
    memory = memory_on(database, extracts=spy)
    for number, (whose, content) in enumerate(TURNS):
        await said(memory, group, whose, content, number)
    await said(memory, group, user, "Maya likes Bruno.", len(TURNS))

    context = spy.contexts["Maya likes Bruno."]
    assert [turn.content for turn in context.turns] == heard
    assert {one.name for one in context.known if one.name.casefold() == "bruno"} == {name}


async def said(memory: Memory, group: str, user: str, content: str, minute: int) -> None:
    at = START + timedelta(minutes=minute)
    episode = Episode(group_id=group, session="s", content=content, occurred_at=at, user=user)
    (remembered,) = await memory.intake.remember(group, [episode])
    await digest(memory, group, remembered.id)
