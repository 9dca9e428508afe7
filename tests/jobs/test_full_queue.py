"""A queue that is full takes no words about work: nothing is half done meanwhile, and all is once there is room."""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from graphmem.clock import utc_now
from graphmem.model.claim import Category
from graphmem.model.episode import Episode
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.reflection import FIRST_REFLECTION
from graphmem.model.scope import Scope
from graphmem.model.session import FIRST_SESSION
from graphmem.model.summary import FIRST_SUMMARY, StoredSummary
from graphmem.queue.redis import open_queue
from graphmem.wiring import Services
from tests.jobs.conftest import StartWorker
from tests.jobs.test_recovery import PATIENCE, digested

FULL, EMPTY = "1", "0"
"""Bytes that the queue may have; 0: as many as there are."""
THINGS = ("chess", "opera", "rugby", "judo")

pytestmark = [pytest.mark.full, pytest.mark.timeout(400)]


async def room(services: Services, most: str) -> None:
    async with open_queue(services.settings.redis) as queue:
        await queue.redis.config_set("maxmemory", most)  # pyright: ignore[reportUnknownMemberType] -- its **kwargs


async def logged(log: Path, words: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while not log.exists() or words not in log.read_text():  # noqa: ASYNC110, ASYNC240 - a small file
            await asyncio.sleep(0.1)


async def summaries(services: Services, group: str) -> list[StoredSummary]:
    scope = Scope(group, utc_now())
    return await services.summaries.summaries(scope, session_id=None, after=FIRST_SUMMARY, limit=10)


async def reflected(services: Services, group: str) -> list[str]:
    """What the reflections of a group say that are not to be made again."""
    scope = Scope(group, utc_now())
    found = await services.reflections.reflections(scope, after=FIRST_REFLECTION, limit=10)
    return [one.text.content for one in found if one.stale_at is None]


async def likes(services: Services, group: str, at: datetime) -> list[str]:
    """Have it told what Maya likes, and reflected on the week until now; the ids of the claims."""
    claims = [
        StructuredClaim(
            subject=ThingName("Maya", "person"),
            predicate="likes",
            value=value,
            valid_from=at,
            occurred_at=at,
            category=Category.HOBBY,
        )
        for value in THINGS
    ]
    receipts, _ = await services.memory.intake.assert_claims(group, claims)
    week = services.reflections.policy.week_until(utc_now() + timedelta(seconds=1))
    await asyncio.sleep(1.1)
    await services.reflections.write(group, await services.reflections.proposed(group, "", week))
    return [receipt.claim_id for receipt in receipts]


async def test_summaries_and_reflections_come_once_the_queue_has_room(
    services: Services, start_worker: StartWorker, group: str, tmp_path: Path
) -> None:
    now, store = utc_now(), services.memory
    turns = [
        Episode(group_id=group, session="s", content=f"We counted {at} boats at the old quay.", occurred_at=now)
        for at in range(10, 18)
    ]
    await store.intake.remember(group, turns)
    (chess, *_) = await likes(services, group, now)
    await room(services, FULL)
    try:
        start_worker(GRAPHMEM_JOBS_SUMMARISE_SECONDS="1", GRAPHMEM_JOBS_REFLECT_SECONDS="1")
        await digested(services, group, len(turns) + len(THINGS))
        for one in await store.sessions.sessions(Scope(group, utc_now()), after=FIRST_SESSION, limit=10):
            await store.sessions.close(group, one.id)
        await store.intake.retract(group, chess)
        await logged(tmp_path / "worker.log", "schedule.queue_unavailable")
        assert await summaries(services, group) == []
        assert await reflected(services, group) == []
    finally:
        await room(services, EMPTY)

    async with asyncio.timeout(PATIENCE):
        while not (await summaries(services, group) and await reflected(services, group)):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    (summary,) = await summaries(services, group)
    (reflection,) = await reflected(services, group)
    assert (set(summary.covers), summary.stale_at) == ({turn.id for turn in turns}, None)
    assert ("opera" in reflection, "chess" in reflection) == (True, False)
