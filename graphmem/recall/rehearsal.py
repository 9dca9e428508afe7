"""The first reads after a start, before anybody waits for them.

Neo4j plans a statement when it comes for the first time. The larger ones of searches and contexts take it seconds each,
and some twenty all in all: https://neo4j.com/docs/cypher-manual/current/planning-and-tuning/execution-plans/
"""

from graphmem.clock import Clock
from graphmem.model.composed import ContextQuery
from graphmem.model.episode import StoredEpisode
from graphmem.model.interval import BEGIN, LATEST
from graphmem.model.scope import EVERYBODY, Scope
from graphmem.recall.context import Contexts
from graphmem.recall.reader import GraphQuery, Reader
from graphmem.recall.search import Searcher
from graphmem.store.graph import GraphStore

_GROUPS = 20
"""Groups looked at for one in which something was said."""
_ASKED = 400
"""The most characters of an episode used as the query."""
_NEUTRAL = "What has happened of late?"


class Rehearsal:
    """Asks what people will ask, of one group, and throws the answers away. No use of a belief is recorded.

    The query has the group's own words only where the model is in this process (``embeds_here``): no server is sent
    what nobody asked for.
    """

    def __init__(
        self,
        store: GraphStore,
        reader: Reader,
        searcher: Searcher,
        contexts: Contexts,
        clock: Clock,
        *,
        embeds_here: bool,
    ) -> None:
        self._store, self._reader, self._searcher, self._contexts = store, reader, searcher, contexts
        self._clock = clock
        self._embeds_here = embeds_here

    async def run(self) -> None:
        """Search, compose a context, read a graph and what was kept of an episode, as a user and as everybody.

        Raises:
            GraphmemError: something that was asked for cannot be read.
        """
        stored = await self._episode()
        if stored is not None:
            for user in dict.fromkeys([None, stored.episode.user or EVERYBODY]):
                await self._ask(Scope(stored.episode.group_id, self._clock(), user=user), stored)

    async def _episode(self) -> StoredEpisode | None:
        """The first episode of a group that has any."""
        for group in await self._store.groups("", _GROUPS):
            page = await self._store.episodes(Scope(group.id, LATEST), status=None, after=(BEGIN, ""), limit=1)
            if page.episodes:
                return page.episodes[0]
        return None

    async def _ask(self, scope: Scope, stored: StoredEpisode) -> None:
        entities = await self._store.entities(scope, entity_type=None, after="", limit=1)
        own = " ".join([*(entity.name for entity in entities), stored.episode.content[:_ASKED]])
        text = own if self._embeds_here else _NEUTRAL
        await self._searcher.search(scope, text)
        await self._contexts.context(scope, ContextQuery(query=text, session=stored.episode.session))
        await self._store.kept_claims(scope, [stored.id], 1)
        for entity in entities:
            await self._reader.graph(scope, GraphQuery(entity_id=entity.id, limit=100))
            await self._reader.entity(scope, entity.id)
