"""A digest that asks a language model: what it is told of the session, and what stands on the episode afterwards."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.clock import utc_now
from graphmem.extract.llm.extractor import LanguageModelExtractor
from graphmem.extract.llm.prompts import system_prompt
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.providers import Extractors, NothingExtractor
from graphmem.memory import Memory
from graphmem.model.episode import Episode, EpisodeRole, Reprocessing, StoredEpisode
from graphmem.model.ontology import DEFAULT_ONTOLOGY
from graphmem.model.scope import Scope
from graphmem.model.work import Lease
from graphmem.recall.reader import GraphQuery
from graphmem.settings import load_settings
from graphmem.settings.extraction import StepSettings
from graphmem.store.driver import Database
from tests.fake_anthropic import EMPTY, KEY, FakeProvider, Fault, fake_anthropic, in_lisbon, model_extractor
from tests.models import digest, extractor, memory_on

STEP = StepSettings(strategy="llm", backoff_seconds=0.01, attempts=1)
SAID_AT = datetime(2025, 3, 1, tzinfo=UTC)


@pytest.fixture
def provider() -> Generator[FakeProvider]:
    with fake_anthropic() as running:
        running.answers = {"I live in Lisbon.": in_lisbon("I live in Lisbon")}
        yield running


@pytest.fixture
async def memory(database: Database, provider: FakeProvider) -> AsyncGenerator[Memory]:
    reader = model_extractor(provider, STEP, extractor())
    yield memory_on(database, extracts=reader)
    await reader.aclose()


async def digested(
    memory: Memory, group: str, text: str, minute: int, *, role: EpisodeRole = EpisodeRole.USER, session: str = "s"
) -> StoredEpisode:
    at = SAID_AT + timedelta(minutes=minute)
    episode = Episode(group_id=group, session=session, content=text, occurred_at=at, speaker="Maya", role=role)
    await memory.intake.remember(group, [episode])
    await digest(memory, group, episode.id)
    return await memory.reader.episode(group, episode.id)


async def test_one_call_and_what_it_took_stands_on_the_episode(
    memory: Memory, provider: FakeProvider, group: str
) -> None:
    stored = await digested(memory, group, "I live in Lisbon.", 0)

    assert stored.outcome is not None
    usage = stored.outcome["usage"]
    assert isinstance(usage, dict)
    assert (usage["calls"], usage["output_tokens"], usage["fallback"], usage["cost"]) == (1, 50, "", None)
    assert len(provider.requests) == 1
    graph = await memory.reader.graph(Scope(group, utc_now()), GraphQuery())
    assert [(row.statement, row.predicate) for row in graph.beliefs] == [("Maya lives in Lisbon.", "lives_in")]


async def test_the_session_is_told_and_the_names_in_it_are_known(
    memory: Memory, provider: FakeProvider, group: str
) -> None:
    await digested(memory, group, "Somebody else's talk.", 0, session="other")
    await digested(memory, group, "I live in Lisbon.", 1)
    await digested(memory, group, "How nice!", 2, role=EpisodeRole.ASSISTANT)
    await digested(memory, group, "It rains a lot.", 3)

    document = provider.documents()[-1]
    assert [turn["text"] for turn in document["earlier"]] == ["I live in Lisbon.", "How nice!"]
    assert {"name": "Lisbon", "type": "place"} in document["known"]
    assert [turn["text"] for turn in document["turns"]] == ["It rains a lot."]


async def test_other_names_of_those_known_are_told(memory: Memory, provider: FakeProvider, group: str) -> None:
    acme = {"name": "Acme Corp", "type": "organization", "aliases": ["Acme"], "confidence": "high"}
    provider.answers["Acme Corp, or Acme for short, called."] = {"entities": [acme], "claims": [], "facts": []}
    await digested(memory, group, "Acme Corp, or Acme for short, called.", 0)
    await digested(memory, group, "They want a refund.", 1)

    assert provider.documents()[-1]["known"] == [{"name": "Acme Corp", "type": "organization", "aliases": ["Acme"]}]


async def test_turns_of_one_instant_are_in_the_order_of_their_sequence(
    memory: Memory, provider: FakeProvider, group: str
) -> None:
    texts = [f"Turn {number}." for number in range(5)]
    turns = [
        Episode(group_id=group, session="s", content=text, occurred_at=SAID_AT, sequence=number)
        for number, text in enumerate(texts)
    ]
    await memory.intake.remember(group, turns)
    await digest(memory, group, turns[3].id)

    assert [turn["text"] for turn in provider.documents()[-1]["earlier"]] == texts[:3]


async def test_no_episode_is_lost_where_no_model_answers(memory: Memory, provider: FakeProvider, group: str) -> None:
    provider.faults = [Fault.OVERLOADED]

    stored = await digested(memory, group, "I live in Lisbon.", 0)

    assert stored.outcome is not None
    assert stored.outcome["claims"] == 1  # read offline
    usage = stored.outcome["usage"]
    assert isinstance(usage, dict)
    assert "529" in usage["fallback"]


@pytest.mark.parametrize(
    ("given", "chosen"),
    [
        ({}, "offline 14-accurate"),
        ({"anthropic": {"api_key": "k"}}, "llm"),
        ({"openai": {"api_key": "k"}}, "offline 14-accurate"),
        ({"openai": {"api_key": "k"}, "pipeline": {"entity_extraction": {"models": ["openai/gpt"]}}}, "llm"),
        ({"anthropic": {"api_key": "k"}, "pipeline": {"entity_extraction": {"strategy": "fast"}}}, "offline 14-fast"),
        ({"pipeline": {"entity_extraction": {"strategy": "llm", "models": ["ollama/llama3"]}}}, "llm"),
        ({"pipeline": {"entity_extraction": {"strategy": "off"}}}, "nothing"),
    ],
    ids=str,
)
async def test_who_reads_follows_from_the_settings_and_keys(given: dict[str, Any], chosen: str) -> None:
    extracts = Extractors(load_settings(**given)).of()

    if isinstance(extracts, LanguageModelExtractor):
        await extracts.aclose()
        assert chosen == "llm"
    elif isinstance(extracts, OfflineExtractor):
        assert chosen == f"{extracts.name} {extracts.version}"
    else:
        assert isinstance(extracts, NothingExtractor)
        assert chosen == "nothing"


async def test_whoever_asks_a_provider_shares_its_limits(provider: FakeProvider) -> None:
    other, price = "anthropic/another", {"input": 1, "cached": 1, "output": 1}
    settings = load_settings(
        anthropic={"api_key": KEY, "base_url": provider.url},
        pipeline={"entity_extraction": {"concurrency": 2}},
        prices={other: price},
    )
    extractors = Extractors(settings)
    provider.open.clear()
    episode = Episode(group_id="g", session="s", content="I live in Lisbon.", occurred_at=SAID_AT, speaker="Maya")

    async with asyncio.TaskGroup() as tasks:
        for reader in (extractors.of(), extractors.of(Reprocessing(model=other))):
            for _ in range(4):
                tasks.create_task(reader.extract(episode))
        await provider.asked_at_once(2)
        provider.open.set()
    await extractors.aclose()

    assert (provider.most_at_once, len(provider.requests)) == (2, 8)
    assert {request["model"] for request in provider.requests} == {"another", "claude-haiku-4-5"}


async def test_another_model_and_prompt_read_an_episode_anew(
    database: Database, provider: FakeProvider, group: str
) -> None:
    other, price = "anthropic/another", {"input": 1, "cached": 1, "output": 1}
    settings = load_settings(anthropic={"api_key": KEY, "base_url": provider.url}, prices={other: price})
    extractors = Extractors(settings)
    memory = memory_on(database, extracts=extractors.of(), extractor_of=extractors.of)
    before = await digested(memory, group, "I live in Lisbon.", 0)
    provider.answers = {"I live in Lisbon.": EMPTY}

    await memory.intake.reprocess(group, before.id, Reprocessing(model=other, prompt="read-1"))
    await digest(memory, group, before.id)
    await extractors.aclose()

    stored = await memory.reader.episode(group, before.id)
    assert stored.outcome is not None
    usage = stored.outcome["usage"]
    assert isinstance(usage, dict)
    assert (usage["model"], usage["prompt"], usage["calls"], usage["cost"]) == (other, "read-1", 1, 0.00105)
    assert provider.requests[1]["system"][0]["text"] == system_prompt(DEFAULT_ONTOLOGY, "read-1")
    assert provider.requests[0]["system"][0]["text"] == system_prompt(DEFAULT_ONTOLOGY)
    assert (stored.outcome["superseded"], stored.outcome["claims"]) == (1, 0)
    graph = await memory.reader.graph(Scope(group, utc_now()), GraphQuery())
    assert graph.beliefs == ()


async def test_what_a_model_reads_again_keeps_its_category_and_is_still_a_fact(
    database: Database, provider: FakeProvider, group: str
) -> None:
    text = "I'm allergic to peanuts."
    offline = memory_on(database, extracts=extractor())
    before = await digested(offline, group, text, 0)
    claim = {
        "turn": 0,
        "subject": "I",
        "predicate": "allergic_to",
        "value": "peanuts",
        "statement": text,
        "confidence": 0.9,
        "quote": text,
    }
    provider.answers = {text: {**EMPTY, "claims": [claim]}}
    reader = model_extractor(provider, STEP, extractor())
    memory = memory_on(database, extracts=reader)

    async def facts() -> list[tuple[str, str, float]]:
        graph = await memory.reader.graph(Scope(group, utc_now()), GraphQuery())
        return [(row.predicate, row.category, row.importance) for row in graph.beliefs]

    first = await facts()
    await memory.intake.reprocess(group, before.id, Reprocessing())
    await digest(memory, group, before.id)
    await reader.aclose()

    assert await facts() == first == [("allergic_to", "constraint", 1.0)]


async def test_a_long_text_is_read_in_calls_of_so_many_characters(
    database: Database, provider: FakeProvider, group: str
) -> None:
    sentence = "I live in Lisbon. "
    text = sentence * 300
    reader = model_extractor(provider, STEP.model_copy(update={"piece_chars": 2000}), extractor())
    memory = memory_on(database, extracts=reader)
    part = sentence * (2000 // len(sentence))
    provider.answers = {part: in_lisbon(sentence.strip())}

    stored = await digested(memory, group, text, 0)
    await reader.aclose()

    read = [turn["text"] for document in provider.documents() for turn in document["turns"]]
    assert "".join(read) == text
    assert [len(each) <= 2000 for each in read] == [True] * 3
    assert stored.outcome is not None
    usage = stored.outcome["usage"]
    assert isinstance(usage, dict)
    assert (usage["calls"], usage["output_tokens"], stored.outcome["claims"]) == (3, 150, 2)


async def test_long_turns_of_a_session_are_not_read_in_one_call(
    database: Database, provider: FakeProvider, group: str
) -> None:
    step = STEP.model_copy(update={"piece_chars": 1000, "turns_per_call": 5})
    reader = model_extractor(provider, step, extractor())
    memory = memory_on(database, extracts=reader)
    texts = ["Short. " * 50, "Also short. " * 40, "Too much. " * 60]
    episodes = [
        Episode(group_id=group, session="s", content=text, occurred_at=SAID_AT + timedelta(minutes=minute))
        for minute, text in enumerate(texts)
    ]
    await memory.intake.remember(group, episodes)
    stored = [await memory.reader.episode(group, episode.id) for episode in episodes]

    read = await memory.digestion.read_turns([Lease("l", one) for one in stored])
    await reader.aclose()

    assert [one is None for one in read] == [False, False, True]
    assert [[turn["text"] for turn in document["turns"]] for document in provider.documents()] == [texts[:2]]


async def test_of_long_turns_before_a_model_is_shown_the_end(
    database: Database, provider: FakeProvider, group: str
) -> None:
    step = STEP.model_copy(update={"context_chars": 100, "context_turn_chars": 60})
    reader = model_extractor(provider, step, extractor())
    memory = memory_on(database, extracts=reader)
    asked = memory.store.context_of_episode
    for minute, text in enumerate(
        ["Far away. " * 50, "It was long ago. " * 3000 + "The end is near.", "Yes, it is near."]
    ):
        await digested(memory, group, text, minute)
    last = await digested(memory, group, "I live in Lisbon.", 3)

    context = await asked(group, last.id, 6, reader.context_chars)
    await reader.aclose()

    assert context is not None
    assert [len(turn.content) for turn in context.turns] == [61, 61, 16]
    earlier = [turn["text"] for turn in provider.documents()[-1]["earlier"]]
    assert earlier == [
        "Far away. Far away. Far away.",
        "It was long ago. It was long ago. The end is near.",
        "Yes, it is near.",
    ]
