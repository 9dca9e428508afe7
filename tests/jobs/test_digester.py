"""What becomes of an episode whose digest fails, and who may digest it."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import BaseModel

from graphmem.errors import (
    ConfigurationError,
    Conflict,
    LeaseLost,
    ModelUnavailable,
    QueryDefinitionError,
    TransactionEnded,
)
from graphmem.jobs.digester import Digester
from graphmem.jobs.steps import MAX_LEASES
from graphmem.memory import Memory
from graphmem.model.episode import Episode, EpisodeStatus, StoredEpisode
from graphmem.model.fragment import ALONE, Context, Fragment
from graphmem.process.metrics import DigestMetrics
from graphmem.queue.redis import Queue
from graphmem.settings.jobs import JobSettings
from graphmem.store.driver import Database
from graphmem.store.queries import read_queries
from graphmem.store.work import FailedRow, WorkStore
from tests.fakes import ScriptedExtractor
from tests.jobs.doing import ById
from tests.models import memory_on, shipped_queries

SETTINGS = JobSettings.model_validate({"retry_seconds": 0, "lease_seconds": 5})

QUERIES = {query.name: query for query in read_queries(Path(__file__).parent / "work.cypher")}


class StandingRow(BaseModel):
    status: str
    error: str
    attempts: int


class Scripted:
    """An extractor that raises what it is given, one after the other, and then proposes nothing."""

    context_turns = 0
    context_chars = 0
    uses_ontology = False
    piece_chars = 1_000_000

    def __init__(self, *errors: BaseException) -> None:
        self.errors = list(errors)

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        del episode, context
        if self.errors:
            raise self.errors.pop(0)
        return Fragment(mentions=(), claims=(), extractor="scripted", version="1")


def memory(database: Database, *errors: BaseException) -> Memory:
    return memory_on(database, extracts=Scripted(*errors))


async def accepted(scripted: Memory, group: str) -> str:
    episode = Episode(group_id=group, session="s", content="Hi.", occurred_at=datetime(2025, 1, 1, tzinfo=UTC))
    (answer,) = await scripted.intake.remember(group, [episode])
    return answer.id


async def digest(scripted: Memory, queue: Queue, group: str, times: int) -> StoredEpisode:
    id_ = await accepted(scripted, group)
    for _ in range(times):
        await ById(scripted, queue, SETTINGS).digest(group, id_)
    return await scripted.reader.episode(group, id_)


async def test_a_digest_that_fails_is_tried_again(database: Database, queue: Queue, group: str) -> None:
    stored = await digest(memory(database, ValueError("x"), ValueError("x")), queue, group, 3)

    assert (stored.status, stored.attempts, stored.error) == (EpisodeStatus.DIGESTED, 2, None)


async def test_a_digest_that_keeps_failing_ends_as_failed_with_its_reason(
    database: Database, queue: Queue, group: str
) -> None:
    stored = await digest(memory(database, *[ValueError("secret")] * 9), queue, group, 5)

    assert (stored.status, stored.attempts) == (EpisodeStatus.FAILED, 3)
    assert stored.error == "ValueError (the log has the details)."


async def test_a_failed_episode_can_be_retried_and_only_a_failed_one(
    database: Database, queue: Queue, group: str
) -> None:
    scripted = memory(database, *[ValueError("x")] * 3)
    failed = await digest(scripted, queue, group, 3)

    assert (await scripted.intake.retry(group, failed.id)).status is EpisodeStatus.PENDING
    with pytest.raises(Conflict):
        await scripted.intake.retry(group, failed.id)
    await ById(scripted, queue, SETTINGS).digest(group, failed.id)
    assert (await scripted.reader.episode(group, failed.id)).status is EpisodeStatus.DIGESTED


async def test_a_model_that_is_away_spends_no_attempt(database: Database, queue: Queue, group: str) -> None:
    stored = await digest(memory(database, *[ModelUnavailable()] * 4), queue, group, 5)

    assert (stored.status, stored.attempts) == (EpisodeStatus.DIGESTED, 0)


async def test_a_transaction_that_neo4j_keeps_ending_makes_the_episode_fail_with_that_reason(
    database: Database, queue: Queue, group: str
) -> None:
    errors = [TransactionEnded("Too slow.")] * (MAX_LEASES + 1)
    stored = await digest(memory(database, *errors), queue, group, MAX_LEASES + 1)

    assert stored.status is EpisodeStatus.FAILED
    assert stored.error is not None
    assert stored.error.endswith(f"Last: {TransactionEnded.title()}: Too slow.")


async def test_an_error_of_reading_what_was_taken_spends_an_attempt(
    database: Database, queue: Queue, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted = memory(database)

    async def torn(*_: object, **__: object) -> StoredEpisode:
        raise QueryDefinitionError("The row is torn.")

    monkeypatch.setattr(scripted.store, "leased_episodes", torn)
    stored = await digest(scripted, queue, group, 3)

    assert (stored.status, stored.attempts) == (EpisodeStatus.FAILED, 3)
    assert stored.error == "A file under cypher/ is malformed: The row is torn."


async def test_a_row_that_cannot_be_read_ends_as_failed(database: Database, queue: Queue, group: str) -> None:
    """The lease is taken and committed before the row is looked at."""
    scripted = memory(database)
    id_ = await accepted(scripted, group)
    await database.execute(QUERIES["tear"], group=group, id=id_)
    for _ in range(3):
        await ById(scripted, queue, SETTINGS).digest(group, id_)

    found = await database.run(QUERIES["standing"], StandingRow, group=group, id=id_)

    assert found == [StandingRow(status="failed", error=found[0].error, attempts=3)]
    assert f"Episode {id_} cannot be read" in found[0].error


async def test_a_read_that_neo4j_ends_each_time_is_bounded_too(
    database: Database, queue: Queue, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted = memory(database)

    async def slow(*_: object, **__: object) -> StoredEpisode:
        raise TransactionEnded("Too slow.")

    with monkeypatch.context() as patched:
        patched.setattr(scripted.store, "leased_episodes", slow)
        pending = await digest(scripted, queue, group, MAX_LEASES)
    await ById(scripted, queue, SETTINGS).digest(group, pending.id)

    assert pending.status is EpisodeStatus.PENDING
    assert (await scripted.reader.episode(group, pending.id)).status is EpisodeStatus.FAILED


async def test_every_end_is_counted(database: Database, queue: Queue, group: str) -> None:
    scripted, metrics = memory(database, ModelUnavailable(), ValueError("x")), DigestMetrics()
    id_ = await accepted(scripted, group)

    for _ in range(3):
        await ById(scripted, queue, SETTINGS, metrics).digest(group, id_)

    shown = metrics.exposition().decode()
    for ended in ("unavailable", "failed", "digested"):
        assert f'graphmem_digests_total{{outcome="{ended}"}} 1.0\n' in shown


async def test_an_episode_that_kills_every_worker_ends_as_failed(database: Database, queue: Queue, group: str) -> None:
    scripted = memory(database)
    id_ = await accepted(scripted, group)
    for _ in range(MAX_LEASES):
        assert await scripted.digestion.lease(group, id_, 0) is not None

    await ById(scripted, queue, SETTINGS).digest(group, id_)

    assert (await scripted.reader.episode(group, id_)).status is EpisodeStatus.FAILED


async def test_only_one_of_many_gets_a_lease(database: Database, group: str) -> None:
    scripted = memory(database)
    id_ = await accepted(scripted, group)

    async with asyncio.TaskGroup() as tasks:
        asked = [tasks.create_task(scripted.digestion.lease(group, id_, 5)) for _ in range(10)]

    assert len([task for task in asked if task.result() is not None]) == 1


async def test_who_lost_the_lease_writes_nothing(database: Database, group: str) -> None:
    scripted = memory(database)
    id_ = await accepted(scripted, group)
    late = await scripted.digestion.lease(group, id_, 0)
    await scripted.digestion.lease(group, id_, 5)

    assert late is not None
    with pytest.raises(LeaseLost):
        await scripted.digestion.digest(late)
    assert (await scripted.reader.episode(group, id_)).status is EpisodeStatus.PENDING


async def test_a_digest_done_before_does_nothing(database: Database, group: str) -> None:
    scripted = memory(database)
    id_ = await accepted(scripted, group)
    lease = await scripted.digestion.lease(group, id_, 5)
    assert lease is not None
    await scripted.digestion.digest(lease)

    assert (await scripted.digestion.digest(lease)).done_before


class Hangs(ScriptedExtractor):
    """Reads texts of more than 100 characters in pieces, and never ends with those that begin with ``Long``."""

    piece_chars = 100

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        if episode.content.startswith("Long"):
            await asyncio.sleep(60)
        return await super().extract(episode, context)


async def test_a_long_text_that_takes_too_long_is_no_fault_of_those_taken_with_it(
    database: Database, queue: Queue, group: str
) -> None:
    hangs = memory_on(database, extracts=Hangs())
    contents = ["Long. " * 50, "Longer. " * 50, *(f"Maya knows Friend{number}" for number in range(10))]
    episodes = [
        Episode(group_id=group, session="s", content=content, occurred_at=datetime(2025, 1, 1, tzinfo=UTC))
        for content in contents
    ]
    ids = [answer.id for answer in await hangs.intake.remember(group, episodes)]
    taken = await hangs.works.take_work("lease", 60.0, most=50, group=group)
    assert taken
    assert sorted(taken.ids) == sorted(ids)

    settings = SETTINGS.model_copy(update={"digest_timeout": 8.0})
    await Digester(hangs, hangs.works, queue, settings).digest(taken)

    first, second, *short = [await hangs.reader.episode(group, id_) for id_ in ids]
    assert {one.status for one in short} == {EpisodeStatus.DIGESTED}
    begun, waiting = sorted((first, second), key=lambda stored: -stored.attempts)
    assert (begun.status, begun.attempts, begun.error) == (EpisodeStatus.PENDING, 1, "It took longer than 8 seconds.")
    assert (waiting.status, waiting.attempts, waiting.leases) == (EpisodeStatus.PENDING, 0, 0)


class Unwritable(WorkStore):
    """Cannot be told that something failed."""

    async def fail_work(
        self, group: str, id_: str, lease: str, *, error: str, max_attempts: int, seconds: float
    ) -> FailedRow | None:
        del group, id_, lease, error, max_attempts, seconds
        raise ConfigurationError("Check the password.")


async def test_a_failure_that_cannot_be_written_down_is_raised(database: Database, queue: Queue, group: str) -> None:
    scripted = memory(database, ValueError("x"))
    id_ = await accepted(scripted, group)
    taken = await scripted.works.lease_work(group, id_, "lease", 60.0)
    assert taken

    works = Unwritable(database, shipped_queries())
    with pytest.raises(ConfigurationError, match="password"):
        await Digester(scripted, works, queue, SETTINGS).digest(taken)
