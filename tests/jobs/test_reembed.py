"""A group gets another embedding model in place: reads and writes go on, and vectors of two models never meet."""

import asyncio
from dataclasses import replace
from datetime import datetime
from uuid import uuid4

import pytest

from graphmem.jobs.embedder import Reembedder
from graphmem.jobs.steps import Stepper
from graphmem.model.belief import BeliefRow
from graphmem.model.embedding import Vector
from graphmem.model.episode import Episode, EpisodeStatus
from graphmem.model.hits import WhyDegraded
from graphmem.model.scope import Scope
from graphmem.model.search import RELATIONSHIP
from graphmem.model.summary import SummaryContent
from graphmem.model.work import Work, WorkKind, WorkProgress, WorkRequest, work_id
from graphmem.store.driver import Database
from graphmem.store.predicates import PredicateStore
from tests.fakes import UnsteadyEmbedder
from tests.jobs.summarising import Bench as Summarising
from tests.jobs.summarising import talk
from tests.jobs.test_late_vectors import AGE, NOW, SAID, SETTINGS, Bench
from tests.models import digest, shipped_queries

OTHERS = [("another", 8), ("another", 384)]
MOST_SAID = 30
EACH = pytest.mark.parametrize(
    ("model", "dimensions"),
    [
        pytest.param("another", 8, id="of another length"),
        pytest.param("another", 384, id="of the same length", marks=pytest.mark.full),
    ],
)


class Changing(Bench):
    """A bench that can give a group its own model."""

    def __init__(self, database: Database, model: str = "another", dimensions: int = 8) -> None:
        super().__init__(database, UnsteadyEmbedder(model, dimensions))
        self._predicates = PredicateStore(database, shipped_queries())
        self.stepper = Stepper(self.steps(), self.memory.works, SETTINGS)

    def steps(self, most: int = 2) -> Reembedder:
        return Reembedder(self.memory.store, self._predicates, self.memory.late_vectors, most)

    async def ask(self, group: str) -> str:
        id_, (model, dimensions) = work_id(WorkKind.REEMBED, group), self.memory.late_vectors.model
        request = WorkRequest(id=id_, arguments={"model": model, "dimensions": dimensions})
        await self.memory.works.request_work(group, WorkKind.REEMBED, [request])
        return id_

    async def step(self, group: str, id_: str) -> Work:
        """One step, by a worker that is killed after it."""
        (work,) = await self.memory.works.works_by_id(group, [id_])
        step, steps = None, self.steps(20)  # more than come meanwhile
        async with asyncio.timeout(60):
            while step is None:
                step = await steps.step(work)
            await steps.step(work)  # it is done again by whoever takes it over
        lease = uuid4().hex
        assert await self.memory.works.lease_work(group, id_, lease, 60) is not None
        advanced = await self.memory.works.advance_work(work, lease, step, 0)
        assert advanced is not None
        await self.memory.works.return_work(group, id_, lease, 0)
        return advanced


async def fill(bench: Bench, group: str) -> datetime:
    """Episodes, a relationship, a former version of one, and a fact; returns when the former one was known."""
    (first,) = await bench.say(group, "Maya lives_in Porto")
    await bench.say(group, "Maya ends lives_in Porto", "Maya knows Ivo")
    await bench.memory.intake.assert_claims(group, [AGE])
    assert first.digested_at is not None
    return first.digested_at


async def everything_is_found(bench: Bench, group: str, known: datetime) -> None:
    assert await bench.found_by_vector(group, "Maya knows Ivo") == {"episode", "relationship"}
    assert await bench.found_by_vector(group, "Maya is 36.") == {"fact"}
    vector: Vector = bench.embedder.vector("Maya lives_in Porto")
    found = await bench.memory.store.by_vector(Scope(group, NOW, known), vector, [RELATIONSHIP], 10)
    (best, *_) = found[RELATIONSHIP].hits
    assert best.score == pytest.approx(1, abs=1e-4)
    assert (await bench.search(group, "Ivo")).degraded == ()


@EACH
async def test_a_group_is_embedded_again_with_all_its_versions(
    own_database: Database, group: str, model: str, dimensions: int
) -> None:
    known = await fill(Bench(own_database), group)
    bench = Changing(own_database, model, dimensions)
    assert [one.why for one in (await bench.search(group, "Ivo")).degraded] == [WhyDegraded.OTHER_MODEL]

    done = await bench.work(group)

    stored = await bench.memory.store.group(group)
    assert stored is not None
    assert (done.status, stored.embedding_model, stored.dimensions) == (WorkProgress.DONE, model, dimensions)
    assert (done.progress["texts"], done.progress["beliefs"]) == (3 + 4, 3)
    await everything_is_found(bench, group, known)


async def test_until_it_is_done_what_comes_in_is_stored_and_read_and_its_vectors_wait(
    own_database: Database, group: str
) -> None:
    known = await fill(Bench(own_database), group)
    bench = Changing(own_database)
    (said,) = await bench.say(group, "Maya knows Ada")
    await bench.memory.intake.assert_claims(group, [replace(AGE, predicate="height", statement="Maya is tall.")])
    recall = await bench.search(group, "Ada")
    assert (said.status, said.vectors_pending) == (EpisodeStatus.DIGESTED, True)
    assert "Maya knows Ada" in {hit.thing.statement for hit in recall.hits if isinstance(hit.thing, BeliefRow)}
    assert [one.why for one in recall.degraded] == [WhyDegraded.OTHER_MODEL]
    assert f"graphmem admin reembed --group {group}" in recall.degraded[0].detail

    await bench.work(group)

    assert not (await bench.memory.reader.episode(group, said.id)).vectors_pending
    assert await bench.found_by_vector(group, "Maya knows Ada") == {"episode", "relationship"}
    assert await bench.found_by_vector(group, "Maya is tall.") == {"fact"}
    await everything_is_found(bench, group, known)


