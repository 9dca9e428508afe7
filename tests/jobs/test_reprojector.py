"""What is believed follows a policy that changed: in steps, once, whoever is killed meanwhile."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem.errors import Conflict, StoreUnavailable, TransactionEnded
from graphmem.jobs.leases import MAX_LEASES
from graphmem.jobs.reprojector import Reprojector
from graphmem.jobs.steps import Stepper
from graphmem.model.belief import BeliefRow
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import Name
from graphmem.model.interval import shown
from graphmem.model.projection.predicate import (
    MANY,
    ONE,
    Cardinality,
    Policy,
    Rule,
)
from graphmem.model.scope import Scope
from graphmem.model.work import SERVICE, Progress, Work, reprojection_id
from graphmem.reading import GraphQuery
from graphmem.services import Services
from graphmem.settings import JobSettings
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.driver import Database
from graphmem.store.predicates import PredicateStore
from graphmem.store.queries import cypher_root, load_queries
from tests.fakes import HashEmbedder, ScriptedExtractor
from tests.jobs.conftest import StartWorker
from tests.models import memory_on

SETTINGS = JobSettings.model_validate({"retry_seconds": 0, "lease_seconds": 5})
CONFIDENT = Policy(Cardinality.ONE, Rule.CONFIDENT)
POLICIES = [MANY, ONE, CONFIDENT, None]
DAY = timedelta(days=1)
START = datetime(2025, 1, 1, tzinfo=UTC)

Shown = set[tuple[str, datetime | None, datetime | None, bool]]


class Stumbling(EvidenceStore):
    """A store that raises what it is given, one after the other, after so many steps; and then works."""

    steps = 0
    errors: Sequence[BaseException] = ()
    sizes: Sequence[int] = ()

    async def reproject(self, group: str, subject_ids: Sequence[str], predicate: str) -> int:
        self.sizes = (*self.sizes, len(subject_ids))
        rows = await super().reproject(group, subject_ids, predicate)
        if self.steps <= 0 and self.errors:
            first, *self.errors = self.errors
            raise first
        self.steps -= 1
        return rows


class Bench:
    """A memory, and who projects again what it believes."""

    def __init__(self, database: Database) -> None:
        queries = load_queries(cypher_root())
        self.evidence = Stumbling(database, queries)
        self.predicates = PredicateStore(database, queries)
        self.memory = memory_on(database, extracts=ScriptedExtractor(), embeds=HashEmbedder(), evidence=self.evidence)
        self.stepper = Stepper(Reprojector(self.predicates, self.evidence, step=2), self.memory.works, SETTINGS)

    async def work(self, group: str, name: str = "stage") -> None:
        id_ = reprojection_id(group, name)
        taken = await self.memory.works.lease_work(group, id_, uuid4().hex, SETTINGS.lease_seconds)
        if taken is not None:
            await self.stepper.do(taken)

    async def follow(self, group: str, name: str = "stage") -> Work:
        await self.work(group, name)
        return (await self.predicates.reprojections(group, name))[0]

    async def change(self, group: str, policy: Policy | None, name: str = "stage") -> None:
        await (self.predicates.change(group, name, policy) if policy else self.predicates.drop(group, name))

    async def beliefs(self, group: str, days: Iterable[int] = range(22)) -> list[BeliefRow]:
        points = [Scope(group, START + number * DAY) for number in days]
        graphs = [await self.memory.reader.graph(point, GraphQuery()) for point in points]
        return list({belief.id: belief for graph in graphs for belief in graph.beliefs}.values())

    async def shown(self, group: str, days: Iterable[int] = range(22)) -> Shown:
        return {
            (belief.statement, shown(belief.valid_from), shown(belief.valid_to), belief.contested)
            for belief in await self.beliefs(group, days)
        }


@pytest.fixture(scope="module")
def bench(database: Database) -> Bench:
    return Bench(database)


def claim(subject: str, value: str, start: int, confidence: float = 1.0) -> StructuredClaim:
    return StructuredClaim(
        subject=Name(subject, "deal"),
        predicate="stage",
        value=value,
        statement=f"{subject} is {value}.",
        valid_from=START + start * DAY,
        occurred_at=START + start * DAY,
        confidence=confidence,
    )


def deals(count: int) -> list[StructuredClaim]:
    """Three stages each."""
    return [
        claim(f"Deal {number}", value, start)
        for number in range(count)
        for start, value in ((0, "open"), (5, "won"), (9, "paid"))
    ]


def expected(count: int, *, one: bool) -> Shown:
    ends = {0: START + 5 * DAY, 5: START + 9 * DAY, 9: None}
    return {
        (item.statement or "", item.valid_from, ends[(item.valid_from - START).days] if one else None, False)
        for item in deals(count)
        if item.valid_from is not None
    }


async def test_beliefs_follow_the_policy_and_progress_is_shown(bench: Bench, group: str) -> None:
    await bench.memory.intake.assert_claims(group, deals(5))
    assert await bench.shown(group) == expected(5, one=False)

    await bench.change(group, ONE)
    done = await bench.follow(group)

    assert await bench.shown(group) == expected(5, one=True)
    assert (done.status, done.progress["subjects"], done.progress["done"]) == (Progress.DONE, 5, 5)
    assert done.result["rows_changed"] == 5 * 2 * 2  # of three beliefs two end, each superseded and recorded
    assert done.finished_at is not None


async def test_to_change_back_restores_every_belief_id_and_the_past_stays(bench: Bench, group: str) -> None:
    await bench.memory.intake.assert_claims(group, deals(3))
    before = await bench.beliefs(group)
    known_at = max(belief.recorded_at for belief in before)
    await bench.change(group, ONE)
    await bench.follow(group)
    await bench.change(group, None)
    await bench.follow(group)

    after = await bench.beliefs(group)
    then = await bench.memory.reader.graph(Scope(group, START + 20 * DAY, known_at), GraphQuery())
    assert {belief.belief_id for belief in after} == {belief.belief_id for belief in before}
    assert await bench.shown(group) == expected(3, one=False)
    assert {belief.id for belief in then.beliefs} == {belief.id for belief in before}


async def test_what_is_done_again_changes_nothing(bench: Bench, group: str) -> None:
    await bench.memory.intake.assert_claims(group, deals(3))
    await bench.change(group, ONE)
    await bench.follow(group)
    before = await bench.beliefs(group)
    await bench.change(group, MANY)
    await bench.change(group, ONE)

    done = await bench.follow(group)

    assert (done.status, done.result["rows_changed"]) == (Progress.DONE, 0)
    assert sorted(await bench.beliefs(group), key=lambda row: row.id) == sorted(before, key=lambda row: row.id)


@pytest.mark.parametrize("steps", [0, 1, 2])
async def test_killed_between_a_step_and_its_record_it_goes_on(bench: Bench, group: str, steps: int) -> None:
    await bench.memory.intake.assert_claims(group, deals(5))
    await bench.change(group, ONE)
    bench.evidence.steps, bench.evidence.errors = steps, [asyncio.CancelledError()]
    with pytest.raises(asyncio.CancelledError):
        await bench.follow(group)
    (killed,) = await bench.predicates.reprojections(group, "stage")
    assert (killed.status, killed.progress["done"]) == (Progress.PENDING, 2 * steps)

    async with asyncio.timeout(60):
        while (done := await bench.follow(group)).status is Progress.PENDING:  # noqa: ASYNC110 - a lease runs out
            await asyncio.sleep(0.2)

    assert (done.status, done.progress["done"]) == (Progress.DONE, 5)
    assert await bench.shown(group) == expected(5, one=True)


async def test_what_fails_is_tried_again_and_then_says_why(bench: Bench, group: str) -> None:
    await bench.memory.intake.assert_claims(group, deals(3))
    await bench.change(group, ONE)
    bench.evidence.steps, bench.evidence.errors = 0, [Conflict("First."), ValueError("secret"), Conflict("Third.")]
    seen = [await bench.follow(group) for _ in range(3)]
    assert [(one.status, one.attempts) for one in seen] == [
        (Progress.PENDING, 1),
        (Progress.PENDING, 2),
        (Progress.FAILED, 3),
    ]
    assert seen[1].error == "ValueError (the log has the details)."
    assert seen[2].error == "The request contradicts what is stored: Third."

    await bench.change(group, ONE)

    assert (await bench.follow(group)).status is Progress.DONE
    assert await bench.shown(group) == expected(3, one=True)


async def test_a_server_that_is_away_spends_no_attempt_and_is_asked_for_less(bench: Bench, group: str) -> None:
    await bench.memory.intake.assert_claims(group, deals(5))
    await bench.change(group, ONE)
    bench.evidence.steps, bench.evidence.errors, bench.evidence.sizes = 1, [StoreUnavailable()] * 3, ()
    for _ in range(3):
        await bench.follow(group)

    done = await bench.follow(group)

    assert (done.status, done.attempts, done.progress["done"]) == (Progress.DONE, 0, 5)
    assert bench.evidence.sizes == (2, 2, 1, 1, 1, 2)


async def test_a_step_that_neo4j_keeps_ending_ends_as_failed(bench: Bench, group: str) -> None:
    await bench.memory.intake.assert_claims(group, deals(1))
    await bench.change(group, ONE)
    bench.evidence.steps, bench.evidence.errors = 0, [TransactionEnded("Too slow.")] * MAX_LEASES
    seen = [await bench.follow(group) for _ in range(MAX_LEASES + 1)]

    assert [one.status for one in seen] == [Progress.PENDING] * MAX_LEASES + [Progress.FAILED]
    assert seen[-1].error is not None
    assert seen[-1].error.endswith("Too slow.")


async def test_a_change_of_the_service_goes_through_all_groups_but_leaves_their_own_policies(
    bench: Bench, group: str
) -> None:
    name = f"stage {uuid4().hex}"
    for one in (f"{group}-a", f"{group}-b", f"{group}-c"):
        await bench.memory.intake.assert_claims(one, [replace(item, predicate=name) for item in deals(3)])
    await bench.change(f"{group}-b", MANY, name)
    await bench.follow(f"{group}-b", name)
    held = {one.name: one.policy for one in await bench.predicates.predicates(SERVICE, "", 1_000)}
    try:
        await bench.predicates.keep({**held, name: ONE})
        done = await bench.follow(SERVICE, name)
        found = [await bench.shown(f"{group}-{one}") for one in "abc"]
    finally:
        await bench.predicates.keep(held)

    assert (done.status, done.progress["subjects"], done.progress["done"]) == (Progress.DONE, 9, 9)
    assert found == [expected(3, one=one) for one in (True, False, True)]


async def test_who_writes_meanwhile_follows_too(bench: Bench, group: str) -> None:
    await bench.memory.groups.ensure(group)
    items = deals(12)
    async with asyncio.TaskGroup() as tasks:
        for number in range(0, len(items), 3):
            for item in items[number : number + 3]:
                tasks.create_task(bench.memory.intake.assert_claims(group, [item]))
            if number == len(items) // 2:
                tasks.create_task(bench.change(group, ONE))

    done = await bench.follow(group)

    assert done.status is Progress.DONE
    assert await bench.shown(group) == expected(12, one=True)


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    values=st.lists(
        st.tuples(
            st.sampled_from(["Deal 1", "Deal 2", "Deal 3"]),
            st.sampled_from(["open", "won", "paid"]),
            st.integers(0, 20),
            st.sampled_from([0.3, 0.6, 0.9]),
        ),
        min_size=1,
        max_size=10,
        unique_by=lambda value: (value[0], value[2]),  # of equals the claim's id decides, which differs by group
    ),
    policies=st.lists(st.tuples(st.sampled_from(POLICIES), st.booleans()), min_size=1, max_size=4),
)
async def test_any_changes_end_as_if_the_last_policy_had_always_been(
    bench: Bench,
    values: list[tuple[str, str, int, float]],
    policies: list[tuple[Policy | None, bool]],
) -> None:
    changed, fresh = f"changed-{uuid4().hex}", f"fresh-{uuid4().hex}"
    claims = [claim(*value) for value in values]
    await bench.memory.intake.assert_claims(changed, claims)
    for policy, at_once in policies:
        await bench.change(changed, policy)
        if at_once:
            await bench.work(changed)
    await bench.work(changed)

    await bench.change(fresh, policies[-1][0])
    await bench.memory.intake.assert_claims(fresh, claims)

    assert await bench.shown(changed) == await bench.shown(fresh)


async def finished(services: Services, group: str) -> Work:
    async with asyncio.timeout(200):
        while True:
            (one,) = await services.predicates.reprojections(group, "stage")
            if one.status is not Progress.PENDING:
                return one
            await asyncio.sleep(0.1)


@pytest.mark.timeout(300)
async def test_workers_follow_though_one_is_killed(services: Services, start_worker: StartWorker, group: str) -> None:
    bench = Bench(services.database)
    await bench.memory.intake.assert_claims(group, deals(60))
    assert await services.predicates.change(group, "stage", ONE) is not None
    worker = start_worker()
    async with asyncio.timeout(100):
        while (await services.predicates.reprojections(group, "stage"))[0].began_at is None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    worker.kill()
    start_worker()
    done = await finished(services, group)

    assert (done.status, done.progress["done"]) == (Progress.DONE, 60)
    assert await bench.shown(group, (1, 6, 10)) == expected(60, one=True)
