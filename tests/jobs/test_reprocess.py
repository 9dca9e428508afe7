"""An episode digested anew: what it said stays, comes or goes, and the past stays put."""

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from graphmem.errors import Conflict, LeaseLost, NotFound
from graphmem.memory import Memory
from graphmem.model.damage import noted
from graphmem.model.episode import AS_CONFIGURED, Episode, EpisodeStatus, Reprocessing, StoredEpisode
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ALONE, Context, Fragment, ThingName
from graphmem.model.scope import Scope
from graphmem.model.work import SERVICE
from graphmem.queue.redis import Queue
from graphmem.recall.reader import GraphQuery
from graphmem.settings.jobs import JobSettings
from graphmem.store.driver import Database
from graphmem.store.queries import read_queries
from tests.damaging import damage
from tests.fakes import ScriptedExtractor
from tests.jobs.doing import ById
from tests.models import memory_on
from tests.seeds import seeds

QUERIES = {query.name: query for query in read_queries(Path(__file__).parent / "work.cypher")}
SETTINGS = JobSettings.model_validate({"retry_seconds": 0, "lease_seconds": 5})
SAID_AT = datetime(2025, 3, 1, tzinfo=UTC)
TEXT = "Maya lives_in Lisbon. Maya works_at Acme. Maya knows Bruno."
HOME, WORK, FRIEND = "lives_in", "works_at", "knows"


class Reader(ScriptedExtractor):
    """Sees only claims of some predicates, and fails as often as it is told."""

    def __init__(self, *sees: str, failures: int = 0) -> None:
        self.sees = frozenset(sees)
        self.quick = True
        self.failures = failures

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        if self.failures:
            self.failures -= 1
            raise ValueError("as told")
        read = await super().extract(episode, context)
        claims = tuple(claim for claim in read.claims if claim.predicate in self.sees)
        named = {name for claim in claims for name in (claim.subject, claim.object)}
        mentions = tuple(mention for mention in read.mentions if mention.entity in named)
        version = ",".join(sorted(self.sees))
        return replace(read, claims=claims, mentions=mentions, extractor="offline", version=version, quick=self.quick)


class Told:
    """One episode and who reads it."""

    def __init__(self, database: Database, queue: Queue, group: str, *sees: str) -> None:
        self.reader = Reader(*sees)
        self.memory: Memory = memory_on(database, extracts=self.reader)
        self.digester = ById(self.memory, queue, SETTINGS)
        self.group = group
        self.id = ""

    async def tell(self) -> StoredEpisode:
        episode = Episode(group_id=self.group, session="s", content=TEXT, occurred_at=SAID_AT, speaker="Maya")
        ((answer),) = await self.memory.intake.remember(self.group, [episode])
        self.id = answer.id
        return await self.digest()

    async def digest(self) -> StoredEpisode:
        await self.digester.digest(self.group, self.id)
        return await self.memory.reader.episode(self.group, self.id)

    async def again(self, *sees: str) -> StoredEpisode:
        self.reader.sees = frozenset(sees)
        await self.memory.intake.reprocess(self.group, self.id, AS_CONFIGURED)
        return await self.digest()

    async def believed(self, known_at: datetime | None = None) -> dict[str, str]:
        """Row ids by predicate."""
        when = Scope(self.group, SAID_AT) if known_at is None else Scope(self.group, SAID_AT, known_at)
        graph = await self.memory.reader.graph(when, GraphQuery())
        return {belief.predicate: belief.id for belief in graph.beliefs}


@pytest.fixture
def told(database: Database, queue: Queue, group: str) -> Callable[..., Told]:
    return lambda *sees: Told(database, queue, group, *sees)


async def claim_of(told: Told, predicate: str) -> str:
    when = Scope(told.group, SAID_AT)
    graph = await told.memory.reader.graph(when, GraphQuery())
    (belief,) = [belief for belief in graph.beliefs if belief.predicate == predicate]
    return belief.evidence[0].claim_id


async def test_the_same_reading_again_changes_no_row(told: Callable[..., Told]) -> None:
    maya = told(HOME, WORK)
    await maya.tell()
    before = await maya.believed()

    stored = await maya.again(HOME, WORK)

    assert await maya.believed() == before
    assert (stored.status, stored.revision, stored.reprocessing) == (EpisodeStatus.DIGESTED, 1, None)
    assert stored.outcome
    assert (stored.outcome["claims"], stored.outcome["recorded"], stored.outcome["superseded"]) == (2, 0, 0)


