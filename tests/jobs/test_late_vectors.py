"""What comes while the embedding model is away is stored, found by full text, and embedded later, once."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from graphmem.errors import NotEmbeddable
from graphmem.jobs.embedder import LateEmbedder
from graphmem.jobs.steps import Stepper
from graphmem.memory import Memory
from graphmem.model.embedding import Vector
from graphmem.model.episode import Episode, EpisodeStatus, StoredEpisode
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.hits import Recall, WhyDegraded
from graphmem.model.scope import Scope
from graphmem.model.search import RELATIONSHIP
from graphmem.model.work import Work, WorkKind, WorkProgress, WorkRequest, work_id
from graphmem.settings.jobs import JobSettings
from graphmem.store.driver import Database
from tests.fakes import UnsteadyEmbedder
from tests.models import digest, memory_on

SETTINGS = JobSettings(retry_seconds=0.0, embed_seconds=0)
SAID = datetime(2025, 5, 3, tzinfo=UTC)
NOW = datetime(2025, 5, 20, tzinfo=UTC)
KINDS = ("episode", "relationship", "fact")
AGE = StructuredClaim(
    subject=ThingName("Maya", "person"),
    predicate="age",
    value=36,
    statement="Maya is 36.",
    valid_from=SAID,
    occurred_at=SAID,
)


class Bench:
    """A memory whose embedding model can be away, and who embeds later."""

    def __init__(self, database: Database, embedder: UnsteadyEmbedder | None = None) -> None:
        self.embedder = embedder or UnsteadyEmbedder()
        self.memory: Memory = memory_on(database, embeds=self.embedder)
        steps = LateEmbedder(self.memory.late_vectors, texts=2)
        self.stepper = Stepper(steps, self.memory.works, SETTINGS)

    async def say(self, group: str, *contents: str) -> list[StoredEpisode]:
        episodes = [Episode(group_id=group, session="s", content=content, occurred_at=SAID) for content in contents]
        remembered = await self.memory.intake.remember(group, episodes)
        for one in remembered:
            await digest(self.memory, group, one.id)
        return [await self.memory.reader.episode(group, one.id) for one in remembered]

    async def search(self, group: str, text: str) -> Recall:
        return await self.memory.searcher.search(Scope(group, NOW), text)

    async def found_by_vector(self, group: str, text: str) -> set[str]:
        """The kinds of what the vector indexes find with a cosine of one."""
        vector = await self.memory.questions.asking(group).vector(text)
        assert vector is not None
        scope, store = Scope(group, NOW), self.memory.store
        found = await store.by_vector(scope, vector, KINDS, 10)
        return {kind for kind, some in found.items() if any(hit.score > 0.99 for hit in some.hits)}

    async def ask(self, group: str) -> str:
        id_ = work_id(WorkKind.EMBED, group)
        await self.memory.works.request_work(group, WorkKind.EMBED, [WorkRequest(id=id_, anew=False, again=True)])
        return id_

    async def work(self, group: str) -> Work:
        """Ask for the job, and have it done by one worker."""
        id_ = await self.ask(group)
        taken = await self.memory.works.lease_work(group, id_, uuid4().hex, 60)
        assert taken is not None
        await self.stepper.do(taken)
        (work,) = await self.memory.works.works_by_id(group, [id_])
        return work


@pytest.fixture
def bench(database: Database) -> Bench:
    return Bench(database)


async def test_an_episode_is_digested_and_found_by_full_text_while_the_model_is_away(bench: Bench, group: str) -> None:
    bench.embedder.away = True

    (stored,) = await bench.say(group, "Maya lives_in Porto")

    assert (stored.status, stored.vectors_pending) == (EpisodeStatus.DIGESTED, True)
    recall = await bench.search(group, "Porto")
    assert {one.ranked.kind for one in recall.hits} == {"episode", "relationship"}
    assert await bench.memory.store.count_vectors_pending(group) == 1


async def test_who_states_something_long_does_not_wait_for_its_vector(bench: Bench, group: str) -> None:
    long = replace(AGE, predicate="story", value="Once upon a time. " * 1_000, statement=None)
    _, outcome = await bench.memory.intake.assert_claims(group, [AGE, long])
    assert outcome.vectors_pending == 1
    assert await bench.found_by_vector(group, "Maya is 36.") == {"fact"}

    assert (await bench.work(group)).status is WorkProgress.DONE

    assert await bench.memory.store.count_vectors_pending(group) == 0
    assert await bench.found_by_vector(group, f"Maya story {long.value}.") == {"fact"}


async def test_a_search_says_that_some_texts_have_no_vector_yet(bench: Bench, group: str) -> None:
    bench.embedder.away = True
    await bench.say(group, "Maya lives_in Porto")
    bench.embedder.away = False
    await bench.say(group, "Maya lives_in Lisbon")

    recall = await bench.search(group, "Maya lives_in Porto")

    assert [one.why for one in recall.degraded] == [WhyDegraded.PENDING]
    assert {one.ranked.kind for one in recall.hits} == {"episode", "relationship"}


async def test_when_the_model_is_back_the_job_embeds_episode_and_belief(bench: Bench, group: str) -> None:
    bench.embedder.away = True
    (said,) = await bench.say(group, "Maya lives_in Porto")
    bench.embedder.away = False
    assert await bench.found_by_vector(group, "Maya lives_in Porto") == set()

    done = await bench.work(group)

    assert (done.status, done.progress) == (WorkProgress.DONE, {"texts": 2, "not_embeddable": 0, "beliefs": 1})
    assert await bench.found_by_vector(group, "Maya lives_in Porto") == {"episode", "relationship"}
    assert (await bench.search(group, "Porto")).degraded == ()
    assert not (await bench.memory.reader.episode(group, said.id)).vectors_pending
    assert await bench.memory.store.next_group_to_embed(group[:-1]) != group


async def test_versions_that_were_superseded_meanwhile_get_their_vectors_too(bench: Bench, group: str) -> None:
    bench.embedder.away = True
    (first,) = await bench.say(group, "Maya lives_in Porto")
    known = first.digested_at
    assert known is not None
    await bench.say(group, "Maya ends lives_in Porto")
    bench.embedder.away = False
    await bench.work(group)

    vector = await bench.memory.questions.asking(group).vector("Maya lives_in Porto")
    assert vector is not None
    now = await bench.memory.store.by_vector(Scope(group, NOW), vector, [RELATIONSHIP], 10)
    then = await bench.memory.store.by_vector(Scope(group, NOW, known), vector, [RELATIONSHIP], 10)
    assert (now[RELATIONSHIP].raw, then[RELATIONSHIP].raw) == (0, 1)


async def test_structured_claims_are_stored_and_say_that_their_vectors_are_to_come(bench: Bench, group: str) -> None:
    bench.embedder.away = True
    (receipt,), outcome = await bench.memory.intake.assert_claims(group, [AGE])
    assert outcome.vectors_pending == 1
    assert (await bench.memory.reader.episode(group, receipt.episode_id)).vectors_pending
    assert "fact" in {one.ranked.kind for one in (await bench.search(group, "36")).hits}
    bench.embedder.away = False

    await bench.work(group)

    assert await bench.found_by_vector(group, "Maya is 36.") == {"fact"}


async def test_while_the_model_is_still_away_the_job_waits_and_spends_no_attempt(bench: Bench, group: str) -> None:
    bench.embedder.away = True
    await bench.say(group, "Maya lives_in Porto")

    waiting = await bench.work(group)

    assert (waiting.status, waiting.attempts, waiting.leases) == (WorkProgress.PENDING, 0, 0)


async def test_vectors_of_another_model_are_never_written_beside_those_of_the_group(
    database: Database, bench: Bench, group: str
) -> None:
    await bench.say(group, "Maya lives_in Porto")
    (waits,) = await bench.memory.intake.remember(
        group, [Episode(group_id=group, session="s", content="Maya knows Ivo", occurred_at=SAID)]
    )
    others = Bench(database, UnsteadyEmbedder("another", 8))

    await digest(others.memory, group, waits.id)

    assert (await bench.memory.reader.episode(group, waits.id)).vectors_pending
    assert (await others.work(group)).status is WorkProgress.PENDING
    await bench.memory.works.request_work(
        group, WorkKind.EMBED, [WorkRequest(id=work_id(WorkKind.EMBED, group), anew=True)]
    )
    await bench.work(group)
    assert await bench.found_by_vector(group, "Maya knows Ivo") == {"episode", "relationship"}


async def test_two_at_a_time_have_one_effect(database: Database, bench: Bench, group: str) -> None:
    bench.embedder.away = True
    contents = [f"Maya knows Friend{number}" for number in range(7)]
    await bench.say(group, *contents)
    bench.embedder.away = False

    async def embed_all(one: Bench) -> None:
        while await one.memory.late_vectors.embed_some(group, 3, 2) is not None:
            pass

    async with asyncio.TaskGroup() as tasks:
        for one in (bench, Bench(database)):
            tasks.create_task(embed_all(one))

    for content in contents:
        assert await bench.found_by_vector(group, content) == {"episode", "relationship"}
    assert await bench.memory.store.count_vectors_pending(group) == 0


async def test_what_was_embedded_before_a_kill_is_not_embedded_again(bench: Bench, group: str) -> None:
    bench.embedder.away = True
    await bench.say(group, *(f"Maya knows Friend{number}" for number in range(4)))
    bench.embedder.away = False
    await bench.memory.late_vectors.embed_some(group, 2, 10)  # and the worker is killed: its lease runs out

    done = await bench.work(group)

    assert (done.status, done.progress["texts"]) == (WorkProgress.DONE, 6)
    assert await bench.memory.store.count_vectors_pending(group) == 0


class Choosy(UnsteadyEmbedder):
    """It fails at one content."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        if any(text.startswith("Bad") for text in texts) and not self.away:
            raise NotEmbeddable("It is no text.")
        return await super().embed(texts)


async def test_a_text_at_which_the_model_fails_stays_without_and_keeps_nothing_else(
    database: Database, group: str
) -> None:
    bench = Bench(database, Choosy())
    bench.embedder.away = True
    bad, good = await bench.say(group, "Bad knows Nobody", "Maya lives_in Porto")
    bench.embedder.away = False

    done = await bench.work(group)

    assert (done.status, done.progress["not_embeddable"]) == (WorkProgress.DONE, 2)
    assert not (await bench.memory.reader.episode(group, bad.id)).vectors_pending
    assert not (await bench.memory.reader.episode(group, good.id)).vectors_pending
    assert await bench.found_by_vector(group, "Maya lives_in Porto") == {"episode", "relationship"}
