"""How long a group keeps what was said, and what is older. Nothing is redacted yet: it says what would be."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from graphmem.clock import Clock
from graphmem.store.group import GroupStore

MOST_SAMPLES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionPreview:
    """After how many days episodes are redacted, and those that are older than that, are read and are summarised.

    ``episodes`` counts them, ``samples`` are the ids of the first. ``before`` is the day from which on they are kept.
    Without ``episode_days`` all are.
    """

    episode_days: int | None = None
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
        days = episode_days or await self._store.retention_of_group(group)
        if days is None:
            return RetentionPreview()
        before = self._clock() - timedelta(days=days)
        found = await self._store.redactable_episodes(group, before, MOST_SAMPLES)
        return RetentionPreview(episode_days=days, before=before, episodes=found.episodes, samples=found.ids)

    async def change(self, group: str, episode_days: int | None) -> RetentionPreview:
        """Keep episodes of a group for so many days, or (None) for good; returns what is older."""
        await self._store.set_retention(group, episode_days)
        return await self.preview(group)
