"""Episodes: storing, leasing and reading them."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime

from graphmem.model.episode import Episode, Redigest, Status, StoredEpisode, calls
from graphmem.model.fragment import Context
from graphmem.model.recall import PointInTime
from graphmem.store.driver import Transaction
from graphmem.store.intake import store_episodes
from graphmem.store.named import QueryStore
from graphmem.store.parameters import at
from graphmem.store.rows.episode import ContextRow, DueRow, EpisodeRow, RememberedRow, StatusRow
from graphmem.store.statements import Statements


class EpisodeStore(QueryStore):
    """The queries of ``episode.cypher``."""

    async def remember_episodes(
        self, group: str, request: str, episodes: Sequence[Episode], *, turns_per_call: int = 1, context_turns: int = 0
    ) -> list[RememberedRow]:
        """Store all of them, or none; so many turns of a session in a row are to be read together.

        Up to ``context_turns`` turns that were said after one that comes only now are to be read again.

        Raises:
            Conflict: one has the identity of a stored episode and says something else.
        """

        async def work(transaction: Transaction) -> list[RememberedRow]:
            query = self._queries["remember_episodes"]
            together = calls(request, episodes, turns_per_call)
            rows = await store_episodes(transaction, query, group, request, episodes, calls=together)
            late = [row.id for row in rows if row.new and row.late]
            if context_turns:
                await Statements(transaction, self._queries, group).outdate_readings(late, request, context_turns)
            return rows

        return await self.database.write(work)

    async def lease_episode(self, group: str, episode_id: str, lease: str, seconds: float) -> StoredEpisode | None:
        row = await self._run.optional(
            "lease_episode", EpisodeRow, group=group, id=episode_id, lease=lease, seconds=seconds
        )
        return row.to_domain() if row else None

    async def lease_turns(
        self, group: str, episode_id: str, lease: str, seconds: float, *, more: int
    ) -> list[StoredEpisode]:
        """The episode and the turns to be read with it, in their order; nothing where it is not to be had."""
        rows = await self._run.many(
            "lease_turns", EpisodeRow, group=group, id=episode_id, lease=lease, seconds=seconds, more=more
        )
        return [row.to_domain() for row in rows]

    async def renew_lease(self, group: str, episode_id: str, lease: str, seconds: float) -> None:
        await self._run.execute("renew_lease", group=group, id=episode_id, lease=lease, seconds=seconds)

    async def return_lease(
        self, group: str, episode_id: str, lease: str, seconds: float, *, spent: bool = False, error: str | None = None
    ) -> None:
        await self._run.execute(
            "return_lease", group=group, id=episode_id, lease=lease, spent=spent, error=error, seconds=seconds
        )

    async def fail_attempt(
        self, group: str, episode_id: str, lease: str, *, error: str, max_attempts: int, seconds: float
    ) -> StatusRow | None:
        return await self._run.optional(
            "fail_attempt",
            StatusRow,
            group=group,
            id=episode_id,
            lease=lease,
            error=error,
            max_attempts=max_attempts,
            seconds=seconds,
        )

    async def retry_episode(self, group: str, episode_id: str) -> StatusRow | None:
        return await self._run.optional("retry_episode", StatusRow, group=group, id=episode_id)

    async def redigest_episode(self, group: str, episode_id: str, redigest: Redigest) -> StatusRow | None:
        wanted = json.dumps(asdict(redigest))
        return await self._run.optional("redigest_episode", StatusRow, group=group, id=episode_id, redigest=wanted)

    async def redigest_sparse(self, version: str, redigest: Redigest, limit: int) -> list[DueRow]:
        wanted = json.dumps(asdict(redigest))
        return await self._run.many("redigest_sparse", DueRow, version=version, redigest=wanted, limit=limit)

    async def due_episodes(self, limit: int) -> list[DueRow]:
        return await self._run.many("due_episodes", DueRow, limit=limit)

    async def episode(self, group: str, episode_id: str) -> StoredEpisode | None:
        row = await self._run.optional("episode", EpisodeRow, group=group, id=episode_id)
        return row.to_domain() if row else None

    async def episodes(
        self,
        group: str,
        when: PointInTime,
        *,
        session: str | None,
        status: Status | None,
        after: tuple[datetime, str],
        limit: int,
    ) -> list[StoredEpisode]:
        rows = await self._run.many(
            "episodes",
            EpisodeRow,
            group=group,
            session=session,
            status=status,
            after_time=after[0],
            after_id=after[1],
            limit=limit,
            **at(when),
        )
        return [row.to_domain() for row in rows]

    async def episodes_by_id(self, group: str, ids: Iterable[str]) -> list[StoredEpisode]:
        rows = await self._run.many("episodes_by_id", EpisodeRow, group=group, ids=sorted(set(ids)))
        return [row.to_domain() for row in rows]

    async def context_of_episode(self, group: str, episode_id: str, limit: int) -> Context | None:
        """The turns of its session before an episode, the names in them, latest first, and the group's ontology.

        None where there is no such episode, or not yet on the server that was asked.
        """
        row = await self._run.optional("context_of_episode", ContextRow, group=group, id=episode_id, limit=limit)
        return row.to_domain() if row else None
