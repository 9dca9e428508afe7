"""Consolidation by real workers that are killed: started again, they leave what one leaves that nobody disturbed."""

import asyncio
from collections.abc import Callable
from uuid import uuid4

import pytest

from graphmem.jobs.consolidator import Consolidator
from graphmem.jobs.steps import Stepper
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.scope import Scope
from graphmem.model.work import Work, WorkKind, WorkProgress, WorkRequest, work_id
from graphmem.recall.reader import GraphQuery
from graphmem.settings.jobs import ConsolidationSettings, JobSettings
from graphmem.wiring import Services
from tests.jobs.conftest import StartWorker
from tests.jobs.test_consolidation import prefers, wants
from tests.jobs.test_recovery import PATIENCE
from tests.store.test_evidence import day

PEOPLE = 60

pytestmark = [pytest.mark.full, pytest.mark.timeout(600)]


def told() -> list[StructuredClaim]:
    """Of each of many people two wishes that say nearly the same, and a colour about which claims disagree."""
    plain = "answers that are short and plain"
    every = list[StructuredClaim]()
    for at in range(PEOPLE):
        one = ThingName(f"Person {chr(97 + at // 26)}{chr(97 + at % 26)}", "person")
        every += [
            wants(plain, subject=one, statement=f"{one.name} wants {plain}."),
            wants(f"very {plain}", 2, subject=one, statement=f"{one.name} wants very {plain}.", confidence=0.6),
            prefers("red", 1, 0.9, subject=one),
            prefers("blue", 3, 0.5, subject=one),
        ]
    return every


async def believed(services: Services, group: str) -> set[tuple[object, ...]]:
    """What is believed now: without ids, which are of a group, and without times at which it was decided."""
    graph = await services.memory.reader.graph(Scope(group, day(300)), GraphQuery())
    return {
        (row.user, row.predicate, row.value, row.statement, row.valid_from, row.valid_to, row.confidence, row.contested)
        for row in graph.beliefs
    }


async def asked(services: Services, group: str) -> str:
    id_ = work_id(WorkKind.CONSOLIDATE, group)
    await services.works.request_work(group, WorkKind.CONSOLIDATE, [WorkRequest(id=id_)])
    return id_


async def reached(services: Services, group: str, id_: str, enough: Callable[[Work], bool]) -> Work:
    """The work once it is so far."""
    async with asyncio.timeout(PATIENCE):
        while True:
            (work,) = await services.works.works_by_id(group, [id_])
            if enough(work):
                return work
            await asyncio.sleep(0.01)


def facts_of(work: Work) -> int:
    found = work.progress.get("facts", 0)
    assert isinstance(found, int)
    return found


async def test_consolidation_though_its_worker_is_killed(
    services: Services, start_worker: StartWorker, group: str
) -> None:
    clean = f"{group}-clean"
    for name in (clean, group):
        await services.memory.intake.assert_claims(name, told())
    untouched = await believed(services, group)

    id_ = await asked(services, clean)
    taken = await services.works.lease_work(clean, id_, uuid4().hex, 60)
    assert taken is not None
    await Stepper(Consolidator(services.memory, ConsolidationSettings(chunk=3)), services.works, JobSettings()).do(
        taken
    )

    id_ = await asked(services, group)
    for facts in (10, 60):
        worker = start_worker(GRAPHMEM_CONSOLIDATION_CHUNK="3")
        at = await reached(services, group, id_, lambda work: facts_of(work) >= facts)  # noqa: B023 - called at once
        worker.kill()
        assert at.status is WorkProgress.PENDING, "it was done before it was killed"
    start_worker(GRAPHMEM_CONSOLIDATION_CHUNK="3")
    done = await reached(services, group, id_, lambda work: work.status is not WorkProgress.PENDING)

    assert done.status is WorkProgress.DONE
    assert await believed(services, group) == await believed(services, clean) != untouched
