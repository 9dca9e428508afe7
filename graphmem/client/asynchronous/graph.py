"""What is believed, its history and its grounds; search, and what goes into the next prompt."""

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import date
from typing import Any, Literal, Unpack

from graphmem.answers.beliefs import (
    Axis,
    BeliefOut,
    BeliefPage,
    DiffOut,
    EntityOut,
    GraphOut,
    HistoryOut,
    OneBelief,
    StateOut,
)
from graphmem.answers.claims import GroundsOut
from graphmem.answers.entities import EntityBeliefs, EntityPage, EntityProfile
from graphmem.answers.search import ContextOut, HitKind, SearchOut
from graphmem.client.asynchronous.connection import ClientConnection
from graphmem.client.calls import BeliefOptions, GraphOptions, MeantEntity, TimeOptions, given, path_in
from graphmem.client.problems import MOST_CANDIDATES, candidate_list, who_it_is
from graphmem.errors import Conflict, NotFound
from graphmem.model.naming import nobody_called


class GraphCalls(ClientConnection):
    """Calls about the graph, and those that answer questions in words."""

    def entities(
        self,
        group: str,
        *,
        type: str | None = None,  # noqa: A002 - the name in the URL
        name: str | None = None,
        **asked: Unpack[TimeOptions],
    ) -> AsyncIterator[EntityOut]:
        """Every entity in order of id, page by page; of one type, or of one name, however written."""
        path = path_in(group, "entities")
        return self._items(EntityPage, lambda page: page.entities, path, type=type, name=name, **asked)

    async def entity(self, group: str, entity_id: str, **asked: Unpack[BeliefOptions]) -> EntityBeliefs:
        """An entity, all that it is the same as, and what is believed about it."""
        return await self._get(EntityBeliefs, path_in(group, "entities", entity_id), **asked)

    async def profile(self, group: str, entity_id: str, **asked: Unpack[BeliefOptions]) -> EntityProfile:
        """An entity at a glance: names, mentions, facts, relationships, and what was believed of it over time."""
        return await self._get(EntityProfile, path_in(group, "entities", entity_id, "profile"), **asked)

    async def entity_id(self, group: str, entity: str, **asked: Unpack[TimeOptions]) -> str:
        """The id of the entity that an id or a name means, as ``meant`` says."""
        return (await self.meant(group, entity, **asked)).id

    async def meant(self, group: str, entity: str, **asked: Unpack[TimeOptions]) -> MeantEntity:
        """The entity that an id or a name means: a short name the only person whose name it is short for.

        Entities that were merged count as one.

        Raises:
            NotFound: none bears the name; tells names that are spelt much like it.
            Conflict: several do; lists the first of them with their ids.
        """
        if re.fullmatch("[0-9a-f]{32}", entity):
            return MeantEntity(entity)
        path = path_in(group, "entities")
        page = await self._get(EntityPage, path, name=entity, limit=MOST_CANDIDATES + 1, **asked)
        if not page.entities:
            raise NotFound(nobody_called(group, entity, page.near))
        wholes = {named.part_of or named.id: who_it_is(named) for named in page.entities}
        if len(wholes) > 1:
            raise Conflict(f"This name may mean several. Take one of these ids: {candidate_list(wholes)}.")
        return MeantEntity(page.entities[0].id, page.taken_for)

    def history(
        self, group: str, entity_id: str, *, predicate: Sequence[str] = (), **asked: Unpack[BeliefOptions]
    ) -> AsyncIterator[BeliefOut]:
        """Every version of an entity's beliefs, superseded ones too, page by page."""
        path = path_in(group, "entities", entity_id, "history")
        return self._items(HistoryOut, lambda page: page.versions, path, predicate=list(predicate), **asked)

    async def graph(self, group: str, **asked: Unpack[GraphOptions]) -> GraphOut:
        """The believed subgraph: all of it, or ``depth`` steps around an entity, named by id or by name."""
        return await self._get(GraphOut, path_in(group, "graph"), **asked)

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
        between = {"axis": axis, "from": since, "to": to}
        params = given(**between, entity=entity, predicate=list(predicate), limit=limit, **asked)
        return await self._get(DiffOut, path_in(group, "diff"), **params)

    async def answer(self, group: str, entity: str, predicate: str, **asked: Unpack[BeliefOptions]) -> StateOut:
        """What holds of an entity, by id or name, by a predicate: ``unknown`` says why where nothing does."""
        return await self._get(StateOut, path_in(group, "answer"), entity=entity, predicate=predicate, **asked)

    def beliefs(
        self, group: str, *, predicate: Sequence[str] = (), **asked: Unpack[BeliefOptions]
    ) -> AsyncIterator[BeliefOut]:
        """All that is believed, in order of id, page by page."""
        path = path_in(group, "beliefs")
        return self._items(BeliefPage, lambda page: page.beliefs, path, predicate=list(predicate), **asked)

    async def belief(self, group: str, belief_id: str, **asked: Unpack[TimeOptions]) -> BeliefOut:
        """One belief, as last recorded by ``known_at``; with the id of a version, that one."""
        return (await self._get(OneBelief, path_in(group, "beliefs", belief_id), **asked)).belief

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
        path = path_in(group, "beliefs", belief_id, "evidence")
        return await self._get(GroundsOut, path, cursor=cursor, limit=limit, **asked)

    def all_evidence(self, group: str, belief_id: str, **asked: Unpack[TimeOptions]) -> AsyncIterator[GroundsOut]:
        """Every claim behind a belief or a version of one, page by page, each with the episodes of its claims."""
        return self._pages(GroundsOut, path_in(group, "beliefs", belief_id, "evidence"), **asked)

    async def search(
        self,
        group: str,
        query: str,
        *,
        limit: int = 10,
        kinds: Sequence[HitKind] | None = None,
        filters: Mapping[str, Any] | None = None,
        include_history: bool = False,
        fusion: Literal["weighted", "rrf"] | None = None,
        preferences: Mapping[str, float | None] | None = None,
        explain: bool = False,
        why_not: Sequence[str] = (),
        **asked: Unpack[BeliefOptions],
    ) -> SearchOut:
        """What was believed and said about a question in words.

        ``filters`` are any of ``session``, ``exclude_session``, ``entity``, ``types``, ``predicates``, ``categories``,
        ``roles``, ``speakers``, ``sources``, ``tags``, ``since``, ``until``, ``least_confidence``, ``least_score`` and
        ``least_relevance``.
        ``preferences`` are any of ``diversity``, ``recency`` with ``half_life_days``, and ``confidence``. ``why_not``
        are ids of beliefs and episodes: the answer says where each was lost.
        """
        body = given(
            query=query,
            limit=limit,
            kinds=kinds,
            include_history=include_history,
            fusion=fusion,
            explain=explain,
            why_not=list(why_not) or None,
            **asked,
        )
        body = {**given(**(filters or {})), **given(**(preferences or {})), **body}
        return await self._post(SearchOut, path_in(group, "search"), body, repeatable=True)

    async def context(
        self,
        group: str,
        query: str | None = None,
        *,
        session: str | None = None,
        about: str | None = None,
        max_tokens: int | None = None,
        exclude_window: bool = False,
        exclude_session: str | None = None,
        weekly_insight: bool | None = None,
        limits: Mapping[str, float | None] | None = None,
        agent: str | None = None,
        **asked: Unpack[BeliefOptions],
    ) -> ContextOut:
        """What goes into the next prompt, for a query, a session, or both: ``markdown``, and the same in ``parts``.

        The profile of ``about``, a name or an id, comes right after the user's. ``exclude_session`` leaves out a
        session's turns and summaries, and what only it says. ``limits`` are any of
        ``facts``, ``least_importance``, ``facts_share``, ``beliefs``, ``passages``, ``least_score``, ``summaries``,
        ``near_summaries``, ``least_summary_score``, ``window`` and ``earlier``; the others are as the settings say, for
        this ``agent``.
        """
        body = given(
            query=query,
            session=session,
            about=about,
            max_tokens=max_tokens,
            exclude_window=exclude_window,
            exclude_session=exclude_session,
            weekly_insight=weekly_insight,
            agent=agent,
            **asked,
        )
        body = {**given(**(limits or {})), **body}
        return await self._post(ContextOut, path_in(group, "context"), body, repeatable=True)
