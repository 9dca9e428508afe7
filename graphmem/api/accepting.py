"""Taking episodes in: durable first, then the queue; and waiting for their digest, if asked to."""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeVar

import structlog

from graphmem.answers.episodes import AcceptedEpisode
from graphmem.api.backend import WorkQueue
from graphmem.api.schemas.claims import Told
from graphmem.errors import Conflict, StoreUnavailable, absent
from graphmem.memory import Memory
from graphmem.model.episode import Episode, EpisodeOutcome, EpisodeReceipt, EpisodeStatus
from graphmem.model.ids import external_episode_id
from graphmem.queue.wakeups import POLL_SECONDS, WakeUp

Done = TypeVar("Done")
Seen = TypeVar("Seen")
Times = Mapping[int, datetime]
"""When each of several things was said, by its number."""
LOOK_SECONDS = 5.0
"""Seconds that it may take to look once more, beyond what was to be waited."""
_PENDING = EpisodeOutcome(id="", status=EpisodeStatus.PENDING, error=None, outcome=None, vectors_pending=False)

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


async def remember(
    memory: Memory, group: str, episodes: Sequence[Episode], undated: frozenset[int]
) -> list[EpisodeReceipt]:
    """Store episodes. Those that came without a time occurred when they first came, not when they come again.

    Raises:
        Conflict: an external id or idempotency key was used before for something else.
    """
    look = partial(_dated, memory, group, episodes, undated)
    return await _stored(look, partial(memory.intake.remember, group))


async def as_first_said(
    memory: Memory,
    group: str,
    posted: Mapping[int, Told],
    now: datetime,
    store: Callable[[Times], Awaitable[Done]],
) -> Done:
    """Store what was posted as said at these times, or at those that it has by then, if the same comes in meanwhile.

    Raises:
        Conflict: an external id was used before for something else.
    """
    return await _stored(partial(times_said, memory, group, posted, now), store)


async def _stored(look: Callable[[], Awaitable[Seen]], store: Callable[[Seen], Awaitable[Done]]) -> Done:
    """Look when things were said, and store them. Where the same came in at the same time, that is done again."""
    seen = await look()
    try:
        return await store(seen)
    except Conflict:
        again = await look()
        if again == seen:
            raise
        return await store(again)


async def times_said(memory: Memory, group: str, posted: Mapping[int, Told], now: datetime) -> dict[int, datetime]:
    """When each was said: as it says, else when the same ``external_id`` of its user first came, else now."""
    ids = {
        number: external_episode_id(group, item.user or "", item.external_id, claimed=True)
        for number, item in posted.items()
        if item.occurred_at is None and item.external_id is not None
    }
    times = await _first_said(memory, group, list(ids.values()))
    return {number: item.occurred_at or times.get(ids.get(number, ""), now) for number, item in posted.items()}


async def _first_said(memory: Memory, group: str, episode_ids: list[str]) -> dict[str, datetime]:
    """When those of the episodes occurred that are there."""
    return await memory.store.times_of_episodes(group, episode_ids) if episode_ids else {}


@contextmanager
def expected(queue: WorkQueue, episode_ids: Iterable[str]) -> Generator[dict[str, WakeUp]]:
    """A signal for each episode; to be asked for before the work is handed over."""
    with ExitStack() as stack:
        yield {id_: stack.enter_context(queue.expect(id_)) for id_ in episode_ids}


async def wait(
    memory: Memory, group: str, remembered: Sequence[EpisodeReceipt], wake_ups: Mapping[str, WakeUp], seconds: float
) -> list[AcceptedEpisode]:
    """The episodes once none is pending any more, or after ``seconds`` as they are then.

    They are stored: while Neo4j does not say what became of them, they count as pending.

    Raises:
        NotFound: one was erased meanwhile.
    """
    done: dict[str, EpisodeOutcome] = {}
    try:
        async with asyncio.timeout(seconds + LOOK_SECONDS):
            await _digested(memory, group, remembered, wake_ups, seconds, done)
    except (StoreUnavailable, TimeoutError) as error:
        log.warning("episodes.not_looked_at", reason=str(error))
    return [AcceptedEpisode.of(done.get(item.id) or _PENDING, id=item.id, new=item.new) for item in remembered]


async def _digested(
    memory: Memory,
    group: str,
    remembered: Sequence[EpisodeReceipt],
    wake_ups: Mapping[str, WakeUp],
    seconds: float,
    done: dict[str, EpisodeOutcome],
) -> None:
    """Put what became of each episode into ``done`` as soon as it is not pending any more, or after ``seconds``."""
    deadline = asyncio.get_running_loop().time() + seconds
    waiting, looked = list(dict.fromkeys(item.id for item in remembered)), False
    while waiting:
        left = deadline - asyncio.get_running_loop().time()
        if left > 0 and (looked or waiting[0] in wake_ups):
            await wake_ups.get(waiting[0], WakeUp()).wait(min(POLL_SECONDS, left))
        looked = True
        outcomes = await memory.store.outcomes_of_episodes(group, waiting)
        done |= {
            id_: outcome
            for id_, outcome in outcomes.items()
            if outcome.status is not EpisodeStatus.PENDING or left <= 0
        }
        if erased := set(waiting) - outcomes.keys():
            raise absent(group, "episode", min(erased), "any more")
        waiting = [id_ for id_ in waiting if id_ not in done]


async def _dated(memory: Memory, group: str, episodes: Sequence[Episode], undated: frozenset[int]) -> list[Episode]:
    named = {index for index in undated if episodes[index].external_id or episodes[index].idempotency_key}
    times = await _first_said(memory, group, [episodes[index].id for index in sorted(named)])
    return [
        replace(episode, occurred_at=times.get(episode.id, episode.occurred_at)) if index in named else episode
        for index, episode in enumerate(episodes)
    ]
