"""Episodes: storing, leasing and reading them."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from graphmem.errors import AnswerTooLarge
from graphmem.model.episode import (
    Episode,
    EpisodeOutcome,
    EpisodeStatus,
    Reprocessing,
    StoredEpisode,
    StoredEpisodePage,
    calls,
)
from graphmem.model.fragment import Context
from graphmem.model.ids import session_id
from graphmem.model.recall import KeptClaims
from graphmem.model.scope import Scope
from graphmem.model.session import SESSIONS, SessionPolicy
from graphmem.model.tombstone import Entrant
from graphmem.model.work import Lane, lane_of
from graphmem.store.change.sessions import SessionWrites, follow_episodes
from graphmem.store.change.statements import Statements
from graphmem.store.driver import Transaction
from graphmem.store.named import QueryStore
from graphmem.store.parameters import PAGE_CHARS, reprocessing_text
from graphmem.store.rows import CountRow, EpisodeTimeRow
from graphmem.store.rows.episode import (
    AskedRow,
    ContextRow,
    EpisodePageRow,
    EpisodeRow,
    OutcomeRow,
    RememberedRow,
    StatusRow,
)


class EpisodeStore(QueryStore):
    """The queries of ``episode.cypher``."""

    async def remember_episodes(
        self,
        group: str,
        request: str,
        episodes: Sequence[Episode],
        entrants: Sequence[Entrant] = (),
        *,
        turns_per_call: int = 1,
        context_turns: int = 0,
        sessions: SessionPolicy = SESSIONS,
    ) -> list[RememberedRow]:
        """Store all of them, or none; so many turns of a session in a row are to be read together.

        They open and close sessions, as ``sessions`` says. Up to ``context_turns`` turns that were said after one that
        comes only now are to be read again.

        Raises:
            Conflict: one has the identity of a stored episode and says something else.
            Barred: one of the ``entrants`` was forgotten, or is of a user who opted out; ``each`` says so of each.
        """

        async def work(transaction: Transaction) -> list[RememberedRow]:
            statements = Statements(transaction, self._queries, group)
            await statements.admit(entrants)
            together = calls(request, episodes, turns_per_call)
            lane = lane_of(len(episodes))
            rows = await statements.remember_episodes(request, episodes, lane=lane, calls=together)
            await follow_episodes(SessionWrites(transaction, self._queries, group), episodes, rows, sessions)
            late = [row.id for row in rows if row.new and row.late]
            if context_turns:
                await statements.outdate_readings(late, request, context_turns)
            if late and context_turns:
                await statements.announce_work(Lane.BULK)
            if any(row.new for row in rows):
                await statements.announce_work(lane)
            return rows

        return await self.database.write(work)

    async def leased_episodes(self, group: str, ids: Iterable[str], lease: str) -> list[StoredEpisode]:
        """Those of the episodes that are still under this lease, in order of time."""
        rows = await self._leader.many("leased_episodes", EpisodeRow, group=group, ids=sorted(set(ids)), lease=lease)
        return [row.episode for row in rows]

    async def retry_episode(self, group: str, episode_id: str) -> StatusRow | None:
        return await self._run.optional("retry_episode", StatusRow, group=group, id=episode_id)

    async def reprocess_episode(self, group: str, episode_id: str, reprocessing: Reprocessing) -> StatusRow | None:
        wanted = reprocessing_text(reprocessing)
        return await self._run.optional("reprocess_episode", StatusRow, group=group, id=episode_id, reprocessing=wanted)

    async def reprocess_low_yield(
        self, group: str, version: str, reprocessing: Reprocessing, limit: int
    ) -> list[AskedRow]:
        wanted = reprocessing_text(reprocessing)
        return await self._run.many(
            "reprocess_low_yield", AskedRow, group=group, version=version, reprocessing=wanted, limit=limit
        )

    async def count_low_yield(self, group: str, version: str, limit: int) -> int:
        row = await self._run.single("count_low_yield", CountRow, group=group, version=version, limit=limit)
        return row.count

    async def episode(self, scope: Scope, episode_id: str) -> StoredEpisode | None:
        """The episode, whenever it occurred, if the reader may see it."""
        row = await self._run.optional("episode", EpisodeRow, scope, id=episode_id)
        return row and row.episode

    async def episodes(
        self, scope: Scope, *, status: EpisodeStatus | None, after: tuple[datetime, str], limit: int
    ) -> StoredEpisodePage:
        """A page in the order in which they were said, that ends before ``limit`` where its contents are large.

        ``after`` is the (occurred_at, id) of the last episode before it.
        """
        if scope.session is not None:
            return await self.episodes_of_session(scope, scope.session, status=status, after=after, limit=limit)
        return await self._page("episodes", scope, status=status, after=after, limit=limit)

    async def episodes_of_session(
        self, scope: Scope, session: str, *, status: EpisodeStatus | None, after: tuple[datetime, str], limit: int
    ) -> StoredEpisodePage:
        """A page of a session in the order in which it was said, that ends before ``limit`` where contents are large.

        ``after`` is the (occurred_at, id) of the last episode before it.
        """
        of_session = {"session": session_id(scope.group, session)}
        return await self._page("episodes_of_session", scope, status=status, after=after, limit=limit, **of_session)

    async def _page(
        self,
        query: str,
        scope: Scope,
        *,
        status: EpisodeStatus | None,
        after: tuple[datetime, str],
        limit: int,
        **session: str,
    ) -> StoredEpisodePage:
        row = await self._run.single(
            query,
            EpisodePageRow,
            scope,
            status=status,
            after_time=after[0],
            after_id=after[1],
            limit=limit,
            chars=PAGE_CHARS,
            **session,
        )
        return StoredEpisodePage(row.episodes, more=row.more)

    async def episodes_by_id(self, scope: Scope, ids: Iterable[str]) -> list[StoredEpisode]:
        """The episodes, of those with these ids, that the reader may see, in the order in which they were said.

        Raises:
            AnswerTooLarge: their contents have more than ``PAGE_CHARS`` characters.
        """
        row = await self._run.single("episodes_by_id", EpisodePageRow, scope, ids=sorted(set(ids)), chars=PAGE_CHARS)
        if row.more:
            raise AnswerTooLarge(f"These texts have more than {PAGE_CHARS:,} characters. Ask for fewer (`limit`).")
        return list(row.episodes)

    async def times_of_episodes(self, group: str, ids: Iterable[str]) -> dict[str, datetime]:
        """When those of the episodes occurred that are there."""
        rows = await self._run.many("times_of_episodes", EpisodeTimeRow, group=group, ids=sorted(set(ids)))
        return {row.id: row.occurred_at for row in rows}

    async def outcomes_of_episodes(self, group: str, ids: Iterable[str]) -> dict[str, EpisodeOutcome]:
        """What has become of those of the episodes that are there."""
        rows = await self._run.many("outcomes_of_episodes", OutcomeRow, group=group, ids=sorted(set(ids)))
        return {row.episode.id: row.episode for row in rows}

    async def kept_claims(self, scope: Scope, ids: Iterable[str], most: int) -> dict[str, KeptClaims]:
        """The first ``most`` claims that stand of each of the episodes that the reader may see, by its id."""
        rows = await self._run.many("kept_claims", KeptClaims, scope, ids=sorted(set(ids)), most=most)
        return {row.episode_id: row for row in rows}

    async def context_of_episode(self, group: str, episode_id: str, limit: int, chars: int) -> Context | None:
        """The turns of its session before an episode, the names in them, latest first, and the group's ontology.

        Of each turn the last ``chars`` characters. None where there is no such episode, or not yet on the server that
        was asked.
        """
        row = await self._run.optional(
            "context_of_episode", ContextRow, group=group, id=episode_id, limit=limit, chars=chars
        )
        return row.to_domain() if row else None
