"""Long texts on the database: each is found by its passages, by words and by meaning, for whom and when it is known."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from graphmem.memory import Memory
from graphmem.model.episode import Episode
from graphmem.model.hits import SearchHit
from graphmem.model.interval import LATEST
from graphmem.model.scope import Scope
from graphmem.store.driver import Database
from tests.fakes import UnsteadyEmbedder
from tests.models import digest, embedder, memory_on
from tests.store.test_matching import EPOCH

FILLING = (
    "The harbour office counted forty boats in the morning.",
    "Nobody could say who had moved the crates to the eastern quay.",
    "In the afternoon the clerks compared their lists, line by line.",
    "The weather was fair, and the pilots went home early.",
)
SAFFRON = "Two of the crates held saffron from Crete, worth more than the ship."
CHATTER = ("Did you report it?", "What a report that was!", "The crates? No idea.", "I like the harbour.")
QUESTION = "What does the report say about saffron?"


def report(sentences: int = 400, at: int = 290) -> str:
    said = [FILLING[number % len(FILLING)] for number in range(sentences)]
    return " ".join((*said[:at], SAFFRON, *said[at:]))


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database, embeds=embedder())


async def say(memory: Memory, group: str, contents: Sequence[str], user: str = "") -> None:
    for number, content in enumerate(contents):
        at = EPOCH + timedelta(days=number)
        (told,) = await memory.intake.remember(
            group, [Episode(group_id=group, session=f"s{number}", content=content, occurred_at=at, user=user)]
        )
        await digest(memory, group, told.id)


async def found(memory: Memory, scope: Scope, text: str = QUESTION) -> Sequence[SearchHit]:
    return (await memory.searcher.search(scope, text, kinds=frozenset({"episode"}))).hits


async def test_the_only_text_that_holds_the_word_comes_first_by_its_passage(memory: Memory, group: str) -> None:
    await say(memory, group, [report(), *CHATTER], "ann")
    scope = Scope(group, LATEST, user="ann")
    for asked in (QUESTION, "Which spices did the ship carry?"):
        (first, *_) = await found(memory, scope, asked)
        passage = first.passage
        assert passage is not None
        assert SAFFRON in passage.text
        assert len(passage.text) <= 1_024
        assert report()[passage.start : passage.end] == passage.text
    assert [hit.ranked.id for hit in await found(memory, scope)].count(first.ranked.id) == 1
    assert all(hit.passage is None for hit in (await found(memory, scope))[1:])
    assert await found(memory, Scope(group, LATEST, user="bob")) == ()
    assert not any(hit.passage for hit in await found(memory, Scope(group, EPOCH - timedelta(days=1), user="ann")))


async def test_passages_come_with_the_vectors_that_the_model_owed_and_go_with_them(
    database: Database, memory: Memory, group: str
) -> None:
    away = UnsteadyEmbedder(embedder().model, embedder().dimensions)
    away.away = True
    await say(memory_on(database, embeds=away), group, [report(), *CHATTER])
    scope = Scope(group, LATEST)
    assert not any(hit.passage for hit in await found(memory, scope))
    while await memory.late_vectors.embed_some(group, 100, 100):
        pass
    (first, *_) = await found(memory, scope)
    assert first.passage is not None
    assert SAFFRON in first.passage.text
    await memory.store.forget_vectors_of_episodes(group, (EPOCH - timedelta(days=9), ""), 100)
    assert not any(hit.passage for hit in await found(memory, scope))


async def test_a_second_digest_makes_no_second_passage(memory: Memory, group: str) -> None:
    await say(memory, group, [report(), report()])
    hits = await found(memory, Scope(group, LATEST))
    assert [SAFFRON in hit.passage.text for hit in hits if hit.passage] == [True, True]
