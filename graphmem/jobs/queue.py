"""The queue: arq on Redis or Valkey, with ids only, JSON instead of pickle, and no results kept.

Losing it loses nothing: the sweeper of any worker enqueues again what Neo4j says is due.
"""

import json
from collections.abc import AsyncGenerator, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from uuid import uuid4

from arq import ArqRedis
from arq.constants import in_progress_key_prefix
from redis.asyncio import ConnectionPool
from redis.exceptions import RedisError

from graphmem.errors import ConfigurationError, QueueUnavailable
from graphmem.jobs.hints import Hint, Hints
from graphmem.model.predicate import Reprojection
from graphmem.settings import RedisSettings

QUEUE_NAME = "graphmem:digest"
ANY_WORK = ""
_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Work:
    """An episode to digest, or to digest anew. ``leases`` is how often it was begun: each is a job of its own."""

    group: str
    episode_id: str
    leases: int = 0
    revision: int = 0

    @property
    def job(self) -> str:
        return "digest"

    @property
    def arguments(self) -> tuple[str, str]:
        return self.group, self.episode_id

    @property
    def job_id(self) -> str:
        return f"{self.episode_id}:{self.revision}:{self.leases}"


@dataclass(frozen=True, slots=True)
class Reprojecting:
    """Slots of a predicate to project again, of a group or (group "") of all; each beginning is a job of its own."""

    group: str
    reprojection_id: str
    generation: int
    leases: int

    @property
    def job(self) -> str:
        return "reproject"

    @property
    def arguments(self) -> tuple[str, str]:
        return self.group, self.reprojection_id

    @property
    def job_id(self) -> str:
        return f"{self.reprojection_id}:{self.generation}:{self.leases}"


AnyWork = Work | Reprojecting


class Queue:
    """Enqueues work; twice is once."""

    def __init__(self, redis: ArqRedis) -> None:
        self.redis = redis
        self.work = Hints(redis, "graphmem:work")
        """That there is work to take up (``ANY_WORK``)."""
        self.episodes = Hints(redis, "graphmem:episodes")
        """That something became of the episode with this id."""

    async def enqueue(self, group: str, episode_ids: Iterable[str], revision: int = 0) -> None:
        """Ask for episodes to be digested, for the first time or anew.

        Raises:
            QueueUnavailable: it does not answer. The sweeper will find the episodes.
        """
        for episode_id in episode_ids:
            await self.put(Work(group, episode_id, revision=revision))

    async def reproject(self, reprojection: Reprojection) -> None:
        """Ask for a predicate to be projected again.

        Raises:
            QueueUnavailable: it does not answer. The sweeper will find what is to do.
        """
        await self.put(reprojecting(reprojection))

    async def put(self, work: AnyWork, *, after_seconds: float = 0, job_id: str | None = None) -> None:
        with translate_errors():
            await self.redis.enqueue_job(
                work.job, *work.arguments, _job_id=job_id or work.job_id, _defer_by=after_seconds or None
            )
        if not after_seconds:
            await self.work.give(ANY_WORK)

    def expect(self, episode_id: str) -> AbstractContextManager[Hint]:
        """A hint for who waits until something becomes of an episode, as far as ``episodes`` are heard."""
        return self.episodes.expect(episode_id)

    async def put_due(self, due: Sequence[AnyWork]) -> int:
        """Enqueue what of the work that is due is not queued; returns how much that was.

        arq keeps the job of a killed worker to itself until the longest time-out has passed. Work that is due, which
        means that nobody is at it, and still marked as in progress, goes under a new name.
        """
        if not due:
            return 0
        names = [work.job_id for work in due]
        with translate_errors():
            queued = await self.redis.zmscore(QUEUE_NAME, names)
            marks = await self.redis.mget([in_progress_key_prefix + name for name in names])
        lost = [work for work, score in zip(due, queued, strict=True) if score is None]
        orphaned = [work for work, mark in zip(due, marks, strict=True) if mark is not None]
        for work in lost:
            await self.put(work)
        for work in orphaned:
            await self.put(work, job_id=f"{work.job_id}:{uuid4().hex}")
        return len(lost) + len(orphaned)

    async def ping(self) -> None:
        with translate_errors():
            await self.redis.ping()  # pyright: ignore[reportUnknownMemberType] -- its **kwargs


def reprojecting(reprojection: Reprojection) -> Reprojecting:
    return Reprojecting(reprojection.group_id, reprojection.id, reprojection.generation, reprojection.leases)


@contextmanager
def translate_errors() -> Generator[None]:
    try:
        yield
    except (RedisError, OSError) as error:
        raise QueueUnavailable(f"The queue does not answer ({type(error).__name__}).") from error


@asynccontextmanager
async def open_queue(settings: RedisSettings) -> AsyncGenerator[Queue]:
    """The queue of one process. It need not answer yet.

    Raises:
        ConfigurationError: no queue is configured, or its address is none.
    """
    if settings.url is None:
        raise ConfigurationError("No queue is configured. Run `graphmem up`, or set REDIS_URL.")
    try:
        pool = ConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType] -- its **kwargs
            settings.url.get_secret_value(), socket_connect_timeout=_SECONDS, socket_timeout=30
        )
    except ValueError as error:
        raise ConfigurationError(
            "REDIS_URL is not an address; it begins with redis://, rediss:// or unix://."
        ) from error
    redis = ArqRedis(
        connection_pool=pool,
        job_serializer=to_json,
        job_deserializer=json.loads,
        default_queue_name=QUEUE_NAME,
    )
    try:
        yield Queue(redis)
    finally:
        await redis.aclose()
        await pool.disconnect()


def to_json(job: object) -> bytes:
    return json.dumps(job).encode()
