"""Hints between processes by Redis' publish/subscribe, so that nobody looks again and again for what has come.

A hint that is lost costs a moment: who waits for one looks by himself from time to time.

https://valkey.io/topics/pubsub/
"""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import cast

import structlog
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from graphmem.background import Background, Healthy

LOOK_SECONDS = 0.25
"""How often who waits looks by himself: for what nobody tells, and where a hint is lost."""

_RECONNECT_SECONDS = 1.0
_LISTEN_SECONDS = 10.0

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Hint:
    """What somebody waits for."""

    def __init__(self) -> None:
        self._given = asyncio.Event()

    def give(self) -> None:
        self._given.set()

    async def wait(self, seconds: float) -> bool:
        """Return when it was given since the last time, or after ``seconds``; whether it was given."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._given.wait()
        given = self._given.is_set()
        self._given.clear()
        return given


class Hints:
    """The hints of one channel, each about something that has a name."""

    def __init__(self, redis: Redis, channel: str) -> None:
        self._redis = redis
        self._channel = channel
        self._expected: dict[str, set[Hint]] = {}

    async def give(self, name: str) -> None:
        """Tell every process that hears this channel; as far as Redis answers."""
        try:
            await self._redis.publish(self._channel, name)  # pyright: ignore[reportUnknownMemberType] -- its **kwargs
        except (RedisError, OSError) as error:
            log.warning("hint.not_given", channel=self._channel, reason=type(error).__name__)

    @contextmanager
    def expect(self, name: str) -> Generator[Hint]:
        """A hint that is given, while this is open, whenever one about this name is heard."""
        hint = Hint()
        self._expected.setdefault(name, set()).add(hint)
        try:
            yield hint
        finally:
            self._expected[name].remove(hint)
            if not self._expected[name]:
                del self._expected[name]

    @asynccontextmanager
    async def heard(self, background: Background) -> AsyncGenerator[None]:
        """Hear the channel while this is open. Redis need not answer yet, nor all the time."""
        async with background.running(f"subscription to {self._channel}", self._listen):
            yield

    async def _listen(self, healthy: Healthy) -> None:
        while True:
            try:
                await self._listen_once(healthy)
            except (RedisError, OSError) as error:
                log.debug("hints.not_heard", channel=self._channel, reason=type(error).__name__)
                await asyncio.sleep(_RECONNECT_SECONDS)

    async def _listen_once(self, healthy: Healthy) -> None:
        channel: PubSub = self._redis.pubsub(  # pyright: ignore[reportUnknownMemberType] -- its **kwargs
            ignore_subscribe_messages=True
        )
        async with channel:
            await channel.subscribe(self._channel)  # pyright: ignore[reportUnknownMemberType] -- likewise
            healthy()
            while True:
                message = cast("dict[str, bytes] | None", await channel.get_message(timeout=_LISTEN_SECONDS))
                if message is not None:
                    for hint in self._expected.get(message["data"].decode(), ()):
                        hint.give()
