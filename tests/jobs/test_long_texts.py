"""A long text is read to its end, piece by piece; who is interrupted goes on where they were."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from graphmem.extract.offline.extractor import PIECE, OfflineExtractor
from graphmem.extract.offline.providers import Strategy
from graphmem.extract.pieces import pieces
from graphmem.memory import Memory
from graphmem.model.episode import AS_CONFIGURED, UNDONE, ContentType, Episode, EpisodeStatus, StoredEpisode
from graphmem.model.evidence import ChangeOutcome
from graphmem.model.fragment import ALONE, Context, Fragment
from graphmem.model.scope import Scope
from graphmem.queue.redis import Queue
from graphmem.recall.reader import GraphQuery
from graphmem.settings.jobs import JobSettings
from graphmem.store.driver import Database
from graphmem.store.parameters import read_outcome
from graphmem.store.queries import read_queries
from tests.fakes import ScriptedExtractor
from tests.jobs.doing import ById
from tests.models import memory_on

SETTINGS = JobSettings.model_validate({"retry_seconds": 0, "lease_seconds": 5})
SAID_AT = datetime(2025, 3, 1, tzinfo=UTC)
CITIES = ("Lisbon", "Porto", "Faro", "Braga", "Évora")
TEXT = " ".join(f"Maya visited {city}. Nice, very, very, nice! 😀" for city in CITIES)
MOST = 50


QUERIES = {query.name: query for query in read_queries(Path(__file__).parent / "work.cypher")}


class SpanRow(BaseModel):
    start: int
    end: int
    text: str


class Pieces(ScriptedExtractor):
    """Notes what it reads; fails once of each text in ``fails``, and sees no city in ``overlooks``."""

    piece_chars = MOST

    def __init__(self, *, seconds: float = 0.0) -> None:
        self.read: list[str] = []
        self.fails: list[tuple[str, BaseException]] = []
        self.overlooks: Sequence[str] = ()
        self.seconds = seconds

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        await asyncio.sleep(self.seconds)
        for failing in [each for each in self.fails if each[0] in episode.content]:
            self.fails.remove(failing)
            raise failing[1]
        self.read.append(episode.content)
        found = await super().extract(episode, context)
        claims = [claim for claim in found.claims if claim.object and claim.object.name not in self.overlooks]
        names = {name for claim in claims for name in (claim.subject, claim.object)}
        mentions = [mention for mention in found.mentions if mention.entity in names]
        return replace(found, claims=tuple(claims), mentions=tuple(mentions), extractor="offline")


class Reading:
    """One long episode and its reader."""

    def __init__(self, database: Database, queue: Queue, group: str, reader: Pieces, **settings: Any) -> None:
        self.reader, self.group, self.database = reader, group, database
        self.memory: Memory = memory_on(database, extracts=reader)
        self.digester = ById(self.memory, queue, SETTINGS.model_copy(update=settings))
        self.episode = Episode(group_id=group, session="s", content=TEXT, occurred_at=SAID_AT, speaker="Maya")

    async def remember(self) -> None:
        await self.memory.intake.remember(self.group, [self.episode])

    async def digest(self) -> StoredEpisode:
        """As often as it takes, until there is nothing to do."""
        for _ in range(50):
            await self.digester.digest(self.group, self.episode.id)
            stored = await self.stored()
            if stored.status not in UNDONE:
                return stored
        raise AssertionError("It is never done.")

    async def stored(self) -> StoredEpisode:
        return await self.memory.reader.episode(self.group, self.episode.id)

    async def visited(self) -> set[str]:
        graph = await self.memory.reader.graph(Scope(self.group, SAID_AT), GraphQuery())
        return {belief.statement.split()[-1].rstrip(".") for belief in graph.beliefs}

    async def mentioned(self) -> list[str]:
        """The words at the spans of the episode's mentions, which are those stored with them."""
        rows = await self.database.run(QUERIES["spans"], SpanRow, group=self.group, id=self.episode.id)
        assert all(TEXT[row.start : row.end] == row.text for row in rows)
        return sorted(row.text for row in rows)


