"""A slot of which something cannot be read stays as it is, is listed, and is projected once that is repaired."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import permutations
from uuid import uuid4

import pytest

from graphmem.errors import Unreadable
from graphmem.jobs.reprojector import Repairer
from graphmem.jobs.steps import Stepper
from graphmem.model.evidence import StructuredClaim
from graphmem.model.projection.predicate import ONE
from graphmem.model.scope import Scope
from graphmem.model.work import Work, WorkKind, WorkProgress
from graphmem.store.driver import Database
from tests.damaging import QUERIES, claim_said, damage
from tests.jobs.deals import DAY, SETTINGS, START, Bench, claim

FIRST = "Deal 1 is open."
DAMAGE: Sequence[Mapping[str, object]] = (
    {"confidence": "much"},
    {"attributes": "{not JSON"},
    {"valid_from": "last spring"},
    {"valid_from": "2025-01-01T00:00:00Z"},
    {"quote": None},
    {"kind": "perhaps"},
    {"retracted_at": "never"},
    {"retracted_at": None},
    {"user": 5},
    {"day": 5},
    {"open": "no"},
    {"recorded_at": [1, 2]},
)


@pytest.fixture(scope="module")
def bench(database: Database) -> Bench:
    return Bench(database)


async def undone(bench: Bench, group: str) -> list[Work]:
    works = await bench.memory.works.works(group, [WorkKind.REPAIR], "", 100)
    return [work for work in works if work.status is not WorkProgress.DONE]


async def look(bench: Bench, group: str) -> None:
    """What a worker does when it comes to the slots that wait."""
    stepper = Stepper(Repairer(bench.evidence, pause=0.001), bench.memory.works, SETTINGS)
    for work in await undone(bench, group):
        taken = await bench.memory.works.lease_work(group, work.id, uuid4().hex, SETTINGS.lease_seconds)
        if taken is not None:
            await stepper.do(taken)


async def said(bench: Bench, group: str, *claims: StructuredClaim) -> None:
    for one in claims:
        await bench.memory.intake.assert_claims(group, [one])


async def statements(bench: Bench, group: str) -> dict[str, int]:
    """What is believed of each deal at the end, and how many rows."""
    return {row.statement: row.valid_from.day for row in await bench.beliefs(group)}


async def test_a_slot_with_a_damaged_claim_waits_and_then_is_as_if_nothing_had_been(
    bench: Bench, database: Database, group: str, pytestconfig: pytest.Config
) -> None:
    won, paid, other = claim("Deal 1", "won", 5), claim("Deal 1", "paid", 9), claim("Deal 2", "open", 1)
    clean = f"{group}-clean"
    await bench.change(clean, ONE)
    await said(bench, clean, claim("Deal 1", "open", 0), won, paid, other)
    for number, properties in enumerate(DAMAGE if pytestconfig.option.all else DAMAGE[::4]):
        one = f"{group}-{number}"
        await bench.change(one, ONE)
        await said(bench, one, claim("Deal 1", "open", 0))
        before = await bench.shown(one)
        id_ = await claim_said(database, one, FIRST)
        whole = await damage(database, id_, properties)

        await bench.memory.intake.assert_claims(one, [won, other])
        await said(bench, one, paid)

        assert await bench.shown(one) == before | {("Deal 2 is open.", START + DAY, None, False)}, properties
        (waiting,) = await undone(bench, one)
        assert (waiting.target, id_ in str(waiting.arguments["unreadable"])) == ("stage", True)
        stats = await bench.memory.reader.stats(Scope(one, START + timedelta(days=400)))
        assert [slot.predicate for slot in stats.unprojected] == ["stage"], properties
        await look(bench, one)
        assert [work.id for work in await undone(bench, one)] == [waiting.id]

        await damage(database, id_, whole)
        await look(bench, one)

        assert await undone(bench, one) == [], properties
        assert await bench.shown(one) == await bench.shown(clean), properties


async def test_whatever_came_in_before_and_after_the_repair_the_beliefs_are_the_same(
    bench: Bench, database: Database, group: str
) -> None:
    told = [claim("Deal 1", "won", 5), claim("Deal 1", "paid", 9), claim("Deal 1", "open", 12)]
    shown = list[object]()
    for number, order in enumerate(permutations(told)):
        one = f"{group}-{number}"
        await bench.change(one, ONE)
        await said(bench, one, claim("Deal 1", "open", 0))
        id_ = await claim_said(database, one, FIRST)
        whole = await damage(database, id_, {"confidence": "much"})
        await said(bench, one, *order[:2])
        await damage(database, id_, whole)
        await said(bench, one, order[2])
        await look(bench, one)
        assert await undone(bench, one) == []
        shown.append(await bench.shown(one))
    assert shown == [shown[0]] * 6


async def test_a_damaged_row_or_policy_keeps_its_slot_as_it_is_too(
    bench: Bench, database: Database, group: str
) -> None:
    await bench.change(group, ONE)
    await said(bench, group, claim("Deal 1", "open", 0))
    (row,) = await bench.beliefs(group)
    whole = await damage(database, row.id, {"fades_at": "later"})
    await said(bench, group, claim("Deal 1", "won", 5))
    assert len(await undone(bench, group)) == 1
    await damage(database, row.id, whole)
    await look(bench, group)
    assert await undone(bench, group) == []
    ended = {("Deal 1 is open.", START, START + 5 * DAY, False), ("Deal 1 is won.", START + 5 * DAY, None, False)}
    assert await bench.shown(group) == ended

    await database.execute(QUERIES["change_policy"], group=group, properties={"cardinality": "some"})
    await said(bench, group, claim("Deal 1", "paid", 9))
    assert await bench.shown(group) == ended
    assert len(await undone(bench, group)) == 1
    await database.execute(QUERIES["change_policy"], group=group, properties={"cardinality": "one"})
    await look(bench, group)
    assert await undone(bench, group) == []
    assert ("Deal 1 is paid.", START + 9 * DAY, None, False) in await bench.shown(group)
    assert ("Deal 1 is won.", START + 5 * DAY, START + 9 * DAY, False) in await bench.shown(group)


async def test_nobody_acts_on_a_belief_of_which_the_evidence_cannot_be_read(
    bench: Bench, database: Database, group: str
) -> None:
    await said(bench, group, claim("Deal 1", "open", 0))
    (row,) = await bench.beliefs(group)
    id_ = await claim_said(database, group, FIRST)
    await damage(database, id_, {"confidence": "much"})
    with pytest.raises(Unreadable, match=id_):
        await bench.memory.intake.retract(group, id_)
    with pytest.raises(Unreadable, match=id_):
        await bench.evidence.share(group, row, in_force=True)
    assert [one.id for one in await bench.beliefs(group)] == [row.id]


async def test_an_entity_whose_names_cannot_be_read_keeps_no_claim_from_being_believed(
    bench: Bench, database: Database, group: str
) -> None:
    await said(bench, group, claim("Deal 1", "open", 0))
    (row,) = await bench.beliefs(group)
    for properties in ({"first_seen": "early"}, {"newest_stamp": "now"}, {"names": 5}):
        whole = await damage(database, row.subject_id, properties)
        await said(bench, group, claim("Deal 1", str(properties), 5))
        await damage(database, row.subject_id, {name: value for name, value in whole.items() if name != "newest_stamp"})
    assert len(await bench.beliefs(group)) == 4
    assert await undone(bench, group) == []
