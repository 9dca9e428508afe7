"""Texts that are too long for one answer end it, or are refused with a way to ask for less."""

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.clock import utc_now
from graphmem.errors import AnswerTooLarge
from graphmem.memory import Memory
from graphmem.model.episode import Episode
from graphmem.model.interval import BEGIN, LATEST
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.store import belief, episode
from graphmem.store.driver import Database
from tests.models import digest, memory_on

CONTENT = "Maya knows Ivo. " + "… " * 50
COUNT = 7


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database)


@pytest.fixture
async def ids(memory: Memory, group: str) -> list[str]:
    """Episodes that say the same."""
    start = datetime(2025, 1, 1, tzinfo=UTC)
    episodes = [
        Episode(group_id=group, session="s", content=CONTENT, occurred_at=start + timedelta(days=number))
        for number in range(COUNT)
    ]
    remembered = [answer.id for answer in await memory.intake.remember(group, episodes)]
    for id_ in remembered:
        await digest(memory, group, id_)
    return remembered


async def test_a_page_of_evidence_ends_where_its_texts_are_too_long_and_goes_on_there(
    memory: Memory, group: str, ids: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(belief, "PAGE_CHARS", 2 * len(CONTENT))
    scope = Scope(group, utc_now())
    (found,) = (await memory.reader.graph(scope, GraphQuery())).beliefs

    pages, after = list[list[str]](), (BEGIN, "")
    while True:
        page = await memory.reader.evidence(Scope(group, LATEST), found.belief_id, after=after)
        pages.append([claim.episode_id for claim in page.claims])
        assert [one.id for one in page.episodes] == pages[-1]
        if page.complete:
            break
        after = (page.claims[-1].said_at, page.claims[-1].id)

    assert [len(page) for page in pages] == [2, 2, 2, 1]
    assert [id_ for page in pages for id_ in page] == ids


async def test_texts_that_are_too_long_together_are_refused(
    memory: Memory, group: str, ids: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(episode, "PAGE_CHARS", 2 * len(CONTENT))
    scope = Scope(group, LATEST)

    assert [one.id for one in await memory.store.episodes_by_id(scope, ids[:2])] == ids[:2]
    assert await memory.store.episodes_by_id(scope, ["none"]) == []
    with pytest.raises(AnswerTooLarge, match="Ask for fewer"):
        await memory.store.episodes_by_id(scope, ids[:3])
