"""Search, and what goes into the next prompt."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Unpack

from graphmem.answers.search import ContextOut, HitKind, SearchOut
from graphmem.client.asynchronous.connection import ClientConnection
from graphmem.client.calls import BeliefOptions, given, path_in


class SearchCalls(ClientConnection):
    """Calls that answer questions in words."""

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
        ``roles``, ``speakers``, ``sources``, ``tags``, ``since``, ``until``, ``least_confidence`` and ``least_score``.
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
        weekly_insight: bool | None = None,
        limits: Mapping[str, float | None] | None = None,
        agent: str | None = None,
        **asked: Unpack[BeliefOptions],
    ) -> ContextOut:
        """What goes into the next prompt, for a query, a session, or both: ``markdown``, and the same in ``parts``.

        ``limits`` are any of ``facts``, ``least_importance``, ``beliefs``, ``passages``, ``least_score``, ``window``
        and ``earlier``; the others are as the settings say, for this ``agent``.
        """
        body = given(
            query=query,
            session=session,
            about=about,
            max_tokens=max_tokens,
            exclude_window=exclude_window,
            weekly_insight=weekly_insight,
            agent=agent,
            **asked,
        )
        body = {**given(**(limits or {})), **body}
        return await self._post(ContextOut, path_in(group, "context"), body, repeatable=True)
