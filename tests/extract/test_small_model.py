"""A real language model, and a bad one: nothing that it makes up reaches the graph, and no episode is lost by it.

What it answers differs from machine to machine, so these tests say what holds whatever it is.
"""

import uuid
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, LiteralString, cast

import pytest
from pydantic import SecretStr

from graphmem.extract.llm.grounding import find_name
from graphmem.extract.providers import Extractors
from graphmem.model.episode import Episode, EpisodeStatus, StoredEpisode
from graphmem.queue.redis import open_queue
from graphmem.settings import load_settings
from graphmem.settings.servers import RedisSettings
from graphmem.store.driver import Database
from tests.jobs.doing import ById
from tests.models import extractor, memory_on
from tests.servers import Servers
from tests.small_model import CONTEXT, NAME, small_model

pytestmark = [pytest.mark.full, pytest.mark.timeout(900)]

SPEAKER = "Maya"
SAID = (
    "I moved to Porto yesterday, finally!",
    "My sister Anna works at Globex since 2019.",
    "Please send order 4711 to Bruno in Lisbon.",
    "I am allergic to peanuts.",
    "We had dinner at Mario's with Ines last Friday.",
    "The printer in the office is broken again.",
    "My boss is called Henrik and he comes from Malmö.",
    "I quit my job at Initech in March.",
    "Call me May, everybody does.",
    "It rained the whole day.",
)
MAX_TOKENS = 96
"""Enough for a claim or a fact, and not for more."""

_GROUNDS = cast("LiteralString", (Path(__file__).parent / "grounds.cypher").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Bench:
    """What digests with the model: its address, and the servers that the graph and the work are on."""

    url: str
    database: Database
    servers: Servers

    async def digest(self, group: str, texts: Sequence[str], **step: Any) -> list[StoredEpisode]:
        """The episodes of these texts, each after its digest as the worker does it."""
        began = datetime(2025, 3, 10, 9, tzinfo=UTC)
        episodes = [
            Episode(
                group_id=group, session="s", content=text, speaker=SPEAKER, occurred_at=began + timedelta(minutes=at)
            )
            for at, text in enumerate(texts)
        ]
        settings = load_settings(
            openai={"api_key": "any", "base_url": self.url, "mode": "json_schema"},
            pipeline={
                "entity_extraction": {"strategy": "llm", "models": [NAME], "timeout": 240, "attempts": 1, **step}
            },
            jobs={"digest_timeout": 600, "max_attempts": 1},
        )
        extractors = Extractors(settings)
        memory = memory_on(self.database, extracts=extractors.of())
        await memory.intake.remember(group, episodes)
        async with open_queue(RedisSettings(url=SecretStr(self.servers.redis_url))) as queue:
            for episode in episodes:
                await ById(memory, queue, settings.jobs).digest(group, episode.id)
        await extractors.aclose()
        return [await memory.reader.episode(group, episode.id) for episode in episodes]

    async def grounds(self, group: str, *kinds: str) -> list[dict[str, Any]]:
        """What stands on words of a group's episodes, by ``grounds.cypher``."""
        async with self.database.session() as session:
            found = await session.run(_GROUNDS, group=group)
            return [row.data() async for row in found if not kinds or row["kind"] in kinds]


@dataclass(frozen=True, slots=True)
class Told:
    """The group that the ten were told to, so many turns a call, and what became of them."""

    turns: int
    group: str
    episodes: list[StoredEpisode]


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    with small_model() as address:
        yield address


@pytest.fixture(scope="module")
def bench(url: str, database: Database, servers: Servers) -> Bench:
    return Bench(url, database, servers)


@pytest.fixture(scope="module", params=[1, len(SAID)], ids=["a-call-each", "one-call"])
async def told(bench: Bench, request: pytest.FixtureRequest) -> Told:
    turns, group = request.param, f"small-model-{uuid.uuid4().hex[:12]}"
    step = {"max_tokens": MAX_TOKENS, "reasks": 1, "context_turns": 0, "bulk_turns_per_call": turns}
    return Told(turns, group, await bench.digest(group, SAID, **step))


def usage_of(stored: StoredEpisode) -> dict[str, Any]:
    assert stored.outcome is not None
    return cast("dict[str, Any]", stored.outcome["usage"])


async def test_no_episode_is_lost_and_each_says_who_has_read_it(told: Told) -> None:
    assert {stored.status for stored in told.episodes} <= {
        EpisodeStatus.DIGESTED,
        EpisodeStatus.REFINING,
    }  # somebody may read on
    for usage in map(usage_of, told.episodes):
        assert (usage["model"] == NAME) != (NAME in usage["fallback"])
        assert usage["cost"] is None


async def test_what_the_answers_took_is_counted_of_use_or_not(told: Told) -> None:
    usages = [usage_of(stored) for stored in told.episodes]

    calls = sum(usage["calls"] for usage in usages)
    alone = 2 * len(SAID)  # also those of turns that are read apart, where the model makes nothing of them together
    assert len(SAID) <= calls <= alone if told.turns == 1 else 1 <= calls <= 2 + alone
    assert 0 < sum(usage["output_tokens"] for usage in usages) <= MAX_TOKENS * calls
    assert sum(usage["input_tokens"] + usage["cached_tokens"] for usage in usages) >= 500 * calls


async def test_every_quote_and_mention_stands_where_it_is_said_to(bench: Bench, told: Told) -> None:
    for row in await bench.grounds(told.group, "quote", "mention"):
        assert row["text"] == row["content"][row["start"] : row["end"]]
        assert row["text"].strip()


async def test_every_name_is_one_that_an_episode_has(bench: Bench, told: Told) -> None:
    """“My boss” is Maya's boss."""
    names = [row["text"].removeprefix(f"{SPEAKER}'s ") for row in await bench.grounds(told.group, "name")]

    assert [name for name in names if name != SPEAKER and not any(find_name(text, name) for text in SAID)] == []


async def test_every_value_that_the_model_gave_has_words_of_its_episode(bench: Bench, told: Told) -> None:
    for row in await bench.grounds(told.group, "value"):
        words = [word for word in str(row["text"]).split() if len(word) > 3 or not word.isalpha()]
        assert any(word.strip(".,!?").casefold() in row["content"].casefold() for word in words)


async def test_an_answer_that_is_cut_off_says_so_and_is_read_offline(bench: Bench, group: str) -> None:
    (stored,) = await bench.digest(group, [SAID[1]], max_tokens=1)

    assert stored.status is EpisodeStatus.DIGESTED
    usage = usage_of(stored)
    assert usage["fallback"] == f"{NAME} ran into its limit of 1 tokens."
    assert (usage["calls"], usage["output_tokens"]) == (1, 1)
    read = await extractor().extract(stored.episode)
    assert len(read.claims) == len(await bench.grounds(group, "quote")) > 0


async def test_where_nothing_may_stand_in_it_fails_and_says_why(bench: Bench, group: str) -> None:
    (stored,) = await bench.digest(group, [SAID[1]], max_tokens=1, fallback="fail")

    assert stored.status is EpisodeStatus.FAILED
    assert "limit of 1 tokens" in (stored.error or "")
    assert await bench.grounds(group) == []


async def test_a_text_that_the_model_cannot_hold_is_read_offline(bench: Bench, group: str) -> None:
    text = " ".join([SAID[1], *["It rained again."] * (CONTEXT // 4)])

    (stored,) = await bench.digest(group, [text])

    assert "cannot take a text of this length" in usage_of(stored)["fallback"]
    assert await bench.grounds(group, "quote") != []
