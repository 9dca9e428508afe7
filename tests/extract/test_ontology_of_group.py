"""A model reads by the ontology that its group has at that moment; what it nests in spite of it is not believed."""

from collections.abc import AsyncGenerator, Generator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.clock import utc_now
from graphmem.memory import Memory
from graphmem.model.episode import Episode, StoredEpisode
from graphmem.model.ontology import EntityType, Ontology, RelationType
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.settings.extraction import StepSettings
from graphmem.store.driver import Database
from tests.fake_anthropic import FakeProvider, fake_anthropic, model_extractor
from tests.models import digest, extractor, memory_on

STEP = StepSettings(strategy="llm", backoff_seconds=0.01, attempts=1, context_turns=0)
SAID_AT = datetime(2025, 3, 1, tzinfo=UTC)
SHOP = Ontology(
    entity_types={
        "customer": EntityType(description="somebody who buys from us", attributes={"tier": "gold or silver"}),
        "order": EntityType(description="a purchase"),
    },
    relation_types={
        "placed": RelationType(subjects=("customer",), objects=("order",), attributes={"channel": "web or shop"})
    },
    open_types=False,
)
TEXT = "Nora Lind, who goes by Nola, is a gold customer and placed order 77 on the web."
ANSWER = {
    "entities": [
        {
            "name": "Nora Lind",
            "type": "customer",
            "aliases": ["Nola"],
            "attributes": {"tier": "gold", "address": {"city": "Oslo"}},
            "confidence": "high",
        },
        {"name": "order 77", "type": "order", "attributes": ["web"], "confidence": "high"},
    ],
    "claims": [
        {
            "turn": 0,
            "subject": "Nora Lind",
            "predicate": "placed",
            "object": "order 77",
            "statement": "Nora Lind placed order 77.",
            "attributes": {"channel": "web", "items": [{"name": "tea"}]},
            "confidence": 0.9,
            "quote": "placed order 77 on the web",
        }
    ],
    "facts": [],
}


@pytest.fixture
def provider() -> Generator[FakeProvider]:
    with fake_anthropic() as running:
        running.answers = {TEXT: ANSWER}
        yield running


@pytest.fixture
async def memory(database: Database, provider: FakeProvider) -> AsyncGenerator[Memory]:
    reader = model_extractor(provider, STEP, extractor())
    yield memory_on(database, extracts=reader)
    await reader.aclose()


async def digested(memory: Memory, group: str, text: str, minute: int = 0) -> StoredEpisode:
    episode = Episode(group_id=group, session="", content=text, occurred_at=SAID_AT + timedelta(minutes=minute))
    await memory.intake.remember(group, [episode])
    await digest(memory, group, episode.id)
    return await memory.reader.episode(group, episode.id)


def system(request: dict[str, Any]) -> str:
    return request["system"][-1]["text"]


async def test_attributes_and_other_names_reach_the_graph_and_what_is_nested_does_not(
    memory: Memory, group: str
) -> None:
    await memory.groups.set_ontology(group, SHOP)

    stored = await digested(memory, group, TEXT)

    graph = await memory.reader.graph(Scope(group, utc_now()), GraphQuery())
    nora = next(entity for entity in graph.entities if entity.type == "customer")
    found = {row.predicate: row for row in graph.beliefs}
    assert {row.subject_id for row in graph.beliefs} == {nora.id}
    assert (found["tier"].value, found["also_known_as"].value) == ("gold", "Nola")
    assert (found["placed"].kind, found["placed"].attributes) == ("relationship", '{"channel": "web"}')
    assert len(found) == 3
    assert stored.outcome is not None
    usage = stored.outcome["usage"]
    assert isinstance(usage, dict)
    assert usage["dropped"] == 3


async def test_each_group_is_read_by_its_ontology_of_that_moment(
    memory: Memory, provider: FakeProvider, group: str
) -> None:
    await memory.groups.set_ontology(group, SHOP)
    for number in range(2):
        await digested(memory, group, f"Nothing new ({number}).", number)
    await digested(memory, f"{group}-other", "Nothing here.")
    await memory.groups.set_ontology(group, None)
    await digested(memory, group, "Nothing at last.", 3)

    first, second, other, last = (system(request) for request in provider.requests)
    assert first == second
    assert "- customer: somebody who buys from us\n  - tier: gold or silver" in first
    assert other == last
    assert "- person: a human being" in last
    assert "customer" not in last


async def test_the_same_ontology_again_is_no_change(memory: Memory, group: str) -> None:
    first = await memory.groups.set_ontology(group, SHOP)

    assert first is not None
    assert await memory.groups.set_ontology(group, SHOP) == first == await memory.store.ontology_of_group(group)
    assert first.ontology == SHOP
    assert await memory.groups.set_ontology(group, None) is None
    assert await memory.store.ontology_of_group(group) is None
