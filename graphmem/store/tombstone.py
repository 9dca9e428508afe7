"""Tombstones: what is taken in no more."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from graphmem.model.episode import Episode
from graphmem.model.tombstone import Tombstone
from graphmem.store.named import QueryStore
from graphmem.store.rows.episode import EpisodeRow


class TombstoneStore(QueryStore):
    """The queries of ``tombstone.cypher``, but for the one with which episodes come in."""

    async def episodes_to_bar(self, group: str, ids: Iterable[str]) -> list[Episode]:
        """Those of the episodes that are there.

        Raises:
            Unreadable: one cannot be read.
        """
        rows = await self._leader.whole("episodes_to_bar", EpisodeRow, group=group, ids=sorted(set(ids)))
        return [row.episode.episode for row in rows]

    async def bar(self, group: str, tombstones: Iterable[tuple[str, str]], receipt: str, now: datetime) -> None:
        """Write tombstones, each an id and its owner, in one transaction; it waits for what comes in just then."""
        rows = [{"id": id_, "owner": owner} for id_, owner in sorted(set(tombstones))]
        await self._run.execute("bar", group=group, receipt=receipt, now=now, rows=rows)

    async def lift(self, group: str, ids: Iterable[str], owner: str | None = None) -> Sequence[str]:
        """Take tombstones away, of one owner or of any; returns the ids of those that there were."""
        return await self._run.ids("lift", group=group, ids=sorted(set(ids)), owner=owner)

    async def tombstones(self, group: str, ids: Iterable[str]) -> list[Tombstone]:
        """Those of these ids that there are."""
        return await self._leader.many("tombstones", Tombstone, group=group, ids=sorted(set(ids)))