async def test_another_reading_takes_the_place_of_the_one_before(told: Callable[..., Told]) -> None:
    maya = told(HOME, WORK)
    first = await maya.tell()
    before = await maya.believed()

    second = await maya.again(HOME, FRIEND)

    after = await maya.believed()
    assert set(after) == {HOME, FRIEND}
    assert after[HOME] == before[HOME]
    assert first.digested_at
    assert await maya.believed(first.digested_at) == before
    assert second.outcome
    assert (second.outcome["recorded"], second.outcome["superseded"]) == (1, 1)


async def test_what_one_digest_did_not_say_stands_again_when_the_next_one_does(told: Callable[..., Told]) -> None:
    maya = told(HOME, WORK)
    await maya.tell()
    gone = await maya.again(HOME)
    back = await maya.again(HOME, WORK)

    assert gone.digested_at
    assert back.digested_at
    assert set(await maya.believed(gone.digested_at)) == {HOME}
    assert set(await maya.believed(back.digested_at)) == set(await maya.believed()) == {HOME, WORK}


async def test_what_was_withdrawn_by_request_is_not_said_again(told: Callable[..., Told]) -> None:
    maya = told(HOME, WORK)
    await maya.tell()
    await maya.memory.intake.retract(maya.group, await claim_of(maya, WORK))

    for _ in range(2):
        await maya.again(HOME, WORK)
        assert set(await maya.believed()) == {HOME}


async def test_mentions_are_those_of_the_last_digest(told: Callable[..., Told]) -> None:
    maya = told(HOME, WORK)
    await maya.tell()
    await maya.again(FRIEND)
    await maya.again(FRIEND)

    later = Episode(group_id=maya.group, session="s", content="Hm.", occurred_at=SAID_AT + timedelta(minutes=1))
    await maya.memory.intake.remember(maya.group, [later])
    context = await maya.memory.store.context_of_episode(maya.group, later.id, 9, 100)
    assert context is not None
    assert {name.name for name in context.known} == {"Maya", "Bruno"}


async def test_a_turn_whose_words_are_damaged_is_no_context_and_keeps_nobody_from_reading(
    told: Callable[..., Told], database: Database
) -> None:
    maya = told(HOME, WORK)
    await maya.tell()
    await damage(database, maya.id, {"content": 5})
    later = Episode(group_id=maya.group, session="s", content="Hm.", occurred_at=SAID_AT + timedelta(minutes=1))
    await maya.memory.intake.remember(maya.group, [later])
    with noted() as notes:
        context = await maya.memory.store.context_of_episode(maya.group, later.id, 9, 100)
    assert context is not None
    assert context.turns == ()
    assert [(one.thing, one.id, one.property) for one in notes] == [("Episode", maya.id, "content")]


async def test_it_is_read_as_it_was_asked_for(database: Database, queue: Queue, group: str) -> None:
    maya = Told(database, queue, group, HOME)
    readers = {"accurate": Reader(HOME, WORK), "fast": Reader(FRIEND)}
    maya.memory = memory_on(
        database,
        extracts=maya.reader,
        extractor_of=lambda reprocessing: readers[reprocessing.strategy or ""],
    )
    maya.digester = ById(maya.memory, queue, SETTINGS)
    await maya.tell()
    for strategy, sees in (("accurate", {HOME, WORK}), ("fast", {FRIEND})):
        await maya.memory.intake.reprocess(group, maya.id, Reprocessing(strategy=strategy))
        await maya.digest()
        assert set(await maya.believed()) == sees


async def test_while_it_waits_what_was_found_stands(told: Callable[..., Told]) -> None:
    maya = told(HOME)
    await maya.tell()
    asked = await maya.memory.intake.reprocess(maya.group, maya.id, AS_CONFIGURED)

    assert (asked.status, asked.revision) == (EpisodeStatus.REFINING, 1)
    assert set(await maya.believed()) == {HOME}
    with pytest.raises(Conflict, match="is refining"):
        await maya.memory.intake.reprocess(maya.group, maya.id, AS_CONFIGURED)


