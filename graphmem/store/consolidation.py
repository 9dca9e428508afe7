"""What consolidation and enrichment go over: facts, conflicts, sessions that closed, episodes to be read again."""

from collections.abc import Iterable
from datetime import datetime

from graphmem.model.acts import CurrentFact, Groundless
from graphmem.model.episode import CloserReader, ReadableEpisode
from graphmem.model.work import WorkKind, WorkRequest, work_id
from graphmem.store.driver import Transaction
from graphmem.store.named import QueryStore
from graphmem.store.parameters import reprocessing_text
from graphmem.store.rows import EpisodeTimeRow, IdRow, IdsRow
from graphmem.store.rows.session import SessionIdRow
from graphmem.store.work import request_work


class ConsolidationStore(QueryStore):
    """The queries of ``consolidation.cypher``. They read where writers are."""

    async def subjects_of_facts(self, group: str, category: str, after: str, limit: int) -> list[str]:
        """What the next so many facts of a category are about, in order of id."""
        given = {"group": group, "category": category, "after": after, "limit": limit}
        return await self._leader.ids("subjects_of_facts", **given)

    async def facts_of_subjects(self, group: str, ids: Iterable[str], categories: Iterable[str]) -> list[CurrentFact]:
        """The facts of these categories about entities."""
        given = {"group": group, "ids": sorted(set(ids)), "categories": sorted(categories)}
        return await self._leader.many("facts_of_subjects", CurrentFact, **given)

    async def contested_facts(self, group: str, after: str, limit: int) -> list[CurrentFact]:
        """The next contested beliefs, in order of the ids of their rows."""
        given = {"group": group, "after": after, "limit": limit}
        facts = await self._leader.many("contested_facts", CurrentFact, **given)
        return sorted(facts, key=lambda fact: fact.id)

    async def said_in_session(
        self, group: str, session_id: str, after: tuple[datetime, str], limit: int
    ) -> list[tuple[datetime, str]]:
        """When the next episodes of a session occurred, and their ids, in this order."""
        given = {"group": group, "session": session_id, "after_time": after[0], "after_id": after[1], "limit": limit}
        rows = await self._leader.many("said_in_session", EpisodeTimeRow, **given)
        return [(row.occurred_at, row.id) for row in rows]

    async def subjects_of_episodes(self, group: str, ids: Iterable[str]) -> list[str]:
        """What the claims of episodes are about."""
        given = {"group": group, "ids": sorted(set(ids))}
        return await self._leader.ids("subjects_of_episodes", **given)

    async def groundless_lowerings(self, group: str, after: str, limit: int) -> list[Groundless]:
        """The next lowerings of consolidation, in order of id, of which nothing stands any more that was preferred."""
        given = {"group": group, "after": after, "limit": limit}
        return await self._leader.many("groundless_lowerings", Groundless, **given)

    async def sessions_to_consolidate(self, limit: int) -> list[tuple[str, str]]:
        """Sessions of all groups that closed and have been read: group and id of each, the first closed first."""
        rows = await self._leader.many("sessions_to_consolidate", SessionIdRow, limit=limit)
        return [(row.group_id, row.id) for row in rows]

    async def take_session_to_consolidate(self, group: str, session_id: str) -> bool:
        """Ask for a session to be consolidated, from its beginning; False where somebody else did."""

        async def work(transaction: Transaction) -> bool:
            run, kind = self._in(transaction, group), WorkKind.CONSOLIDATE
            if not await run.many("take_session_to_consolidate", IdRow, id=session_id):
                return False
            await request_work(run, kind, [WorkRequest(id=work_id(kind, group, session_id), target=session_id)])
            return True

        return await self.database.write(work)

    async def episodes_to_read_again(
        self, group: str, reader: CloserReader, limit: int, *, session: str | None = None, entities: int | None = None
    ) -> list[ReadableEpisode]:
        """Episodes that somebody else read, and that this reader was not asked for, of a session or of all.

        With ``entities``, those that name no more of them.
        """
        given = {"group": group, "reader": reader.name, "version": reader.version, "limit": limit}
        return await self._leader.many(
            "episodes_to_read_again", ReadableEpisode, session=session, entities=entities, **given
        )

    async def read_again(self, group: str, ids: Iterable[str], reader: CloserReader) -> list[str]:
        """Ask a reader to read episodes again, each once; returns which it was asked for."""
        how = reprocessing_text(reader.how)
        row = await self._run.single(
            "read_again", IdsRow, group=group, ids=sorted(set(ids)), reader=reader.name, reprocessing=how
        )
        return list(row.ids)