@pytest.fixture
def reading(database: Database, queue: Queue, group: str) -> Reading:
    return Reading(database, queue, group, Pieces())


def outcome_of(stored: StoredEpisode) -> ChangeOutcome:
    return read_outcome(stored.outcome)


async def test_all_of_a_long_text_is_read_and_spans_are_those_of_the_whole(reading: Reading) -> None:
    await reading.remember()
    stored = await reading.digest()

    assert (stored.status, stored.cursor, stored.attempts) == (EpisodeStatus.DIGESTED, 0, 0)
    assert "".join(reading.reader.read) == TEXT
    assert [len(read) <= MOST for read in reading.reader.read].count(True) == len(reading.reader.read) > 4
    assert await reading.visited() == set(CITIES)
    assert await reading.mentioned() == sorted([*CITIES, *["Maya"] * len(CITIES)])
    outcome = outcome_of(stored)
    assert (outcome.claims, outcome.mentions, outcome.recorded) == (len(CITIES), 2 * len(CITIES), len(CITIES))
    assert (outcome.entities, outcome.new_entities) == (len(CITIES) + 1, len(CITIES) + 1)


async def test_a_worker_killed_half_way_is_gone_on_from_where_it_was(reading: Reading) -> None:
    reading.reader.fails = [("Faro", asyncio.CancelledError())]
    await reading.remember()
    lease = await reading.memory.digestion.lease(reading.group, reading.episode.id, 0)
    assert lease is not None
    with pytest.raises(asyncio.CancelledError):
        await reading.memory.digestion.digest(lease)
    half = await reading.stored()
    seen = await reading.visited()

    stored = await reading.digest()

    assert (half.status, TEXT[: half.cursor]) == (
        EpisodeStatus.PENDING,
        "".join(reading.reader.read[: half.cursor and 2]),
    )
    assert seen == {"Lisbon", "Porto"}
    assert "".join(reading.reader.read) == TEXT
    assert stored.status is EpisodeStatus.DIGESTED
    assert outcome_of(stored).claims == len(CITIES)
    assert outcome_of(stored).entities == len(CITIES) + 1
    assert await reading.visited() == set(CITIES)


async def test_a_piece_that_fails_is_tried_again_alone_and_attempts_count_for_it(reading: Reading) -> None:
    reading.reader.fails = [(city, ValueError("x")) for city in CITIES for _ in range(2)]
    await reading.remember()
    stored = await reading.digest()

    assert stored.status is EpisodeStatus.DIGESTED
    assert "".join(reading.reader.read) == TEXT


async def test_a_text_whose_piece_keeps_failing_fails_and_goes_on_when_retried(reading: Reading) -> None:
    reading.reader.fails = [("Braga", ValueError("x")) for _ in range(3)]
    await reading.remember()
    failed = await reading.digest()
    assert (failed.status, failed.attempts) == (EpisodeStatus.FAILED, 3)
    assert await reading.visited() == {"Lisbon", "Porto", "Faro"}

    await reading.memory.intake.retry(reading.group, reading.episode.id)
    stored = await reading.digest()

    assert stored.status is EpisodeStatus.DIGESTED
    assert "".join(reading.reader.read) == TEXT


@pytest.mark.parametrize("killed_at", [None, "Lisbon", "Faro", "Évora"])
async def test_what_no_piece_says_any_more_goes_when_read_again(reading: Reading, killed_at: str | None) -> None:
    await reading.remember()
    await reading.digest()
    reading.reader.overlooks = ("Porto", "Évora")
    await reading.memory.intake.reprocess(reading.group, reading.episode.id, AS_CONFIGURED)
    if killed_at:
        reading.reader.fails = [(killed_at, ValueError("x"))]

    stored = await reading.digest()

    assert (stored.status, stored.revision, stored.cursor) == (EpisodeStatus.DIGESTED, 1, 0)
    assert await reading.visited() == {"Lisbon", "Faro", "Braga"}
    assert await reading.mentioned() == ["Braga", "Faro", "Lisbon", "Maya", "Maya", "Maya"]
    outcome = outcome_of(stored)
    assert (outcome.claims, outcome.recorded, outcome.superseded) == (3, 0, 2)


