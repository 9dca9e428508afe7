"""Episodes digested together leave what they leave when they are digested one by one; one that fails, fails alone."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.clock import utc_now
from graphmem.errors import LeaseLost, ModelUnavailable, NotEmbeddable
from graphmem.identity.short_names import ShortNames
from graphmem.identity.users import UserNames
from graphmem.memory import Memory
from graphmem.model.embedding import Vector
from graphmem.model.episode import Episode, EpisodeStatus
from graphmem.model.evidence import ChangeOutcome
from graphmem.model.fragment import Context, Fragment
from graphmem.model.scope import Scope
from graphmem.model.work import Lease
from graphmem.recall.reader import GraphQuery
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.driver import Database
from graphmem.write.bulk import CHARS, BulkDigestion
from tests.fakes import HashEmbedder, ScriptedExtractor
from tests.models import memory_on, shipped_queries

LINES = (
    "Maya lives_in Lisbon. Ivo knows Maya.",
    "Maya works_at Acme",
    "Maya lives_in Porto",
    "Ivo lives_in Porto. Maya ends works_at Acme",
    "MAYA lives_in Porto",
)
START = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
def evidence(database: Database) -> EvidenceStore:
    return EvidenceStore(database, shipped_queries())


@pytest.fixture
def memory(database: Database, evidence: EvidenceStore) -> Memory:
    return memory_on(database, evidence=evidence)


async def leased(memory: Memory, group: str, lines: Sequence[str] = LINES) -> list[Lease]:
    episodes = [
        Episode(group_id=group, session="s", content=line, occurred_at=START + timedelta(days=number))
        for number, line in enumerate(lines)
    ]
    remembered = await memory.intake.remember(group, episodes)
    leases = [await memory.digestion.lease(group, one.id, 60.0) for one in remembered]
    return [lease for lease in leases if lease is not None]


async def present(memory: Memory, group: str) -> set[tuple[object, ...]]:
    """What is believed on each day, with its evidence, and the names of the entities."""
    found: set[tuple[object, ...]] = set()
    for number in range(len(LINES) + 1):
        at = Scope(group, START + timedelta(days=number))
        for belief in (await memory.reader.graph(at, GraphQuery())).beliefs:
            quotes = tuple(one.quote for one in belief.evidence)
            found.add((belief.statement, belief.valid_from, belief.valid_to, belief.confidence, quotes))
    known = await memory.reader.entities(Scope(group, utc_now()))
    return found | {(entity.type, entity.name) for entity in known}


async def test_together_or_one_by_one_the_present_is_the_same(memory: Memory, group: str) -> None:
    outcomes = await memory.bulk.digest(await leased(memory, group))
    alone = f"{group}-alone"
    for lease in await leased(memory, alone):
        await memory.digestion.digest(lease)

    assert all(isinstance(outcome, ChangeOutcome) for outcome in outcomes)
    assert await present(memory, group) == await present(memory, alone)


async def test_each_episode_tells_what_it_changed(memory: Memory, group: str) -> None:
    outcomes = await memory.bulk.digest(await leased(memory, group))

    done = [outcome for outcome in outcomes if isinstance(outcome, ChangeOutcome)]
    assert [outcome.claims for outcome in done] == [2, 1, 1, 2, 1]
    assert [outcome.new_entities for outcome in done] == [3, 1, 1, 0, 0]
    assert sum(outcome.recorded for outcome in done) == 5
    assert len({outcome.recorded_at for outcome in done}) == 1
    first, *_ = (await memory.reader.episodes(Scope(group, utc_now()))).episodes
    assert (first.status, first.outcome and first.outcome["claims"]) == (EpisodeStatus.DIGESTED, 2)


async def test_digesting_them_again_does_nothing_more(memory: Memory, group: str) -> None:
    leases = await leased(memory, group)
    await memory.bulk.digest(leases)
    before = await present(memory, group)

    again = await memory.bulk.digest(leases)

    assert [isinstance(outcome, ChangeOutcome) and outcome.done_before for outcome in again] == [True] * len(leases)
    assert await present(memory, group) == before


async def test_one_that_cannot_be_read_fails_alone(memory: Memory, group: str) -> None:
    results = await memory.bulk.digest(await leased(memory, group, ["Broken", *LINES]))

    assert [type(result) for result in results] == [ModelUnavailable, *[ChangeOutcome] * len(LINES)]


async def test_one_whose_lease_was_lost_fails_alone(memory: Memory, group: str) -> None:
    first, second, *others = await leased(memory, group)
    lost = Lease("taken over", second.stored)

    results = await memory.bulk.digest([first, lost, *others])

    assert [type(result) for result in results] == [
        ChangeOutcome,
        LeaseLost,
        ChangeOutcome,
        ChangeOutcome,
        ChangeOutcome,
    ]
    assert (await memory.reader.episode(group, second.stored.id)).status is EpisodeStatus.PENDING


async def test_more_than_fit_a_transaction_go_in_several(memory: Memory, evidence: EvidenceStore, group: str) -> None:
    short_names = ShortNames(memory.store, evidence)
    few = BulkDigestion(
        memory.digestion, evidence, HashEmbedder(), short_names, UserNames(memory.store, evidence), most=2, seconds=60
    )
    outcomes = await few.digest(await leased(memory, group))
    alone = f"{group}-alone"
    await memory.bulk.digest(await leased(memory, alone))

    stamps = [outcome.recorded_at for outcome in outcomes if isinstance(outcome, ChangeOutcome)]
    assert len(set(stamps)) == 3
    assert await present(memory, group) == await present(memory, alone)


class Batches(ScriptedExtractor):
    """Notes how many characters it reads together."""

    def __init__(self) -> None:
        self.chars: list[int] = []

    async def extract_each(self, sources: Sequence[tuple[Episode, Context]]) -> list[Fragment]:
        self.chars.append(sum(len(episode.content) for episode, _ in sources))
        return [await self.extract(*source) for source in sources]


class EmbedsOnce(HashEmbedder):
    """Is away after the first call."""

    calls = 0

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.calls += 1
        if self.calls > 1:
            raise ModelUnavailable("It is away.")
        return await super().embed(texts)


async def test_long_texts_are_read_and_written_a_few_at_a_time(
    database: Database, evidence: EvidenceStore, group: str
) -> None:
    extractor = Batches()
    memory = memory_on(database, extracts=extractor, evidence=evidence)
    lines = [f"{line}. {'So it was said. ' * 500}" for line in LINES]

    portions = list(memory.bulk.portions(await leased(memory, group, lines)))
    outcomes = [outcome for portion in portions for outcome in await memory.bulk.digest(portion)]

    assert [isinstance(outcome, ChangeOutcome) for outcome in outcomes] == [True] * len(LINES)
    assert [len(portion) for portion in portions] == [2, 2, 1]
    assert len(extractor.chars) == 2, "the fifth is read by itself"
    assert max(extractor.chars) <= CHARS


async def test_texts_that_are_read_in_pieces_come_last_each_by_itself(memory: Memory, group: str) -> None:
    long = "Maya lives_in Lisbon. " * 50_000
    leases = await leased(memory, group, [long, *LINES, f"{long}!"])

    portions = list(memory.bulk.portions(leases))

    assert portions == [leases[1:6], leases[:1], leases[6:]]


class Refuses(HashEmbedder):
    """Fails at a text."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        if any("Porto" in text for text in texts):
            raise NotEmbeddable
        return await super().embed(texts)


async def test_one_that_cannot_be_embedded_fails_alone(database: Database, evidence: EvidenceStore, group: str) -> None:
    memory = memory_on(database, embeds=Refuses(), evidence=evidence)

    results = await memory.bulk.digest(await leased(memory, group))

    assert [type(result) for result in results] == [ChangeOutcome, ChangeOutcome, *[NotEmbeddable] * 3]


async def test_when_the_embedder_goes_away_the_rest_is_written_without_vectors(
    database: Database, evidence: EvidenceStore, group: str
) -> None:
    memory = memory_on(database, embeds=EmbedsOnce(), evidence=evidence)
    lines = [f"{line}. {'So it was said. ' * 500}" for line in LINES]

    portions = memory.bulk.portions(await leased(memory, group, lines))
    results = [result for portion in portions for result in await memory.bulk.digest(portion)]

    without = [result.vectors_pending > 0 for result in results if isinstance(result, ChangeOutcome)]
    assert without == [False, False, True, True, True]
