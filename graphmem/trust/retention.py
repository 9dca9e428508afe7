"""How long a group keeps what was said, and what is older. Nothing is redacted yet: it says what would be."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from graphmem.clock import Clock
from graphmem.model.group import RetentionPolicy
from graphmem.store.group import GroupStore

MOST_SAMPLES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionPreview:
    """What a group keeps, and the episodes that are older than that, are read and are summarised.

    ``episodes`` counts them, ``samples`` are the ids of the first. ``before`` is the day from which on they are kept.
    Without ``policy.episode_days`` all are.
    """

    policy: RetentionPolicy
    before: datetime | None = None
    episodes: int = 0
    samples: tuple[str, ...] = ()


class Retention:
    """The retention of groups."""

    def __init__(self, store: GroupStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def preview(self, group: str, episode_days: int | None = None) -> RetentionPreview:
        """What would be redacted today, by the group's own setting or by another one."""
        policy = await self._store.retention_of_group(group)
        policy = replace(policy, episode_days=episode_days or policy.episode_days)
        if policy.episode_days is None:
            return RetentionPreview(policy=policy)
        before = self._clock() - timedelta(days=policy.episode_days)
        found = await self._store.redactable_episodes(group, before, MOST_SAMPLES)
        return RetentionPreview(policy=policy, before=before, episodes=found.episodes, samples=found.ids)

    async def change(self, group: str, policy: RetentionPolicy) -> RetentionPreview:
        """Have a group keep so much; returns what is older."""
        await self._store.set_retention(group, policy)
        return await self.preview(group)
