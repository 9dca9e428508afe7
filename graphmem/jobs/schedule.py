"""What is asked for by the clock. arq runs it once, however many workers there are; the work itself stands in Neo4j.

Only here is arq known.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC
from typing import Any

import arq
import structlog
from arq import ArqRedis, cron
from arq.cron import CronJob
from redis.exceptions import RedisError

from graphmem.jobs.nights import THEN
from graphmem.model.work import SERVICE, WorkKind, WorkRequest, reflection_request, work_id
from graphmem.process.background import Background, Healthy
from graphmem.queue.redis import connection_pool
from graphmem.settings import Settings
from graphmem.settings.jobs import JobSettings, ReflectionSettings
from graphmem.wiring import Services

Ask = Callable[[Services], Awaitable[None]]
"""Asks for work that is due."""

QUEUE_NAME = "graphmem:schedule"
RECONNECT_SECONDS = 1.0
GROUPS_AT_ONCE = 500
SESSIONS = 1_000
"""Closed sessions asked for at once."""

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@asynccontextmanager
async def scheduled(services: Services, background: Background) -> AsyncGenerator[None]:
    """Ask for scheduled work while this is open. A queue that goes away is waited for."""
    settings = services.settings
    jobs = [*nightly(settings.jobs), *weekly(settings.reflection), *every_few_seconds(settings)]
    jobs += [*consolidating(settings), *redacting(settings.jobs)]
    if not jobs:
        yield
        return

    async def schedule(healthy: Healthy) -> None:
        while True:
            worker = _worker(services, jobs)
            try:
                healthy()
                await worker.async_run()
            except (RedisError, OSError) as error:
                log.warning("schedule.queue_unavailable", reason=type(error).__name__)
                await asyncio.sleep(RECONNECT_SECONDS)
            finally:
                await _close(worker)

    async with background.running("schedule", schedule):
        yield


def nightly(settings: JobSettings) -> Iterator[CronJob]:
    """What is asked for once a day."""
    if settings.reprocess_hour >= 0:
        yield _at("reprocess", ask_to_reprocess, settings.reprocess_hour)


def weekly(settings: ReflectionSettings) -> Iterator[CronJob]:
    """What is asked for once a week, and when a worker starts, for none may have run at that time."""
    if settings.enabled:
        yield _at("reflect", ask_to_reflect, settings.hour, weekday=settings.weekday_number, run_at_startup=True)


def consolidating(settings: Settings) -> Iterator[CronJob]:
    """What is asked for by night so that facts are consolidated, and where sessions closed."""
    jobs = settings.jobs
    if jobs.night_hour >= 0 and (settings.enrichment.enabled or settings.consolidation.enabled):
        yield _at("night", begin_night, jobs.night_hour)
    if settings.consolidation.enabled:
        yield from _each(jobs.consolidate_seconds, "consolidate", ask_to_consolidate)


def redacting(settings: JobSettings) -> Iterator[CronJob]:
    """What is asked for by night so that groups keep no more than they say."""
    if settings.redact_hour >= 0:
        yield _at("redact", ask_to_redact, settings.redact_hour)


def every_few_seconds(settings: Settings) -> Iterator[CronJob]:
    """What is asked for all the time, where there is any of it."""
    jobs = settings.jobs
    if settings.matching.enabled:
        yield from _each(jobs.dedup_seconds, "dedup", ask_to_deduplicate)
    yield from _each(jobs.embed_seconds, "embed", ask_to_embed)
    if settings.summaries.enabled:
        yield from _each(jobs.summarise_seconds, "summarise", ask_to_summarise)
    yield from _each(jobs.reflect_seconds, "renew", ask_to_renew)


def _at(name: str, ask: Ask, hour: int, *, weekday: int | None = None, run_at_startup: bool = False) -> CronJob:
    """A question asked at an hour (UTC) of each day, or of a day of the week."""

    async def asked(ctx: dict[str, Any]) -> None:
        await ask(ctx["services"])

    return cron(
        asked,
        name=name,
        weekday=weekday,
        hour=hour,
        minute=0,
        run_at_startup=run_at_startup,
        max_tries=1,
        keep_result=0,
    )


def _each(seconds: int, name: str, ask: Ask) -> Iterator[CronJob]:
    """A question asked every so many seconds, unless the disk is short; 0: never.

    What is asked for by day and week is few rows, and is asked for all the same.
    """

    async def asked(ctx: dict[str, Any]) -> None:
        services: Services = ctx["services"]
        if services.disk.shortage is None:
            await ask(services)

    if seconds:
        yield cron(asked, name=name, second=set(range(0, 60, seconds)), max_tries=1, keep_result=0)


async def ask_to_deduplicate(services: Services) -> None:
    """Ask for entities to be compared in each group where something was said of them since."""
    await _ask_in_each_group(services, WorkKind.DEDUP, services.memory.store.next_group_to_match)


async def ask_to_embed(services: Services) -> None:
    """Ask for texts to be embedded in each group where some wait for their vectors."""
    await _ask_in_each_group(services, WorkKind.EMBED, services.memory.store.next_group_to_embed)


async def ask_to_summarise(services: Services) -> None:
    """Ask for summaries in each group where a session or an entity is to be looked at."""
    await _ask_in_each_group(services, WorkKind.SUMMARISE, services.memory.store.next_group_to_summarise)
    await _ask_in_each_group(services, WorkKind.SUMMARISE, services.memory.store.next_group_to_summarise_entities)


async def ask_to_renew(services: Services) -> None:
    """Ask for reflections to be made again in each group where something was withdrawn that one rests on."""
    await _ask_in_each_group(services, WorkKind.REFLECT, services.memory.store.next_group_to_renew)


async def _ask_in_each_group(
    services: Services, kind: WorkKind, next_group: Callable[[str], Awaitable[str | None]]
) -> None:
    group: str | None = ""
    archived = await services.memory.store.archived_groups()
    while (group := await next_group(group)) is not None:
        if group in archived:
            continue
        request = WorkRequest(id=work_id(kind, group), anew=False, again=True)
        await services.works.request_work(group, kind, [request])


async def ask_to_reflect(services: Services) -> None:
    """Ask each group for its reflections on the weeks that ended at scheduled times; once, whoever asks when."""
    policy, now, after = services.reflections.policy, services.clock(), ""
    while groups := await services.memory.store.groups(after, GROUPS_AT_ONCE):
        after = groups[-1].name
        for group in groups:
            if group.archived_at is not None:
                continue
            weeks = policy.scheduled(group.recorded_at, now)
            requests = [reflection_request(group.id, week) for week in weeks]
            await services.works.request_work(group.id, WorkKind.REFLECT, requests)


async def ask_to_consolidate(services: Services) -> None:
    """Ask for sessions that closed to be consolidated, each once, whoever asks."""
    store = services.memory.store
    archived = await store.archived_groups()
    for group, session_id in await store.sessions_to_consolidate(SESSIONS):
        if group in archived:
            continue
        await store.take_session_to_consolidate(group, session_id)


async def begin_night(services: Services) -> None:
    """Ask for episodes to be enriched in each group, and then facts to be consolidated; once a day, whoever asks."""
    consolidate = WorkKind.CONSOLIDATE if services.settings.consolidation.enabled else None
    if services.settings.enrichment.enabled:
        await _ask_for_today(services, WorkKind.ENRICH, then=consolidate)
    else:
        await _ask_for_today(services, WorkKind.CONSOLIDATE)


async def ask_to_reprocess(services: Services) -> None:
    """Ask for episodes of low yield to be reprocessed; once a day, whoever asks."""
    await _ask_for_today(services, WorkKind.REPROCESS)


async def ask_to_redact(services: Services) -> None:
    """Ask for what each group keeps no longer to be redacted; once a day, whoever asks."""
    await _ask_for_today(services, WorkKind.REDACT)


async def _ask_for_today(services: Services, kind: WorkKind, *, then: WorkKind | None = None) -> None:
    period = services.clock().date().isoformat()
    arguments = {THEN: then} if then else {}
    request = WorkRequest(id=work_id(kind, SERVICE, period=period), period=period, arguments=arguments, anew=False)
    await services.works.request_work(SERVICE, kind, [request])


def _worker(services: Services, jobs: list[CronJob]) -> arq.Worker:
    redis = ArqRedis(
        connection_pool=connection_pool(services.settings.redis),
        job_serializer=to_json,
        job_deserializer=json.loads,
        default_queue_name=QUEUE_NAME,
    )
    return arq.Worker(
        functions=[],
        cron_jobs=jobs,
        timezone=UTC,
        queue_name=QUEUE_NAME,
        redis_pool=redis,
        ctx={"services": services},
        handle_signals=False,
        keep_result=0,
        log_results=False,
        job_serializer=to_json,
        job_deserializer=json.loads,
    )


async def _close(worker: arq.Worker) -> None:
    for task in worker.tasks.values():
        task.cancel()
    with suppress(RedisError, OSError):
        await worker.pool.aclose(close_connection_pool=True)


def to_json(job: object) -> bytes:
    return json.dumps(job).encode()