async def test_one_that_fails_leaves_what_was_found_and_says_why(told: Callable[..., Told]) -> None:
    maya = told(HOME)
    await maya.tell()
    maya.reader.failures = SETTINGS.max_attempts
    await maya.memory.intake.reprocess(maya.group, maya.id, AS_CONFIGURED)
    stored = [await maya.digest() for _ in range(SETTINGS.max_attempts)][-1]

    assert (stored.status, stored.error) == (EpisodeStatus.DIGESTED, "ValueError (the log has the details).")
    assert set(await maya.believed()) == {HOME}
    assert (await maya.again(HOME, WORK)).error is None
    assert set(await maya.believed()) == {HOME, WORK}


async def test_a_failed_one_is_digested_for_the_first_time(told: Callable[..., Told]) -> None:
    maya = told(HOME)
    maya.reader.failures = SETTINGS.max_attempts
    await maya.tell()
    stored = [await maya.digest() for _ in range(SETTINGS.max_attempts)][-1]
    assert stored.status is EpisodeStatus.FAILED

    assert (await maya.memory.intake.reprocess(maya.group, maya.id, AS_CONFIGURED)).status is EpisodeStatus.PENDING
    assert (await maya.digest()).status is EpisodeStatus.DIGESTED
    assert set(await maya.believed()) == {HOME}


async def test_a_digest_from_before_writes_nothing_any_more(told: Callable[..., Told]) -> None:
    maya = told(HOME)
    await maya.tell()
    await maya.memory.intake.reprocess(maya.group, maya.id, AS_CONFIGURED)
    late = await maya.memory.digestion.lease(maya.group, maya.id, 0)
    assert late
    maya.reader.sees = frozenset({WORK})
    assert await maya.memory.digestion.lease(maya.group, maya.id, 5)

    with pytest.raises(LeaseLost):
        await maya.memory.digestion.digest(late)
    assert set(await maya.believed()) == {HOME}


async def test_a_structured_claim_has_no_words_to_read(told: Callable[..., Told]) -> None:
    maya = told(HOME)
    claim = StructuredClaim(
        subject=ThingName("Maya", "person"), predicate=HOME, value=1, valid_from=SAID_AT, occurred_at=SAID_AT
    )
    (receipt,), _ = await maya.memory.intake.assert_claims(maya.group, [claim])

    with pytest.raises(Conflict, match="a structured claim has none"):
        await maya.memory.intake.reprocess(maya.group, receipt.episode_id, AS_CONFIGURED)
    with pytest.raises(NotFound):
        await maya.memory.intake.reprocess(maya.group, "0" * 32, AS_CONFIGURED)


async def test_all_that_an_older_version_of_a_close_reader_read_is_read_again(told: Callable[..., Told]) -> None:
    much = told(HOME, WORK, FRIEND)
    much.reader.quick = False
    await much.tell()
    version = ",".join(sorted(much.reader.sees))

    assert await much.memory.intake.reprocess_low_yield(much.group, version, 10) == 0
    assert await much.memory.intake.reprocess_low_yield(much.group, "newer", 10) == 1
    assert await much.memory.intake.reprocess_low_yield(much.group, "newer", 10) == 0


async def test_no_more_are_read_again_in_a_night_than_allowed(told: Callable[..., Told]) -> None:
    maya = told(FRIEND)
    await maya.tell()

    assert await maya.memory.intake.reprocess_low_yield(SERVICE, "newer", 0) == 0
    assert (await maya.digest()).status is EpisodeStatus.DIGESTED


@pytest.mark.parametrize("seed", seeds(6))
async def test_after_any_course_of_digests_and_withdrawals_every_past_is_as_it_was(
    told: Callable[..., Told], seed: int
) -> None:
    rng, every = random.Random(seed), (HOME, WORK, FRIEND)  # noqa: S311 - reproducible on purpose
    maya, refused, sees = told(*every), set[str](), set(every)
    await maya.tell()
    pasts: list[tuple[datetime, set[str]]] = []
    for _ in range(8):
        believed = sorted(await maya.believed())
        if believed and rng.random() < 0.3:
            refused.add(predicate := rng.choice(believed))
            _, outcome = await maya.memory.intake.retract(maya.group, await claim_of(maya, predicate))
            pasts.append((outcome.recorded_at, sees - refused))
        else:
            sees = {predicate for predicate in every if rng.random() < 0.6}
            stored = await maya.again(*sees)
            assert stored.digested_at
            pasts.append((stored.digested_at, sees - refused))
        assert set(await maya.believed()) == sees - refused

    for known_at, believed_then in pasts:
        assert set(await maya.believed(known_at)) == believed_then
