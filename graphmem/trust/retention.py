"""What a group keeps, and for how long: what was said is redacted once it is old and summarised, rows of the audit go.

A redacted episode stays, with what was read of it; its words are gone: its content, what callers said of it, quotes of
claims and texts of mentions.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from graphmem.clock import Clock
from graphmem.model.group import RetentionPolicy
from graphmem.model.tombstone import entrant_of, redacted_fingerprint
from graphmem.store.group import GroupStore, Redaction
from graphmem.store.rows.episode import EpisodeToRedact
from graphmem.trust.audit import Audit
from graphmem.trust.keys import Installation

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

    def __init__(self, store: GroupStore, audit: Audit, installation: Installation, clock: Clock) -> None:
        self._store = store
        self._audit = audit
        self._installation = installation
        self._clock = clock

    async def preview(self, group: str, episode_days: int | None = None) -> RetentionPreview:
        """What would be redacted now, by the group's own setting or by another one."""
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

    async def redact(self, group: str, most: int) -> int:
        """Redact so many more of the episodes that are older than the group keeps; 0 where no more are."""
        days = (await self._store.retention_of_group(group)).episode_days
        if days is None:
            return 0
        now = self._clock()
        old = await self._store.episodes_to_redact(group, now - timedelta(days=days), most)
        return len(await self._store.redact_episodes(group, map(self._redaction, old), now)) if old else 0

    async def drop_audit(self, group: str) -> int:
        """Take away the rows of the audit that are older than the group keeps; returns how many."""
        days = (await self._store.retention_of_group(group)).audit_days
        return 0 if days is None else await self._audit.drop_older(group, self._clock() - timedelta(days=days))

    def _redaction(self, old: EpisodeToRedact) -> Redaction:
        hashed, episode = self._installation.hash, old.stored.episode
        return Redaction(
            id=old.stored.id,
            fingerprint=redacted_fingerprint(hashed, episode.group_id, old.fingerprint),
            things=entrant_of(hashed, episode).things,
            outcome=old.stored.outcome and {**old.stored.outcome, "unread_times": []},
        )
