"""Wake-up signals reach other processes, nothing depends on one, and a Redis that hangs delays nobody."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from graphmem.api.app import create_app
from graphmem.api.backend import Backend
from graphmem.errors import QueueUnavailable
from graphmem.local import ManagedServers
from graphmem.process.background import Background
from graphmem.queue.redis import TIMEOUT, open_queue
from graphmem.queue.wakeups import Channel, WakeUp
from graphmem.settings import Settings
from graphmem.settings.servers import Neo4jSettings, RedisSettings
from graphmem.wiring import open_services
from tests.fakes import HashEmbedder, ScriptedExtractor
from tests.servers import Servers, small_settings, started

LONG = 60.0


@pytest.fixture(scope="module")
def valkey(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Generator[ManagedServers]:
    """One of these tests' own, because it is killed; beside the Neo4j of all."""
    neo4j = {"uri": servers.uri, "user": servers.user, "password": servers.password}
    with started(tmp_path_factory.mktemp("valkey"), small_settings(neo4j)) as own:
        yield own


@pytest.fixture
def settings(valkey: ManagedServers) -> RedisSettings:
    return RedisSettings(url=SecretStr(valkey.redis_url))


async def heard(giver: Channel, name: str, wake_up: WakeUp) -> None:
    """Send until it is heard: the other side may not listen yet, or not again yet."""
    async with asyncio.timeout(LONG):
        await giver.try_send(name)
        while not await wake_up.wait(0.05):
            await giver.try_send(name)


async def test_a_wake_up_reaches_who_expects_it_in_another_process(settings: RedisSettings) -> None:
    async with (
        open_queue(settings) as giver,
        open_queue(settings) as queue,
        queue.episodes.heard(Background()),
    ):
        with queue.expect("a") as first, queue.expect("a") as second, queue.expect("b") as other:
            await heard(giver.episodes, "a", first)
            assert await second.wait(LONG)
            assert not await other.wait(0)
            await heard(giver.episodes, "b", other)


async def test_a_wake_up_given_before_the_wait_is_not_lost(settings: RedisSettings) -> None:
    async with open_queue(settings) as queue, queue.episodes.heard(Background()):
        with queue.expect("early") as wake_up, queue.expect("late") as late:
            await heard(queue.episodes, "late", late)
            await queue.episodes.try_send("early")
            await queue.episodes.try_send("late")
            assert await late.wait(LONG)
            assert await wake_up.wait(0)
            assert not await wake_up.wait(0)


async def test_without_redis_none_is_given_and_afterwards_they_are_again(
    settings: RedisSettings, valkey: ManagedServers
) -> None:
    async with open_queue(settings) as queue, queue.episodes.heard(Background()):
        with queue.expect("x") as wake_up:
            await heard(queue.episodes, "x", wake_up)
            await asyncio.to_thread(valkey.kill, "valkey")
            await queue.episodes.try_send("x")
            assert not await wake_up.wait(0.1)
            await asyncio.to_thread(valkey.start, "valkey")
            await heard(queue.episodes, "x", wake_up)


async def test_a_user_of_redis_without_channels_is_told_that_workers_were_not(
    settings: RedisSettings, valkey: ManagedServers
) -> None:
    rules = ("on", ">secret", "~*", "+@all", "resetchannels")
    async with open_queue(settings) as admin:
        await admin.redis.execute_command("ACL", "SETUSER", "mute", *rules)  # pyright: ignore[reportUnknownMemberType]
    url = valkey.redis_url.replace("unix://", "unix://mute@") + "?password=secret"
    async with open_queue(RedisSettings(url=SecretStr(url))) as queue, queue.episodes.heard(Background()):
        with pytest.raises(QueueUnavailable):
            await queue.wake_workers("g")
        with queue.expect("x") as wake_up:
            await queue.episodes.try_send("x")
            assert not await wake_up.wait(0.1)


async def test_a_redis_that_hangs_is_given_up_within_a_second(settings: RedisSettings, valkey: ManagedServers) -> None:
    """Half a second is allowed; the bound fails only where nobody gives up."""
    async with open_queue(settings) as queue:
        await queue.wake_workers("g")
        with stopped(valkey), pytest.raises(QueueUnavailable):
            async with asyncio.timeout(LONG):
                await queue.wake_workers("g")
        await queue.ping()

    assert TIMEOUT <= 0.5


async def test_episodes_are_taken_in_while_redis_hangs(
    servers: Servers, settings: RedisSettings, valkey: ManagedServers, tmp_path: Path, group: str
) -> None:
    @asynccontextmanager
    async def opened(given: Settings) -> AsyncGenerator[Backend]:
        async with (
            open_services(given, extractor=ScriptedExtractor(), embedder=HashEmbedder()) as services,
            open_queue(given.redis) as queue,
        ):
            yield Backend(services=services, queue=queue)

    neo4j = Neo4jSettings(uri=servers.uri, user=servers.user, password=SecretStr(servers.password))
    app = create_app(Settings(data_dir=tmp_path, neo4j=neo4j, redis=settings), opened)
    token = (tmp_path / "secrets" / "api-token").read_text("utf-8").strip()
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1", timeout=LONG) as client,
    ):
        with stopped(valkey):
            answer = await client.post(
                f"/v1/groups/{group}/episodes",
                json={"content": "Maya lives_in Lisbon."},
                headers={"Authorization": f"Bearer {token}"},
            )

    assert (answer.status_code, answer.json()["queued"]) == (202, False)


async def test_one_message_tells_of_work_however_much_it_is(settings: RedisSettings) -> None:
    async with open_queue(settings) as teller, open_queue(settings) as queue, queue.work.heard(Background()):
        with queue.work.expect_any() as any_work, queue.work.expect("g") as of_group:
            await heard(teller.work, "other", any_work)
            assert not await of_group.wait(0)
            await teller.wake_workers("g")
            assert await of_group.wait(LONG)
            assert await any_work.wait(LONG)


@contextmanager
def stopped(valkey: ManagedServers) -> Generator[None]:
    """The server hangs: it takes connections, and answers nothing."""
    pid = valkey.pid("valkey")
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)
