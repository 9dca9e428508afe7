"""Hints: heard by other processes, and nothing depends on one; workers that take up work when they are told of it."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from pydantic import SecretStr

from graphmem.background import Background
from graphmem.jobs import worker
from graphmem.jobs.hints import Hint, Hints
from graphmem.jobs.queue import QUEUE_NAME, Work, open_queue
from graphmem.local import ManagedServers
from graphmem.settings import JobSettings, RedisSettings, Settings

LONG = 60.0


async def heard(giver: Hints, name: str, hint: Hint) -> None:
    """Give a hint until it is heard: who listens may not do so yet, or not again yet."""
    async with asyncio.timeout(LONG):
        await giver.give(name)
        while not await hint.wait(0.05):
            await giver.give(name)


async def test_a_hint_reaches_who_expects_it_in_another_process(settings: Settings) -> None:
    async with (
        open_queue(settings.redis) as giver,
        open_queue(settings.redis) as queue,
        queue.episodes.heard(Background()),
    ):
        with queue.expect("a") as first, queue.expect("a") as second, queue.expect("b") as other:
            await heard(giver.episodes, "a", first)
            assert await second.wait(LONG)
            assert not await other.wait(0)
            await heard(giver.episodes, "b", other)


async def test_a_hint_given_before_the_wait_is_not_lost(settings: Settings) -> None:
    async with open_queue(settings.redis) as queue, queue.episodes.heard(Background()):
        with queue.expect("early") as hint, queue.expect("late") as late:
            await heard(queue.episodes, "late", late)
            await queue.episodes.give("early")
            await queue.episodes.give("late")
            assert await late.wait(LONG)
            assert await hint.wait(0)
            assert not await hint.wait(0)


async def test_without_redis_none_is_given_and_afterwards_they_are_again(
    settings: Settings, own: ManagedServers
) -> None:
    async with open_queue(settings.redis) as queue, queue.episodes.heard(Background()):
        with queue.expect("x") as hint:
            await heard(queue.episodes, "x", hint)
            await asyncio.to_thread(own.kill, "valkey")
            await queue.episodes.give("x")
            assert not await hint.wait(0.1)
            await asyncio.to_thread(own.start, "valkey")
            await heard(queue.episodes, "x", hint)


async def test_a_user_of_redis_without_channels_enqueues_all_the_same(settings: Settings, own: ManagedServers) -> None:
    rules = ("on", ">secret", "~*", "+@all", "resetchannels")
    async with open_queue(settings.redis) as admin:
        await admin.redis.execute_command("ACL", "SETUSER", "mute", *rules)  # pyright: ignore[reportUnknownMemberType]
    url = own.redis_url.replace("unix://", "unix://mute@") + "?password=secret"
    async with open_queue(RedisSettings(url=SecretStr(url))) as queue, queue.episodes.heard(Background()):
        work = Work("g", uuid4().hex)
        await queue.put(work)
        with queue.expect("x") as hint:
            await queue.episodes.give("x")
            assert not await hint.wait(0.1)
        assert await queue.redis.zscore(QUEUE_NAME, work.job_id) is not None


class Noting:
    """Tells what it is given to digest, and takes its time."""

    def __init__(self) -> None:
        self.digested: asyncio.Queue[str] = asyncio.Queue()

    async def digest(self, _group: str, episode_id: str) -> None:
        await asyncio.sleep(0.05)
        await self.digested.put(episode_id)


@pytest.mark.filterwarnings("ignore:Call to deprecated close")  # by arq's worker
async def test_a_worker_is_told_of_work_and_of_room_for_it(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """It never looks by itself: what is taken up, was told."""
    monkeypatch.setattr(worker, "LOOK_SECONDS", 600.0)
    ids, noting, stop = [uuid4().hex for _ in range(4)], Noting(), asyncio.Event()
    jobs: dict[str, Any] = {"digester": noting}
    async with open_queue(settings.redis) as queue, queue.work.heard(Background()), asyncio.timeout(LONG):
        await queue.redis.flushall()  # pyright: ignore[reportUnknownMemberType] -- its **kwargs
        with queue.work.expect("here") as here:
            await heard(queue.work, "here", here)
        working = asyncio.create_task(worker.take_jobs(queue, jobs, JobSettings(concurrency=1), stop))
        try:
            await queue.enqueue("g", ids[:1])
            assert await noting.digested.get() == ids[0]
            await queue.enqueue("g", ids[1:])
            assert {await noting.digested.get() for _ in ids[1:]} == set(ids[1:])
        finally:
            stop.set()
            await working
