"""A group's own open predicates name what is read in it, offline and by a model, from the next episode on."""

from collections.abc import AsyncGenerator, Generator, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.memory import Memory
from graphmem.model.episode import AS_CONFIGURED, Episode
from graphmem.model.evidence import ChangeOutcome
from graphmem.model.interval import LATEST
from graphmem.model.ontology import DEFAULT_ONTOLOGY, Ontology
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.settings.extraction import StepSettings
from graphmem.store.driver import Database
from tests.fake_anthropic import EMPTY, Answer, FakeProvider, Fault, fake_anthropic, model_extractor
from tests.models import digest, extractor, memory_on

SAID_AT = datetime(2025, 3, 1, tzinfo=UTC)
OWN = Ontology(entity_types=DEFAULT_ONTOLOGY.entity_types, open_predicates={"mended": ("repair",)})
STEP = StepSettings(strategy="llm", backoff_seconds=0.01, attempts=1, models=("anthropic/claude-haiku-4-5",))
FENCE, GATE = "I repaired the old fence.", "I repaired the garden gate."


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database, extracts=extractor())


REPAIRED: Answer = {
    **EMPTY,
    "claims": [
        {
            "turn": 0,
            "subject": "I",
            "predicate": "repaired",
            "value": "old fence",
            "statement": "Maya repaired the old fence.",
            "confidence": 0.9,
            "quote": "I repaired the old fence",
        }
    ],
}


@pytest.fixture
def provider() -> Generator[FakeProvider]:
    with fake_anthropic() as running:
        running.answers = {FENCE: REPAIRED}
        yield running


@pytest.fixture
async def asking(database: Database, provider: FakeProvider) -> AsyncGenerator[Memory]:
    """Reads by a model."""
    reader = model_extractor(provider, STEP, extractor())
    yield memory_on(database, extracts=reader)
    await reader.aclose()


async def told(memory: Memory, group: str, texts: Sequence[str]) -> list[str]:
    episodes = [
        Episode(group_id=group, session="s", content=text, occurred_at=SAID_AT + timedelta(hours=hour), speaker="Maya")
        for hour, text in enumerate(texts)
    ]
    return [one.id for one in await memory.intake.remember(group, episodes)]


async def predicates(memory: Memory, group: str) -> set[str]:
    graph = await memory.reader.graph(Scope(group, LATEST), GraphQuery())
    return {row.predicate for row in graph.beliefs if row.open}


async def test_a_digest_reads_by_the_folds_of_its_group(memory: Memory, group: str) -> None:
    other = f"{group}-other"
    await memory.groups.set_ontology(group, OWN)
    for name in (group, other):
        (id_,) = await told(memory, name, [FENCE])
        await digest(memory, name, id_)

    assert await predicates(memory, group) == {"mended"}
    assert await predicates(memory, other) == {"repaired"}


async def test_many_digested_together_do_so_too(memory: Memory, group: str) -> None:
    await memory.groups.set_ontology(group, OWN)
    ids = await told(memory, group, [FENCE, GATE])
    leases = [await memory.digestion.lease(group, id_, 60) for id_ in ids]

    outcomes = await memory.bulk.digest([lease for lease in leases if lease is not None])

    assert [isinstance(one, ChangeOutcome) for one in outcomes] == [True, True]
    assert await predicates(memory, group) == {"mended"}


async def test_what_was_read_before_gets_the_new_names_when_it_is_digested_anew(memory: Memory, group: str) -> None:
    (id_,) = await told(memory, group, [FENCE])
    await digest(memory, group, id_)
    await memory.groups.set_ontology(group, OWN)
    assert await predicates(memory, group) == {"repaired"}

    await memory.intake.reprocess(group, id_, AS_CONFIGURED)
    await digest(memory, group, id_)

    assert await predicates(memory, group) == {"mended"}


@pytest.mark.parametrize("faults", [[], [Fault.SERVER_ERROR] * 9], ids=["answers", "does not answer"])
async def test_a_model_reads_by_them_and_so_does_who_stands_in_for_it(
    asking: Memory, provider: FakeProvider, group: str, faults: list[Fault]
) -> None:
    await asking.groups.set_ontology(group, OWN)
    provider.faults = faults
    (id_,) = await told(asking, group, [FENCE])

    outcome = await digest(asking, group, id_)

    assert outcome.usage is not None
    assert bool(outcome.usage.fallback) == bool(faults)
    assert await predicates(asking, group) == {"mended"}
