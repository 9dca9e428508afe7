"""What is believed follows a policy that changed: in steps, once, whoever is killed meanwhile."""

import asyncio
import re
from dataclasses import replace
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem.errors import Conflict, StoreUnavailable, TransactionEnded
from graphmem.jobs.steps import MAX_LEASES
from graphmem.model.fragment import ThingName
from graphmem.model.projection.predicate import (
    MANY,
    ONE,
    SUCCESSIVE,
    Cardinality,
    Policy,
    WinningRule,
)
from graphmem.model.scope import Scope
from graphmem.model.work import SERVICE, WorkProgress, reprojection_id
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from tests.damaging import damage, things_of
from tests.jobs.deals import DAY, SETTINGS, START, Bench, claim, deals, expected

CONFIDENT = Policy(Cardinality.ONE, WinningRule.CONFIDENT)
POLICIES = [MANY, ONE, CONFIDENT, SUCCESSIVE, None]


@pytest.fixture(scope="module")
def bench(own_database: Database) -> Bench:
    return Bench(own_database)


async def test_beliefs_follow_the_policy_and_progress_is_shown(bench: Bench, group: str) -> None:
    await bench.memory.intake.assert_claims(group, deals(5))
    assert await bench.shown(group) == expected(5, one=False)

    await bench.change(group, ONE)
    done = await bench.follow(group)

    assert await bench.shown(group) == expected(5, one=True)
    assert (done.status, done.progress["subjects"], done.progress["done"]) == (WorkProgress.DONE, 5, 5)
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


async def test_of_what_becomes_irreflexive_nothing_is_believed_of_a_thing_and_itself(bench: Bench, group: str) -> None:
    one, other = ThingName("Deal 0", "deal"), ThingName("Deal 1", "deal")
    itself = replace(claim("Deal 0", "", 0), value=None, object=one, statement="Deal 0 is staged by itself.")
    between = replace(itself, object=other, statement="Deal 0 is staged by Deal 1.")
    await bench.memory.intake.assert_claims(group, [itself, between])
    before = await bench.beliefs(group)
    seen: list[set[str]] = []
    for policy in (replace(MANY, irreflexive=True), None):
        await bench.change(group, policy)
        await bench.follow(group)
        seen.append({belief.statement for belief in await bench.beliefs(group)})
    assert seen == [{between.statement}, {itself.statement, between.statement}]
    assert {belief.belief_id for belief in await bench.beliefs(group)} == {belief.belief_id for belief in before}


async def test_what_is_done_again_changes_nothing(bench: Bench, group: str) -> None:
    await bench.memory.intake.assert_claims(group, deals(3))
    await bench.change(group, ONE)
    await bench.follow(group)
    before = await bench.beliefs(group)
    await bench.change(group, MANY)
    await bench.change(group, ONE)

    done = await bench.follow(group)

    assert (done.status, done.result["rows_changed"]) == (WorkProgress.DONE, 0)
    assert sorted(await bench.beliefs(group), key=lambda row: row.id) == sorted(before, key=lambda row: row.id)


@pytest.mark.parametrize("steps", [1, *(pytest.param(steps, marks=pytest.mark.full) for steps in (0, 2))])
async def test_killed_between_a_step_and_its_record_it_goes_on(bench: Bench, group: str, steps: int) -> None:
    await bench.memory.intake.assert_claims(group, deals(5))
    await bench.change(group, ONE)
    bench.evidence.steps, bench.evidence.errors = steps, [asyncio.CancelledError()]
    with pytest.raises(asyncio.CancelledError):
        await bench.follow(group)
    (killed,) = await bench.predicates.reprojections(group, "stage")
    assert (killed.status, killed.progress["done"]) == (WorkProgress.PENDING, 2 * steps)

    async with asyncio.timeout(60):
        while (done := await bench.follow(group)).status is WorkProgress.PENDING:  # noqa: ASYNC110 - a lease runs out
            await asyncio.sleep(0.2)

    assert (done.status, done.progress["done"]) == (WorkProgress.DONE, 5)
    assert await bench.shown(group) == expected(5, one=True)


async def test_what_fails_is_tried_again_and_then_says_why(bench: Bench, group: str) -> None:
    await bench.memory.intake.assert_claims(group, deals(3))
    await bench.change(group, ONE)
    bench.evidence.steps, bench.evidence.errors = 0, [Conflict("First."), ValueError("secret"), Conflict("Third.")]
    seen = [await bench.follow(group) for _ in range(3)]
    assert [(one.status, one.attempts) for one in seen] == [
        (WorkProgress.PENDING, 1),
        (WorkProgress.PENDING, 2),
        (WorkProgress.FAILED, 3),
    ]
    assert seen[1].error == "ValueError (the log has the details)."
    assert seen[2].error == "The request contradicts what is stored: Third."

    await bench.change(group, ONE)

    assert (await bench.follow(group)).status is WorkProgress.DONE
    assert await bench.shown(group) == expected(3, one=True)


async def test_work_whose_record_cannot_be_read_fails_with_what_to_repair(
    bench: Bench, own_database: Database, group: str
) -> None:
    await bench.change(group, ONE)
    id_ = reprojection_id(group, "stage")
    await damage(own_database, id_, {"cursor": "{"})

    for _ in range(SETTINGS.max_attempts):
        await bench.work(group)

    (stored,) = [one.properties for one in await things_of(own_database, group) if one.id == id_]
    assert (stored["status"], stored["attempts"]) == (WorkProgress.FAILED, SETTINGS.max_attempts)
    assert re.search(f"Work {id_}.*cursor.*Repair it", stored["error"])


async def test_a_server_that_is_away_spends_no_attempt_and_is_asked_for_less(bench: Bench, group: str) -> None:
    await bench.memory.intake.assert_claims(group, deals(5))
    await bench.change(group, ONE)
    bench.evidence.steps, bench.evidence.errors, bench.evidence.sizes = 1, [StoreUnavailable()] * 3, ()
    for _ in range(3):
        await bench.follow(group)

    done = await bench.follow(group)

    assert (done.status, done.attempts, done.progress["done"]) == (WorkProgress.DONE, 0, 5)
    assert bench.evidence.sizes == (2, 2, 1, 1, 1, 2)


async def test_a_step_that_neo4j_keeps_ending_ends_as_failed(bench: Bench, group: str) -> None:
    await bench.memory.intake.assert_claims(group, deals(1))
    await bench.change(group, ONE)
    bench.evidence.steps, bench.evidence.errors = 0, [TransactionEnded("Too slow.")] * MAX_LEASES
    seen = [await bench.follow(group) for _ in range(MAX_LEASES + 1)]

    assert [one.status for one in seen] == [WorkProgress.PENDING] * MAX_LEASES + [WorkProgress.FAILED]
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

    assert (done.status, done.progress["subjects"], done.progress["done"]) == (WorkProgress.DONE, 9, 9)
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

    assert done.status is WorkProgress.DONE
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
