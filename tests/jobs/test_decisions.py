"""Decisions by hand that move many claims: recorded before anybody is answered, carried out by a worker."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from graphmem.errors import Conflict
from graphmem.identity.merging import by_hand
from graphmem.jobs.deduplicator import Merger
from graphmem.jobs.steps import Stepper
from graphmem.memory import Memory
from graphmem.model.entity import normalise_name
from graphmem.model.episode import Episode
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.ids import entity_id
from graphmem.model.interval import END
from graphmem.model.matching import Verdict
from graphmem.model.merge import Opinion
from graphmem.model.scope import EVERYBODY, Scope
from graphmem.model.work import Work, WorkKind, WorkProgress
from graphmem.recall.reader import GraphQuery
from graphmem.settings.jobs import JobSettings
from graphmem.store.change.moves import Reidentified
from graphmem.store.driver import Database
from tests.models import digest, memory_on

SETTINGS = JobSettings(retry_seconds=0.0)
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def memory(database: Database, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """Two claims may move at once, and six in all."""
    monkeypatch.setattr("graphmem.identity.merging.MOST_AT_ONCE", 2)
    monkeypatch.setattr("graphmem.store.change.moves.MOST_MOVED", 6)
    return memory_on(database)


def claims(subject: str, number: int) -> list[StructuredClaim]:
    at = datetime(2025, 1, 1, tzinfo=UTC)
    return [
        StructuredClaim(
            subject=ThingName(subject, "person"),
            predicate="visited",
            object=ThingName(f"City {one}", "place"),
            valid_from=at,
            occurred_at=at + timedelta(days=one, hours=len(subject)),
        )
        for one in range(number)
    ]


def id_of(group: str, name: str) -> str:
    return entity_id(group, normalise_name(name))


async def same(memory: Memory, group: str, *, user: str = EVERYBODY) -> Opinion:
    """Somebody says that Tommy is Tom, who was seen first."""
    ids = (id_of(group, "Tom"), id_of(group, "Tommy"))
    return await memory.merging.same(group, *ids, reason="told so", user=user)


async def undone(memory: Memory, group: str) -> Opinion:
    (merge,) = await memory.merging.merges(Scope(group, NOW))
    return await memory.merging.undo(group, merge.id, reason="cousins")


async def left(memory: Memory, group: str, opinion: Opinion) -> Work:
    done = await memory.decisions.decide(group, opinion)
    assert isinstance(done, Work)
    return done


async def do(memory: Memory, work: Work) -> Work:
    taken = await memory.works.lease_work(work.group_id, work.id, uuid4().hex, 60)
    assert taken
    await Stepper(Merger(memory.decisions), memory.works, SETTINGS).do(taken)
    (done,) = await memory.works.works_by_id(work.group_id, [work.id])
    return done


async def visitors(memory: Memory, group: str) -> set[str]:
    """The ids of those of whom something is believed."""
    graph = await memory.reader.graph(Scope(group, NOW), GraphQuery())
    return {row.subject_id for row in graph.beliefs}


async def test_what_moves_few_claims_is_done_at_once_and_what_moves_more_by_a_worker(
    memory: Memory, group: str
) -> None:
    for number in (2, 3):
        await memory.intake.assert_claims(f"{group}-{number}", [*claims("Tom", 9), *claims("Tommy", number)])
    few = await memory.decisions.decide(f"{group}-2", await same(memory, f"{group}-2"))
    assert isinstance(few, Reidentified)
    assert await memory.works.works(f"{group}-2", [WorkKind.MERGE], "", 9) == []

    group = f"{group}-3"
    work = await left(memory, group, await same(memory, group))

    assert (work.status, work.arguments["verdict"], work.arguments["reason"]) == (
        WorkProgress.PENDING,
        "same",
        "told so",
    )
    assert await memory.merging.merges(Scope(group, NOW)) == []
    done = await do(memory, work)
    (merge,) = await memory.merging.merges(Scope(group, NOW))
    assert (done.status, done.result["moved_claims"], done.result["opened"]) == (WorkProgress.DONE, 3, [merge.id])
    assert await visitors(memory, group) == {id_of(group, "Tom")}


async def test_a_worker_takes_a_large_merge_back_too(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [*claims("Tom", 1), *claims("Tommy", 3)])
    await do(memory, await left(memory, group, await same(memory, group)))

    done = await do(memory, await left(memory, group, await undone(memory, group)))

    assert (done.status, done.result["moved_claims"]) == (WorkProgress.DONE, 3)
    assert await memory.merging.merges(Scope(group, NOW)) == []
    assert await visitors(memory, group) == {id_of(group, "Tom"), id_of(group, "Tommy")}


async def test_a_worker_takes_back_what_a_short_name_means_in_one_session(memory: Memory, group: str) -> None:
    said = [
        Episode(group_id=group, session=session, content=content, occurred_at=NOW.replace(month=month))
        for session in ("one", "two")
        for month, content in enumerate(
            ["Tom_Okafor knows Ann", "Tom visited Rome", "Tom visited Oslo", "Tom visited Bonn"], start=1
        )
    ]
    for episode in await memory.intake.remember(group, said):
        await digest(memory, group, episode.id)
    of_one, of_two = sorted(await memory.merging.merges(Scope(group, END)), key=lambda one: one.session or "")

    work = await left(memory, group, await memory.merging.undo(group, of_one.id, reason="another Tom"))
    done = await do(memory, work)

    assert (work.arguments["session"], done.result["closed"], done.result["moved_claims"]) == ("one", [of_one.id], 3)
    assert await memory.merging.merges(Scope(group, END)) == [of_two]


async def test_done_again_after_a_kill_it_changes_nothing_more(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [*claims("Tom", 1), *claims("Tommy", 3)])
    work = await left(memory, group, await same(memory, group))
    await memory.decisions.carry_out(work)  # by a worker that ended before it could say so
    before = await memory.merging.merges(Scope(group, NOW))

    done = await do(memory, work)

    assert (done.status, done.result["moved_claims"], done.result["recorded"]) == (WorkProgress.DONE, 0, 0)
    assert await memory.merging.merges(Scope(group, NOW)) == before


@pytest.mark.parametrize("claims_of_tommy", [3, 6])
async def test_a_later_word_on_a_pair_takes_the_place_of_one_that_waits(
    memory: Memory, group: str, claims_of_tommy: int
) -> None:
    await memory.intake.assert_claims(group, [*claims("Tom", 1), *claims("Tommy", claims_of_tommy)])
    first = await left(memory, group, await same(memory, group))
    no = by_hand(id_of(group, "Tom"), id_of(group, "Tommy"), Verdict.DIFFERENT, user=EVERYBODY, reason="cousins")

    second = await left(memory, group, no)

    assert (second.id, second.generation) == (first.id, first.generation + 1)
    assert (await do(memory, second)).result["moved_claims"] == 0
    assert await memory.merging.merges(Scope(group, NOW)) == []


async def test_what_no_decision_may_move_is_refused(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [*claims("Tom", 1), *claims("Tommy", 7)])
    with pytest.raises(Conflict, match="would move 7 claims"):
        await memory.decisions.decide(group, await same(memory, group))
    assert await memory.works.works(group, [WorkKind.MERGE], "", 9) == []


async def test_what_grew_too_large_while_it_waited_fails_and_says_so(memory: Memory, group: str) -> None:
    await memory.intake.assert_claims(group, [*claims("Tom", 1), *claims("Tommy", 3)])
    work = await left(memory, group, await same(memory, group))
    await memory.intake.assert_claims(group, claims("Tommy", 7))

    for _ in range(SETTINGS.max_attempts - 1):
        await do(memory, work)
    done = await do(memory, work)

    assert done.status is WorkProgress.FAILED
    assert "would move 7 claims" in (done.error or "")
    assert await memory.merging.merges(Scope(group, NOW)) == []


async def test_a_decision_for_one_user_is_work_that_no_other_user_sees(memory: Memory, group: str) -> None:
    own = [replace(one, user="ann") for name in ("Tom", "Tommy") for one in claims(name, 3)]
    await memory.intake.assert_claims(group, own)
    work = await left(memory, group, await same(memory, group, user="ann"))

    async def seen(user: str | None) -> list[str]:
        return [one.id for one in await memory.works.works(group, [WorkKind.MERGE], "", 9, user=user)]

    assert await seen("ann") == await seen(None) == [work.id]
    assert await seen("bo") == []
    await do(memory, work)
    assert len(await memory.merging.merges(Scope(group, NOW, user="ann"))) == 1
