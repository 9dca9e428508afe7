"""What a model says under no known predicate reaches the graph as open: as events, or as what somebody said."""

from collections.abc import AsyncGenerator, Generator
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.extract.llm.prompts import VERSION
from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import ClaimStatus
from graphmem.model.episode import Episode, StoredEpisode
from graphmem.model.interval import END
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.settings.extraction import StepSettings
from graphmem.store.driver import Database
from tests.fake_anthropic import Answer, FakeProvider, fake_anthropic, in_lisbon, model_extractor
from tests.models import digest, extractor, memory_on

STEP = StepSettings(strategy="llm", backoff_seconds=0.01, attempts=1)
SAID_AT = datetime(2025, 3, 10, 12, tzinfo=UTC)
PORTO, BEAGLE = (
    {"name": name, "type": type_, "confidence": "high"} for name, type_ in (("Porto", "place"), ("beagle", "concept"))
)


def claimed(thing: dict[str, str], quote: str, statement: str, **change: object) -> Answer:
    """The form filled in by one claim of the speaker."""
    claim = {"turn": 0, "subject": "I", "object": thing["name"], "statement": statement, "confidence": 0.9}
    return {"entities": [thing], "claims": [{**claim, "quote": quote, **change}], "facts": []}


ANSWERS: dict[str, Answer] = {
    "I live in Lisbon.": in_lisbon("I live in Lisbon"),
    "I adopted a beagle last Friday!": claimed(
        BEAGLE,
        "I adopted a beagle last Friday",
        "Maya adopted a beagle on 7 March 2025.",
        predicate="adopt",
        happened="last Friday",
    ),
    "Next month I'm moving to Porto.": claimed(
        PORTO,
        "Next month I'm moving to Porto",
        "Maya is going to move to Porto in April 2025.",
        predicate="lives_in",
        status="planned",
    ),
    "Thanks for the beagle!": claimed(BEAGLE, "Thanks for the beagle", "Maya got a beagle.", predicate="get"),
    "I might move to Porto.": claimed(
        PORTO, "I might move to Porto", "Maya may move to Porto.", predicate="lives_in", status="possible"
    ),
}


@pytest.fixture
def provider() -> Generator[FakeProvider]:
    with fake_anthropic() as running:
        running.answers = dict(ANSWERS)
        yield running


@pytest.fixture
async def memory(database: Database, provider: FakeProvider) -> AsyncGenerator[Memory]:
    reader = model_extractor(provider, STEP, extractor())
    yield memory_on(database, extracts=reader)
    await reader.aclose()


async def digested(memory: Memory, group: str, text: str, minute: int = 0) -> StoredEpisode:
    at = SAID_AT + timedelta(minutes=minute)
    episode = Episode(group_id=group, session="s", content=text, occurred_at=at, speaker="Maya")
    await memory.intake.remember(group, [episode])
    await digest(memory, group, episode.id)
    return await memory.reader.episode(group, episode.id)


async def believed(memory: Memory, group: str) -> dict[str, BeliefRow]:
    graph = await memory.reader.graph(Scope(group, SAID_AT + timedelta(days=1)), GraphQuery())
    return {row.predicate: row for row in graph.beliefs}


def assert_dropped(number: int, stored: StoredEpisode) -> None:
    """After one call with the newest prompt."""
    assert stored.outcome is not None
    usage = stored.outcome["usage"]
    assert isinstance(usage, dict)
    assert (usage["prompt"], usage["calls"], usage["dropped"]) == (VERSION, 1, number)


async def test_what_happened_once_is_an_open_event(memory: Memory, group: str) -> None:
    stored = await digested(memory, group, "I adopted a beagle last Friday!")

    row = (await believed(memory, group))["adopted"]
    assert (row.open, row.kind, row.status) == (True, "relationship", ClaimStatus.ASSERTED)
    assert (row.day, row.event_to) == ("2025-03-07", datetime(2025, 3, 8, tzinfo=UTC))
    assert_dropped(0, stored)


async def test_a_plan_ends_nothing_and_is_a_fact_until_a_month_after_its_day(memory: Memory, group: str) -> None:
    await digested(memory, group, "I live in Lisbon.")
    await digested(memory, group, "Next month I'm moving to Porto.", 1)

    rows = await believed(memory, group)
    lives, plans = rows["lives_in"], rows["plans"]
    assert (lives.open, lives.valid_to, lives.statement) == (False, END, "Maya lives in Lisbon.")
    assert (plans.open, plans.kind, plans.status, plans.value) == (True, "fact", ClaimStatus.PLANNED, "move to Porto")
    assert plans.valid_to == datetime(2025, 5, 31, tzinfo=UTC)


@pytest.mark.parametrize("text", ["Thanks for the beagle!", "I might move to Porto."])
async def test_chatter_and_claims_of_no_known_status_are_dropped_and_counted(
    memory: Memory, group: str, text: str
) -> None:
    assert_dropped(1, await digested(memory, group, text))
    assert await believed(memory, group) == {}


async def test_the_form_and_the_prompt_ask_for_statuses_and_canonical_predicates(
    memory: Memory, provider: FakeProvider, group: str
) -> None:
    await digested(memory, group, "I live in Lisbon.")

    (request,) = provider.requests
    form = request["tools"][0]["input_schema"]["$defs"]["ExtractedClaim"]["properties"]
    assert form["status"]["enum"] == [status.value for status in ClaimStatus]
    assert {"happened", "valid_from", "quote"} <= form.keys()
    prompt = request["system"][-1]["text"]
    assert " lives_in " in prompt
    assert " adopted " in prompt
