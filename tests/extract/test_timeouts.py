"""Time-outs of providers in digests: what took too long is told, and nothing of it is stored."""

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.api.errors import problem_of
from graphmem.clock import utc_now
from graphmem.errors import GraphmemError, ReadingTimedOut, UnusableAnswer
from graphmem.extract.providers import Extractors
from graphmem.memory import Memory
from graphmem.model.episode import AS_CONFIGURED, Episode, EpisodeStatus
from graphmem.model.fragment import ALONE, Context, Fragment, TurnsExtractor
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.settings import load_settings
from graphmem.store.driver import Database
from tests.fake_anthropic import KEY, FakeProvider, Fault, fake_anthropic, in_lisbon
from tests.models import digest, memory_on

TEXT = "I live in Lisbon."
SAID_AT = datetime(2025, 3, 1, tzinfo=UTC)


@pytest.fixture
def provider() -> Generator[FakeProvider]:
    with fake_anthropic() as running:
        running.answers = {TEXT: in_lisbon("I live in Lisbon")}
        yield running


@asynccontextmanager
async def configured(provider: FakeProvider, step: dict[str, Any], **providers: float) -> AsyncGenerator[Extractors]:
    """Extractors that ask this server, with seconds of providers."""
    pipeline = {
        "entity_extraction": {"strategy": "llm", "attempts": 1, **step},
        "providers": {name: {"timeout": seconds} for name, seconds in providers.items()},
    }
    extractors = Extractors(load_settings(anthropic={"api_key": KEY, "base_url": provider.url}, pipeline=pipeline))
    extractors.accurate.warm()
    yield extractors
    await extractors.aclose()


def turn(group: str, minute: int = 0) -> Episode:
    at = SAID_AT + timedelta(minutes=minute)
    return Episode(group_id=group, session="s", content=TEXT, occurred_at=at, speaker="Maya")


async def remembered(database: Database, group: str, extractors: Extractors) -> tuple[Memory, Episode]:
    memory = memory_on(database, extracts=extractors.of(), extractor_of=extractors.of)
    await memory.intake.remember(group, [turn(group)])
    return memory, turn(group)


async def test_where_the_model_takes_too_long_the_episode_says_so_and_is_read_offline(
    database: Database, provider: FakeProvider, group: str
) -> None:
    provider.faults = [Fault.SLOW]
    async with configured(provider, {}, llm=0.5) as extractors:
        memory, episode = await remembered(database, group, extractors)
        await digest(memory, group, episode.id)

    outcome = (await memory.reader.episode(group, episode.id)).outcome
    assert outcome is not None
    usage = outcome["usage"]
    assert isinstance(usage, dict)
    assert (usage["fallback"], usage["model"]) == ("No model gave an answer within 0.5 seconds.", "")
    assert outcome["extractor"] == "offline"


@pytest.mark.parametrize(
    ("step", "seconds", "error", "told"),
    [
        ({"fallback": "fail"}, {"llm": 0.5}, UnusableAnswer, "No model gave an answer within 0.5 seconds"),
        ({}, {"llm": 0.5, "names": 1e-9}, ReadingTimedOut, "The provider 'names' did not read a text"),
        ({"strategy": "accurate"}, {"open": 1e-9}, ReadingTimedOut, "The provider 'open' did not read a text"),
    ],
    ids=["no fallback", "the fallback too", "offline"],
)
async def test_what_took_too_long_stores_nothing(
    database: Database,
    provider: FakeProvider,
    group: str,
    step: dict[str, Any],
    seconds: dict[str, float],
    error: type[GraphmemError],
    told: str,
) -> None:
    provider.faults = [Fault.SLOW]
    async with configured(provider, step, **seconds) as extractors:
        memory, episode = await remembered(database, group, extractors)
        with pytest.raises(error, match=told):
            await digest(memory, group, episode.id)

    stored = await memory.reader.episode(group, episode.id)
    graph = await memory.reader.graph(Scope(group, utc_now()), GraphQuery())
    assert (stored.status, stored.outcome, graph.beliefs, graph.entities) == (EpisodeStatus.PENDING, None, (), ())


async def test_what_reads_beside_a_model_has_its_own_time_and_fails_its_turn_alone(provider: FakeProvider) -> None:
    async with configured(provider, {}, regex=1e-9) as extractors:
        reader = extractors.of(AS_CONFIGURED)
        assert isinstance(reader, TurnsExtractor)
        read = await reader.extract_turns([turn("g"), turn("g", 1)], ALONE, _alone)
        assert [str(one)[:40] for one in read] == ["The provider 'regex' did not read a text"] * 2
    async with configured(provider, {}, names=1e-9, llm=20.0) as extractors:  # that is not asked
        read = await extractors.of().extract(turn("g"))
        assert (read.extractor, [claim.predicate for claim in read.claims]) == ("llm", ["lives_in"])
        assert isinstance(read, Fragment)


async def _alone(_episode: Episode) -> Context:
    return ALONE


def test_a_caller_is_told_which_provider_took_too_long() -> None:
    problem = problem_of(ReadingTimedOut("The provider 'open' did not read a text in 1 seconds."))
    assert (problem["status"], problem["detail"]) == (503, "The provider 'open' did not read a text in 1 seconds.")