async def test_summaries_are_made_meanwhile_and_get_their_vectors_afterwards(
    own_database: Database, group: str
) -> None:
    clean, bench = Summarising(own_database), Summarising(own_database)
    clean.embedder.model, clean.embedder.dimensions = OTHERS[0]
    for one, name in ((clean, f"{group}-clean"), (bench, group)):
        await one.say(name, talk(1))
        one.embedder.model, one.embedder.dimensions = OTHERS[0]
        await one.say(name, talk(29, first=1), first=1)
        await one.work(name)
    made = await bench.then(group)
    assert made
    assert not any(one.vector for one in await vectors_of(bench, group))

    await Changing(own_database).work(group)
    await bench.work(group)

    again = await vectors_of(bench, group)
    assert [(one.content, one.vector) for one in again] == [
        (one.content, one.vector) for one in await vectors_of(clean, f"{group}-clean")
    ]
    assert all(one.vector for one in again)


async def vectors_of(bench: Summarising, group: str) -> list[SummaryContent]:
    """The standing summaries of the one session."""
    (session,) = {one.session_id for one in await bench.then(group)}
    return sorted(await bench.memory.store.contents_of_summaries(group, session), key=lambda one: one.content)


@EACH
async def test_at_every_step_reads_and_writes_work_and_a_killed_worker_loses_nothing(
    own_database: Database, group: str, model: str, dimensions: int
) -> None:
    before, bench = Bench(own_database), Changing(own_database, model, dimensions)
    known = await fill(before, group)
    id_, seen, said = await bench.ask(group), set[WhyDegraded](), list[str]()
    (work,) = await bench.memory.works.works_by_id(group, [id_])
    while work.status is not WorkProgress.DONE:
        work = await bench.step(group, id_)
        for one in (before, bench) if len(said) < MOST_SAID else ():  # each gives the job more to do
            content = f"Maya knows Friend{len(said)}"
            said.append(content)
            (remembered,) = await bench.memory.intake.remember(
                group, [Episode(group_id=group, session="s", content=content, occurred_at=SAID)]
            )
            await digest(one.memory, group, remembered.id)
            recall = await one.search(group, "Ivo")
            assert "Maya knows Ivo" in {hit.thing.statement for hit in recall.hits if isinstance(hit.thing, BeliefRow)}
            seen |= {each.why for each in recall.degraded}
    late = Bench(own_database, bench.embedder)

    await late.work(group)

    assert seen == {WhyDegraded.OTHER_MODEL, WhyDegraded.REEMBEDDING, WhyDegraded.PENDING}
    for content in said:
        assert await bench.found_by_vector(group, content) == {"episode", "relationship"}
    await everything_is_found(bench, group, known)


async def test_who_has_the_old_model_stores_without_vectors_afterwards(own_database: Database, group: str) -> None:
    before, bench = Bench(own_database), Changing(own_database)
    await fill(before, group)
    await bench.work(group)

    (stored,) = await bench.say(group, "Maya knows Ada")
    assert not stored.vectors_pending
    (waits,) = await bench.memory.intake.remember(
        group, [Episode(group_id=group, session="s", content="Maya knows Bo", occurred_at=SAID)]
    )
    await digest(before.memory, group, waits.id)

    assert (await bench.memory.reader.episode(group, waits.id)).vectors_pending
    assert [one.why for one in (await before.search(group, "Bo")).degraded] == [WhyDegraded.OTHER_MODEL]


async def test_a_worker_of_another_model_leaves_it_to_others(own_database: Database, group: str) -> None:
    await fill(Bench(own_database), group)
    bench, other = Changing(own_database), Changing(own_database, "third", 8)
    id_ = await bench.ask(group)
    taken = await other.memory.works.lease_work(group, id_, uuid4().hex, 60)
    assert taken is not None

    await other.stepper.do(taken)

    (work,) = await bench.memory.works.works_by_id(group, [id_])
    stored = await bench.memory.store.group(group)
    assert stored is not None
    assert (work.status, work.attempts, stored.embedding_model) == (WorkProgress.PENDING, 0, "hash")


async def test_names_lose_their_vectors_and_get_new_ones(own_database: Database, group: str) -> None:
    before, bench = Bench(own_database), Changing(own_database)
    await before.say(group, "Maya lives_in Porto", "Ivo lives_in Lisbon")
    (porto,) = await before.memory.reader.entities(Scope(group, NOW), name="Porto")
    await before.memory.matching.follow_settings(group)
    await before.memory.matching.index_some(group, 100)

    async def near(one: Bench) -> int:
        await one.memory.matching.embed_some(group, 100)
        return len(await one.memory.store.neighbours(group, {porto.id: -1.0}, 50))

    assert await near(before) == 1
    await bench.say(group, "Ada lives_in Faro")
    await bench.memory.matching.index_some(group, 100)
    assert await near(bench) == 1
    await bench.work(group)

    assert await bench.memory.store.neighbours(group, {porto.id: -1.0}, 50) == []
    assert await near(bench) == 2
