"""What is known and believed: entities, beliefs, their history, what changed, and what they rest on."""

import re
from collections.abc import AsyncIterator, Sequence
from datetime import date
from typing import Unpack

from graphmem.answers.beliefs import Axis, BeliefOut, DiffOut, EntityOut, GraphOut, HistoryOut
from graphmem.answers.claims import GroundsOut
from graphmem.answers.entities import EntityBeliefs, EntityPage, EntityProfile
from graphmem.client.asynchronous.connection import ClientConnection
from graphmem.client.calls import BeliefOptions, TimeOptions, given, path_in
from graphmem.client.problems import MOST_CANDIDATES, candidate_list
from graphmem.errors import Conflict, NotFound


class GraphCalls(ClientConnection):
    """Calls about the graph."""

    async def entities(
        self,
        group: str,
        *,
        type: str | None = None,  # noqa: A002 - the name in the URL
        name: str | None = None,
        **asked: Unpack[TimeOptions],
    ) -> AsyncIterator[EntityOut]:
        """Every entity in order of id, page by page; of one type, or of one name, however written."""
        params = given(type=type, name=name, **asked)
        async for page in self._pages(EntityPage, path_in(group, "entities"), params):
            for entity in page.entities:
                yield entity

    async def entity(self, group: str, entity_id: str, **asked: Unpack[BeliefOptions]) -> EntityBeliefs:
        """An entity, all that it is the same as, and what is believed about it."""
        return await self._get(EntityBeliefs, path_in(group, "entities", entity_id), given(**asked))

    async def profile(self, group: str, entity_id: str, **asked: Unpack[BeliefOptions]) -> EntityProfile:
        """An entity at a glance: names, mentions, facts, relationships, and what was believed of it over time."""
        return await self._get(EntityProfile, path_in(group, "entities", entity_id, "profile"), given(**asked))

    async def entity_id(self, group: str, entity: str, **asked: Unpack[TimeOptions]) -> str:
        """The entity that an id or a name means. Entities that were merged count as one.

        Raises:
            NotFound: none.
            Conflict: several; lists the first of them with their ids.
        """
        if re.fullmatch("[0-9a-f]{32}", entity):
            return entity
        params = given(name=entity, limit=MOST_CANDIDATES + 1, **asked)
        page = await self._get(EntityPage, path_in(group, "entities"), params)
        if not page.entities:
            raise NotFound(f"Group {group!r} knew no entity of the name {entity!r} at that time.")
        wholes = {one.part_of or one.id: one.type for one in page.entities}
        if len(wholes) > 1:
            listed = candidate_list(wholes)
            raise Conflict(f"Several entities have this name. Take one of these ids: {listed}.")
        return page.entities[0].id

    async def history(
        self, group: str, entity_id: str, *, predicate: Sequence[str] = (), **asked: Unpack[BeliefOptions]
    ) -> AsyncIterator[BeliefOut]:
        """Every version of an entity's beliefs, superseded ones too, page by page."""
        path, params = path_in(group, "entities", entity_id, "history"), given(predicate=list(predicate), **asked)
        async for page in self._pages(HistoryOut, path, params):
            for version in page.versions:
                yield version

    async def graph(
        self,
        group: str,
        *,
        entity: str | None = None,
        depth: int | None = None,
        predicate: Sequence[str] = (),
        type: Sequence[str] = (),  # noqa: A002 - the name in the URL
        limit: int | None = None,
        **asked: Unpack[BeliefOptions],
    ) -> GraphOut:
        """The believed subgraph: all of it, or ``depth`` steps around an entity, named by id or by name."""
        params = given(entity=entity, depth=depth, predicate=list(predicate), type=list(type), limit=limit, **asked)
        return await self._get(GraphOut, path_in(group, "graph"), params)

    async def diff(
        self,
        group: str,
        axis: Axis,
        since: date | str,
        to: date | str,
        *,
        entity: str | None = None,
        predicate: Sequence[str] = (),
        limit: int | None = None,
        **asked: Unpack[BeliefOptions],
    ) -> DiffOut:
        """What began, ended and changed from ``since`` to ``to``; takes the instant of the other axis."""
        between = given(**{"axis": axis, "from": since, "to": to})
        params = given(entity=entity, predicate=list(predicate), limit=limit, **asked)
        return await self._get(DiffOut, path_in(group, "diff"), {**between, **params})

    async def evidence(
        self,
        group: str,
        belief_id: str,
        *,
        cursor: str | None = None,
        limit: int = 500,
        **asked: Unpack[TimeOptions],
    ) -> GroundsOut:
        """The claims behind a belief or a version of one, and their episodes: at most ``limit`` (up to 500) claims.

        ``cursor`` is the ``next_cursor`` of an answer, and asks for the claims that follow.
        """
        params = given(cursor=cursor, limit=limit, **asked)
        return await self._get(GroundsOut, path_in(group, "beliefs", belief_id, "evidence"), params)

    async def all_evidence(self, group: str, belief_id: str, **asked: Unpack[TimeOptions]) -> AsyncIterator[GroundsOut]:
        """Every claim behind a belief or a version of one, page by page, each with the episodes of its claims."""
        async for page in self._pages(GroundsOut, path_in(group, "beliefs", belief_id, "evidence"), given(**asked)):
            yield page
