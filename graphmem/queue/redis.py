"""The queue on Redis or Valkey: who has work to do is told, and who waits for an episode."""

from collections.abc import AsyncGenerator, Generator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager

from redis.asyncio import ConnectionPool, Redis
from redis.exceptions import RedisError

from graphmem.errors import ConfigurationError, QueueUnavailable
from graphmem.queue.wakeups import Channel, WakeUp
from graphmem.settings.servers import RedisSettings

TIMEOUT = 0.5
"""Seconds for a connection, for an answer, and for a message as a whole: no request waits longer."""


class Queue:
    """Wakes up workers, and those who wait for an episode."""

    def __init__(self, redis: Redis) -> None:
        self.redis = redis
        self.work = Channel(redis, "graphmem:work", TIMEOUT)
        """That a group has work to do."""
        self.episodes = Channel(redis, "graphmem:episodes", TIMEOUT)
        """That something became of the episode with this id."""

    async def wake_workers(self, group: str) -> None:
        """Tell workers that a group has work to do; one message, however much work it is.

        Raises:
            QueueUnavailable: it does not answer in time. Workers find the work when they look.
        """
        with translate_errors():
            await self.work.send(group)

    def expect(self, episode_id: str) -> AbstractContextManager[WakeUp]:
        """A signal for who waits until something becomes of an episode, as far as ``episodes`` are heard."""
        return self.episodes.expect(episode_id)

    async def ping(self) -> None:
        """Raises QueueUnavailable: it does not answer."""
        with translate_errors():
            await self.redis.ping()  # pyright: ignore[reportUnknownMemberType] -- its **kwargs


@contextmanager
def translate_errors() -> Generator[None]:
    try:
        yield
    except (RedisError, OSError) as error:
        raise QueueUnavailable(
            f"The queue does not answer ({type(error).__name__}). What comes in is stored, and read some moments "
            "later. Start Redis or Valkey again, or check REDIS_URL."
        ) from error


def connection_pool(settings: RedisSettings) -> ConnectionPool:
    """Connections that are given up after ``TIMEOUT`` seconds without an answer.

    Raises:
        ConfigurationError: no queue is configured, or its address is none.
    """
    if settings.url is None:
        raise ConfigurationError("No queue is configured. Run `graphmem up`, or set REDIS_URL.")
    try:
        return ConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType] -- its **kwargs
            settings.url.get_secret_value(), socket_connect_timeout=TIMEOUT, socket_timeout=TIMEOUT
        )
    except ValueError as error:
        raise ConfigurationError(
            "REDIS_URL is not an address; it begins with redis://, rediss:// or unix://."
        ) from error


@asynccontextmanager
async def open_queue(settings: RedisSettings) -> AsyncGenerator[Queue]:
    """The queue of one process. It need not answer yet.

    Raises:
        ConfigurationError: no queue is configured, or its address is none.
    """
    pool = connection_pool(settings)
    redis = Redis(connection_pool=pool)
    try:
        yield Queue(redis)
    finally:
        await redis.aclose()
        await pool.disconnect()
