"""Policies in the database: whose is in force, who starts with which, and what is to be projected again."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from graphmem.clock import utc_now
from graphmem.model.interval import MICROSECOND
from graphmem.model.projection.existence import Bounding
from graphmem.model.projection.predicate import (
    BUILT_IN,
    MANY,
    ONE,
    Cardinality,
    Policy,
    WinningRule,
)
from graphmem.model.work import SERVICE, Work, WorkProgress, WorkStep, reprojection_id
from graphmem.store.driver import Database
from graphmem.store.graph import GraphStore
from graphmem.store.predicates import PredicateStore
from graphmem.store.queries import Query
from graphmem.store.rows.digest import ClockRow
from graphmem.store.work import WorkStore
from tests.models import shipped_queries

CONFIDENT = Policy(Cardinality.ONE, WinningRule.CONFIDENT)
BEGINS = Policy(Cardinality.MANY, bound=Bounding.BEGINS)


@pytest.fixture(scope="module")
def queries() -> Mapping[str, Query]:
    return shipped_queries()


@pytest.fixture
def predicates(database: Database, queries: Mapping[str, Query]) -> PredicateStore:
    return PredicateStore(database, queries)


@pytest.fixture
def works(database: Database, queries: Mapping[str, Query]) -> WorkStore:
    return WorkStore(database, queries)


async def asked(predicates: PredicateStore, group: str) -> list[Work]:
    found = [one for name in "abcdef" for one in await predicates.reprojections(group, name)]
    return [one for one in found if one.group_id == group and one.status is WorkProgress.PENDING]


async def test_a_groups_policy_wins_over_the_services_and_unknown_ones_are_not_returned(
    database: Database, queries: Mapping[str, Query], predicates: PredicateStore, group: str
) -> None:
    await predicates.keep(BUILT_IN)
    await predicates.change(group, "status", MANY)
    await predicates.change(group, "stage", CONFIDENT)
    await predicates.change(group, "begun", BEGINS)

    async def policies(of: str) -> dict[str, Policy]:
        names = ["age", "status", "stage", "begun", "never heard of"]
        await GraphStore(database, queries).ensure_group(of, "m", 3, utc_now())
        row = await database.read(
            lambda transaction: transaction.single(queries["clock"], ClockRow, group=of, predicates=names)
        )
        return dict(row.predicates().policies)

    assert await policies(group) == {"age": ONE, "status": MANY, "stage": CONFIDENT, "begun": BEGINS}
    assert await policies(f"{group}-other") == {"age": ONE, "status": ONE}


async def test_the_list_shows_each_predicate_once_and_pages(predicates: PredicateStore, group: str) -> None:
    await predicates.keep(BUILT_IN)
    await predicates.change(group, "status", MANY)
    await predicates.change(group, "stage", CONFIDENT)

    found = await predicates.predicates(group, "", 100)
    after = await predicates.predicates(group, found[2].name, 2)

    assert [one.name for one in found] == sorted({*(one.name for one in found)})
    assert {one.name for one in found if one.group_id == group} == {"stage", "status"}
    assert after == found[3:5]
    assert await predicates.predicate(group, "status") in found
    assert (await predicates.predicate(group, "never heard of")).policy == MANY


async def test_many_that_start_at_once_make_each_policy_once(predicates: PredicateStore, group: str) -> None:
    async with asyncio.TaskGroup() as tasks:
        for _ in range(8):
            tasks.create_task(predicates.keep({"a": ONE, "b": CONFIDENT}, group))

    found = [one for one in await predicates.predicates(group, "", 100) if one.group_id == group]
    assert [(one.name, one.policy) for one in found] == [("a", ONE), ("b", CONFIDENT)]
    assert await asked(predicates, group) == []


async def test_many_that_start_at_once_with_a_change_ask_once(predicates: PredicateStore, group: str) -> None:
    await predicates.keep({"a": ONE}, group)
    async with asyncio.TaskGroup() as tasks:
        for _ in range(8):
            tasks.create_task(predicates.keep({"a": CONFIDENT}, group))

    assert [(one.target, one.generation) for one in await asked(predicates, group)] == [("a", 1)]


async def test_a_start_asks_for_what_looks_different_and_forgets_what_is_no_longer_configured(
    predicates: PredicateStore, group: str
) -> None:
    await predicates.keep({"a": ONE, "b": ONE, "c": MANY, "d": ONE}, group)

    requested = await predicates.keep({"a": ONE, "b": CONFIDENT, "e": ONE, "f": MANY}, group)

    assert [one.target for one in requested] == ["b", "d", "e"]
    assert await asked(predicates, group) == requested
    found = [one for one in await predicates.predicates(group, "", 100) if one.group_id == group]
    assert [one.name for one in found] == ["a", "b", "e", "f"]


async def test_the_same_start_again_is_nothing(predicates: PredicateStore, group: str) -> None:
    await predicates.keep({"a": ONE}, group)
    before = await predicates.predicate(group, "a")

    assert await predicates.keep({"a": ONE}, group) == []
    assert await predicates.predicate(group, "a") == before


async def test_the_same_policy_again_asks_for_nothing(predicates: PredicateStore, group: str) -> None:
    first = await predicates.change(group, "a", ONE)
    again = await predicates.change(group, "a", ONE)

    assert first is not None
    assert (first.status, first.generation, first.group_id) == (WorkProgress.PENDING, 1, group)
    assert again is None
    assert await predicates.drop(group, "b") is None


async def test_another_bound_is_another_policy(predicates: PredicateStore, group: str) -> None:
    await predicates.keep({"a": MANY, "b": BEGINS}, group)

    moved = [await predicates.change(group, "a", policy) for policy in (BEGINS, BEGINS, MANY, MANY)]

    assert [work and work.generation for work in moved] == [1, None, 2, None]
    assert [work.target for work in await predicates.keep({"a": BEGINS, "b": BEGINS}, group)] == ["a"]
    assert (await predicates.predicate(group, "a")).policy == BEGINS


async def test_to_drop_a_policy_is_a_change(predicates: PredicateStore, group: str) -> None:
    await predicates.change(group, "a", ONE)
    dropped = await predicates.drop(group, "a")

    assert dropped is not None
    assert (dropped.id, dropped.generation) == (reprojection_id(group, "a"), 2)
    assert (await predicates.predicate(group, "a")).group_id == SERVICE


async def since(predicates: PredicateStore, group: str, name: str) -> datetime:
    changed_at = (await predicates.predicate(group, name)).changed_at
    assert changed_at is not None
    return changed_at


async def test_what_was_in_force_at_an_earlier_stamp_can_be_asked(predicates: PredicateStore, group: str) -> None:
    await predicates.change(group, "a", ONE)
    first = await since(predicates, group, "a")
    await predicates.change(group, "a", CONFIDENT)
    second = await since(predicates, group, "a")
    await predicates.drop(group, "a")
    dropped = utc_now()
    await predicates.change(group, "a", BEGINS)
    third = await since(predicates, group, "a")

    for known_at, policy, changed_at in (
        (first - MICROSECOND, MANY, None),
        (first, ONE, first),
        (second - MICROSECOND, ONE, first),
        (second, CONFIDENT, second),
        (dropped, MANY, None),
        (third - MICROSECOND, MANY, None),
        (third, BEGINS, third),
    ):
        shown = await predicates.predicate(group, "a", known_at)
        assert (shown.policy, shown.changed_at) == (policy, changed_at)
        listed = [one for one in await predicates.predicates(group, "", 100, known_at) if one.name == "a"]
        assert listed == ([] if changed_at is None else [shown])


async def test_the_services_policy_shows_where_the_group_had_none_of_its_own(
    predicates: PredicateStore, group: str
) -> None:
    await predicates.change(group, "status", MANY)
    own = await since(predicates, group, "status")

    before = await predicates.predicate(group, "status", own - MICROSECOND)

    assert (before.group_id, before.policy) == (SERVICE, ONE)
    assert [one for one in await predicates.predicates(group, "", 100, own - MICROSECOND) if one.name == "status"] == [
        before
    ]


async def test_stamps_follow_each_other_and_what_is_settled_though_the_clock_steps_back(
    database: Database, queries: Mapping[str, Query], predicates: PredicateStore, group: str
) -> None:
    store, promised = GraphStore(database, queries), utc_now() + timedelta(hours=1)
    await store.ensure_group(group, "m", 3, utc_now())
    await store.promise_settled(group, promised)

    stamps = list[datetime]()
    for policy in (ONE, CONFIDENT, MANY):
        await predicates.change(group, "a", policy)
        stamps.append(await since(predicates, group, "a"))

    assert stamps == [promised + number * MICROSECOND for number in (1, 2, 3)]


async def test_to_ask_anew_begins_anew_and_stops_who_is_at_it(
    predicates: PredicateStore, works: WorkStore, group: str
) -> None:
    first = await predicates.change(group, "a", ONE)
    assert first is not None
    assert await works.lease_work(group, first.id, "l", 60) is not None
    step = WorkStep(
        cursor={"subject": "s"}, progress={"subjects": 9, "done": 2}, result={"rows_changed": 3}, finished=False
    )
    stepped = await works.advance_work(first, "l", step, 60)
    assert stepped is not None
    assert (stepped.progress, stepped.result, stepped.cursor) == (step.progress, step.result, step.cursor)

    anew = await predicates.change(group, "a", CONFIDENT)

    assert anew is not None
    assert (anew.generation, anew.progress, anew.cursor, anew.began_at) == (2, {}, {}, None)
    assert await works.advance_work(stepped, "l", replace(step, finished=True), 1) is None


async def test_a_failed_one_is_asked_for_again_by_the_same_policy(
    predicates: PredicateStore, works: WorkStore, group: str
) -> None:
    first = await predicates.change(group, "a", ONE)
    assert first is not None
    await works.lease_work(group, first.id, "l", 60)
    await works.fail_work(group, first.id, "l", error="because", max_attempts=1, seconds=0)
    (failed,) = await predicates.reprojections(group, "a")
    assert (failed.status, failed.error, failed.due_at) == (WorkProgress.FAILED, "because", None)

    again = await predicates.change(group, "a", ONE)

    assert again is not None
    assert (again.status, again.error, again.generation) == (WorkProgress.PENDING, None, 2)


async def test_only_one_of_many_gets_the_lease(predicates: PredicateStore, works: WorkStore, group: str) -> None:
    first = await predicates.change(group, "a", ONE)
    assert first is not None
    async with asyncio.TaskGroup() as tasks:
        leases = [tasks.create_task(works.lease_work(group, first.id, str(number), 60)) for number in range(8)]
    assert len([lease for lease in leases if lease.result() is not None]) == 1


async def test_who_writes_while_a_policy_changes_is_waited_for(
    database: Database, predicates: PredicateStore, works: WorkStore, queries: Mapping[str, Query], group: str
) -> None:
    await GraphStore(database, queries).ensure_group(group, "m", 3, utc_now())
    async with database.unlimited() as writer:
        await writer.execute(queries["lock_group"], group=group)
        await writer.single(queries["clock"], ClockRow, group=group, predicates=["a"])
        requested = await predicates.change(group, "a", ONE)
        assert requested is not None
        await works.lease_work(group, requested.id, "l", 60)
        (leased,) = await predicates.reprojections(group, "a")
        assert not await predicates.writers_gone(leased.began_at)

    async with asyncio.timeout(60):
        while not await predicates.writers_gone(leased.began_at):  # noqa: ASYNC110 - others use this server too
            await asyncio.sleep(0.05)
