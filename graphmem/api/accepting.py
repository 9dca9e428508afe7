"""Taking episodes in: durable first, then the queue; and waiting for their digest, if asked to."""

import asyncio
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime

from graphmem.api.backend import Queue
from graphmem.api.schemas.episodes import AcceptedEpisode, outcome_out
from graphmem.errors import Conflict
from graphmem.memory import Memory
from graphmem.model.episode import Episode, Status
from graphmem.model.recall import Remembered
from graphmem.queue.wakeups import POLL_SECONDS, WakeUp


async def remember(
    memory: Memory, group: str, episodes: Sequence[Episode], undated: frozenset[int]
) -> list[Remembered]:
    """Store episodes. Those that came without a time occurred when they first came, not when they come again.

    Raises:
        Conflict: an external id or idempotency key was used before for something else.
    """
    dated = await _dated(memory, group, episodes, undated)
    try:
        return await memory.intake.remember(group, dated)
    except Conflict:
        again = await _dated(memory, group, episodes, undated)  # the same may have come in at the same time
        if again == dated:
            raise
        return await memory.intake.remember(group, again)


async def first_said(memory: Memory, group: str, episode_ids: Iterable[str]) -> dict[str, datetime]:
    """When those of the episodes occurred that are there."""
    wanted = list(episode_ids)
    return await memory.store.times_of_episodes(group, wanted) if wanted else {}


@contextmanager
def expected(queue: Queue, episode_ids: Iterable[str]) -> Generator[dict[str, WakeUp]]:
    """A signal for each episode; to be asked for before the work is handed over."""
    with ExitStack() as stack:
        yield {id_: stack.enter_context(queue.expect(id_)) for id_ in episode_ids}


async def wait(
    memory: Memory, group: str, remembered: Sequence[Remembered], wake_ups: Mapping[str, WakeUp], seconds: float
) -> list[AcceptedEpisode]:
    """The episodes once none is pending any more, or after ``seconds`` as they are then."""
    deadline = asyncio.get_running_loop().time() + seconds
    return [await _digested(memory, group, item, wake_ups.get(item.id), deadline) for item in remembered]


async def _digested(
    memory: Memory, group: str, item: Remembered, wake_up: WakeUp | None, deadline: float
) -> AcceptedEpisode:
    while True:
        left = deadline - asyncio.get_running_loop().time()
        if wake_up is not None and left > 0:
            await wake_up.wait(min(POLL_SECONDS, left))
        stored = await memory.reader.episode(group, item.id)
        if stored.status is not Status.PENDING or left <= 0:
            outcome = outcome_out(stored.outcome)
            return AcceptedEpisode(id=item.id, new=item.new, status=stored.status, error=stored.error, outcome=outcome)


async def _dated(memory: Memory, group: str, episodes: Sequence[Episode], undated: frozenset[int]) -> list[Episode]:
    named = {index for index in undated if episodes[index].external_id or episodes[index].idempotency_key}
    times = await first_said(memory, group, [episodes[index].id for index in sorted(named)])
    return [
        replace(episode, occurred_at=times.get(episode.id, episode.occurred_at)) if index in named else episode
        for index, episode in enumerate(episodes)
    ]