async def test_it_is_read_again_from_the_beginning(reading: Reading) -> None:
    reading.reader.fails = [("Braga", ValueError("x")) for _ in range(3)]
    await reading.remember()
    await reading.digest()
    reading.reader.read.clear()
    await reading.memory.intake.reprocess(reading.group, reading.episode.id, AS_CONFIGURED)

    stored = await reading.digest()

    assert stored.status is EpisodeStatus.DIGESTED
    assert "".join(reading.reader.read) == TEXT
    assert outcome_of(stored).claims == len(CITIES)


async def test_other_pieces_say_the_same_of_a_text_as_one(reading: Reading) -> None:
    await reading.remember()
    await reading.digest()
    before = await reading.visited()
    for most in (30, 77, 10_000):
        reading.reader.piece_chars = most
        await reading.memory.intake.reprocess(reading.group, reading.episode.id, AS_CONFIGURED)
        outcome = outcome_of(await reading.digest())
        assert (await reading.visited(), outcome.recorded, outcome.superseded) == (before, 0, 0)


async def test_each_piece_has_the_time_of_a_digest(database: Database, queue: Queue, group: str) -> None:
    reading = Reading(database, queue, group, Pieces(seconds=1.0), digest_timeout=4.0)
    await reading.remember()
    stored = await reading.digest()
    assert (stored.status, stored.error) == (EpisodeStatus.DIGESTED, None)
    assert len(reading.reader.read) >= 5


@pytest.mark.parametrize("kind", [ContentType.MESSAGE, ContentType.DOCUMENT])
async def test_what_stands_beyond_the_first_piece_is_read_offline(
    database: Database, queue: Queue, group: str, kind: ContentType
) -> None:
    text = "It was a nice day. " * (3 * PIECE // 19) + "My e-mail is maya@example.com. I live in Porto."
    reader = OfflineExtractor(Strategy.FAST)
    memory = memory_on(database, extracts=reader)
    episode = Episode(group_id=group, session="s", content=text, occurred_at=SAID_AT, speaker="Maya", content_type=kind)
    await memory.intake.remember(group, [episode])
    await ById(memory, queue, SETTINGS).digest(group, episode.id)

    graph = await memory.reader.graph(Scope(group, SAID_AT), GraphQuery())
    assert {belief.statement for belief in graph.beliefs} == {
        "Maya lives in Porto.",
        "Maya has the e-mail address maya@example.com.",
    }
    assert len(list(pieces(text, PIECE))) == 4


async def test_nobody_is_taken_for_the_speaker_of_a_piece_of_a_transcript(
    database: Database, queue: Queue, group: str
) -> None:
    turns = "Ana: It was a nice day.\nBruno: So it was.\n" * (PIECE // 30)
    text = f"{turns}I live in Porto."
    memory = memory_on(database, extracts=OfflineExtractor(Strategy.FAST))
    episode = Episode(group_id=group, session="s", content=text, occurred_at=SAID_AT, speaker="Maya")
    await memory.intake.remember(group, [episode])
    await ById(memory, queue, SETTINGS).digest(group, episode.id)

    stored = await memory.reader.episode(group, episode.id)
    graph = await memory.reader.graph(Scope(group, SAID_AT), GraphQuery())
    assert stored.status is EpisodeStatus.DIGESTED
    assert [belief.statement for belief in graph.beliefs] == ["Bruno lives in Porto."]
