"""Taking episodes in: durable first, then the queue; and waiting for their digest, if asked to."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeVar

import structlog

from graphmem.answers.episodes import AcceptedEpisode
from graphmem.answers.outcomes import MOST_KEPT, kept_of
from graphmem.api.backend import WorkQueue
from graphmem.api.schemas.claims import Told
from graphmem.errors import Barred, Conflict, StoreUnavailable, absent
from graphmem.memory import Memory
from graphmem.model.episode import Episode, EpisodeOutcome, EpisodeReceipt, EpisodeStatus
from graphmem.model.ids import external_episode_id
from graphmem.model.interval import LATEST
from graphmem.model.recall import KeptClaims
from graphmem.model.scope import Scope
from graphmem.queue.wakeups import POLL_SECONDS, WakeUp

Done = TypeVar("Done")
Seen = TypeVar("Seen")
Times = Mapping[int, datetime]
"""When each of several things was said, by its number."""
LOOK_SECONDS = 5.0
"""Seconds that it may take to look once more, beyond what was to be waited."""
_MOST_OF_LIST = 200
"""Claims that an answer shows of all episodes of a list."""
_PENDING = EpisodeOutcome(id="", status=EpisodeStatus.PENDING, error=None, outcome=None, vectors_pending=False)

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


async def remember(
    memory: Memory,
    group: str,
    episodes: Sequence[Episode],
    undated: frozenset[int],
    refused: dict[int, Barred] | None,
) -> list[EpisodeReceipt]:
    """Store episodes. Those that came without a time occurred when they first came, not when they come again.

    Those that are barred go to ``refused``, by their places, and the others are stored.

    Raises:
        Conflict: an external id or idempotency key was used before for something else.
        Barred: one was forgotten, or is of a user who opted out, and there is no ``refused``.
    """
    look = partial(_dated, memory, group, episodes, undated)
    return await _stored(look, partial(memory.intake.remember, group, refused=refused))


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
    memory: Memory,
    group: str,
    remembered: Sequence[EpisodeReceipt],
    wake_ups: Mapping[str, WakeUp],
    seconds: float,
    *,
    may_read: bool,
) -> list[AcceptedEpisode]:
    """The episodes once none is pending any more, or after ``seconds`` as they are then, with what stands of them.

    They are stored: while Neo4j does not say what became of them, they count as pending.

    Raises:
        NotFound: one was erased meanwhile.
    """
    done: dict[str, EpisodeOutcome] = {}
    kept: Mapping[str, KeptClaims] = {}
    try:
        async with asyncio.timeout(seconds + LOOK_SECONDS):
            await _digested(memory, group, remembered, wake_ups, seconds, done)
            kept = await kept_claims(memory, group, done, may_read=may_read)
    except (StoreUnavailable, TimeoutError) as error:
        log.warning("episodes.not_looked_at", reason=str(error))
    return [_accepted(item, done.get(item.id, _PENDING), kept.get(item.id)) for item in remembered]


def _accepted(item: EpisodeReceipt, became: EpisodeOutcome, kept: KeptClaims | None) -> AcceptedEpisode:
    return AcceptedEpisode.of(became, kept_of(became.outcome, kept), id=item.id, new=item.new)


async def kept_claims(
    memory: Memory, group: str, episode_ids: Collection[str], *, may_read: bool
) -> Mapping[str, KeptClaims]:
    """What stands of episodes that the caller handed in; the more of them, the fewer claims of each.

    Who may not read is shown none: words of others may stand in what is claimed, such as whom “she” means. They are
    stored: while Neo4j does not say what stands, it is not known.
    """
    most = min(MOST_KEPT, _MOST_OF_LIST // max(1, len(episode_ids))) if may_read else 0
    try:
        return await memory.store.kept_claims(Scope(group, LATEST), episode_ids, most)
    except StoreUnavailable as error:
        log.warning("kept.not_looked_at", reason=str(error))
        return {}


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
