"""Wake-up signals between processes over Redis pub/sub, so that waiters need not poll.

A signal that is lost costs one poll interval: whoever waits for one also looks from time to time.

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

from graphmem.process.background import Background, Healthy

POLL_SECONDS = 0.25
"""How often a waiter looks without a signal."""

_RECONNECT_SECONDS = 1.0
_LISTEN_SECONDS = 10.0

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class WakeUp:
    """A signal that one waiter blocks on."""

    def __init__(self) -> None:
        self._given = asyncio.Event()

    def give(self) -> None:
        self._given.set()

    async def wait(self, seconds: float) -> bool:
        """Return when it was given since the last wait, or after ``seconds``; whether it was given."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._given.wait()
        given = self._given.is_set()
        self._given.clear()
        return given


class Channel:
    """One pub/sub channel. Its messages are names; each wakes up the waiters for that name."""

    def __init__(self, redis: Redis, name: str, timeout: float) -> None:
        """``timeout``: seconds after which a message that Redis does not take is given up."""
        self._redis = redis
        self._name = name
        self._timeout = timeout
        self._waiters: dict[str, set[WakeUp]] = {}
        self._waiters_of_all: set[WakeUp] = set()

    async def send(self, *names: str) -> None:
        """Wake up the waiters for names, in every process that hears this channel; one round trip, however many.

        Raises:
            RedisError, OSError, TimeoutError: Redis did not take the messages, or not in time.
        """
        async with asyncio.timeout(self._timeout), self._redis.pipeline(transaction=False) as messages:
            for name in names:
                messages.publish(self._name, name)  # pyright: ignore[reportUnknownMemberType] -- its **kwargs
            await messages.execute()

    async def try_send(self, *names: str) -> None:
        """Wake up the waiters for names; where Redis does not answer, log that, and go on."""
        try:
            await self.send(*names)
        except (RedisError, OSError) as error:  # TimeoutError is an OSError
            log.warning("wake_up.not_sent", channel=self._name, reason=type(error).__name__)

    @contextmanager
    def expect(self, name: str) -> Generator[WakeUp]:
        """A signal that is given, while this is open, by each message with this name."""
        waiters = self._waiters.setdefault(name, set())
        with _among(waiters) as wake_up:
            try:
                yield wake_up
            finally:
                if len(waiters) == 1:
                    del self._waiters[name]

    @contextmanager
    def expect_any(self) -> Generator[WakeUp]:
        """A signal that is given, while this is open, by each message."""
        with _among(self._waiters_of_all) as wake_up:
            yield wake_up

    @asynccontextmanager
    async def heard(self, background: Background) -> AsyncGenerator[None]:
        """Hear the channel while this is open. Redis need not answer yet, nor all the time."""
        async with background.running(f"subscription to {self._name}", self._listen):
            yield

    async def _listen(self, healthy: Healthy) -> None:
        while True:
            try:
                await self._listen_once(healthy)
            except (RedisError, OSError) as error:
                log.debug("channel.not_heard", channel=self._name, reason=type(error).__name__)
                await asyncio.sleep(_RECONNECT_SECONDS)

    async def _listen_once(self, healthy: Healthy) -> None:
        channel: PubSub = self._redis.pubsub(  # pyright: ignore[reportUnknownMemberType] -- its **kwargs
            ignore_subscribe_messages=True
        )
        async with channel:
            await channel.subscribe(self._name)  # pyright: ignore[reportUnknownMemberType] -- likewise
            healthy()
            while True:
                message = cast("dict[str, bytes] | None", await channel.get_message(timeout=_LISTEN_SECONDS))
                if message is not None:
                    for wake_up in (*self._waiters.get(message["data"].decode(), ()), *self._waiters_of_all):
                        wake_up.give()


@contextmanager
def _among(waiters: set[WakeUp]) -> Generator[WakeUp]:
    wake_up = WakeUp()
    waiters.add(wake_up)
    try:
        yield wake_up
    finally:
        waiters.remove(wake_up)
