"""Sessions, their summaries, and reflections on weeks."""

import re
from collections.abc import AsyncIterator
from typing import Unpack

from graphmem.answers.episodes import SessionOut, SessionPage, SessionWindowOut
from graphmem.answers.summaries import CheckedSummary, ReflectionOut, ReflectionPage, RegeneratedSummary, SummaryPage
from graphmem.client.asynchronous.connection import ClientConnection
from graphmem.client.calls import TimeOptions, UserOption, given, path_in
from graphmem.client.problems import MOST_CANDIDATES, candidate_list
from graphmem.errors import Conflict, NotFound


class SessionCalls(ClientConnection):
    """Calls about conversations and what they come to."""

    async def sessions(
        self, group: str, *, name: str | None = None, **asked: Unpack[TimeOptions]
    ) -> AsyncIterator[SessionOut]:
        """Sessions in the order in which they were opened: a user's own and those of nobody, or all, page by page.

        ``name``: only those of this name, of which each user may have one.
        """
        async for page in self._pages(SessionPage, path_in(group, "sessions"), given(name=name, **asked)):
            for session in page.sessions:
                yield session

    async def session_id(self, group: str, session: str, **asked: Unpack[TimeOptions]) -> str:
        """The session that a name or an id means; of those of one name, the user's own before that of nobody.

        Raises:
            NotFound: none.
            Conflict: several users have one of this name; lists the first of them with their ids.
        """
        params = given(name=session, limit=MOST_CANDIDATES + 1, **asked)
        named = (await self._get(SessionPage, path_in(group, "sessions"), params)).sessions
        meant = [one for one in named if one.user is not None and one.user == asked.get("user")] or named
        if len(meant) > 1:
            listed = candidate_list({one.id: f"of {one.user}" if one.user else "of nobody" for one in meant})
            raise Conflict(f"Several users have a session {session!r}. Say as which user, or take an id: {listed}.")
        if not meant and not re.fullmatch("[0-9a-f]{32}", session):
            raise NotFound(f"Group {group!r} had no session {session!r} then. See which: graphmem session list.")
        return meant[0].id if meant else session

    async def session(
        self, group: str, session_id: str, *, window: int | None = None, **asked: Unpack[TimeOptions]
    ) -> SessionWindowOut:
        """A session with so many of its last turns."""
        return await self._get(SessionWindowOut, path_in(group, "sessions", session_id), given(window=window, **asked))

    async def close_session(self, group: str, session_id: str, **asked: Unpack[UserOption]) -> SessionOut:
        """Close a session; one that is closed stays as it is."""
        path = path_in(group, "sessions", session_id, "close")
        return await self._post(SessionOut, path, params=given(**asked), repeatable=True)

    async def summaries(
        self, group: str, *, session_id: str | None = None, **asked: Unpack[TimeOptions]
    ) -> AsyncIterator[CheckedSummary]:
        """Summaries of sessions, or of one, in the order of their last turns, page by page."""
        params = given(session_id=session_id, **asked)
        async for page in self._pages(SummaryPage, path_in(group, "summaries"), params):
            for summary in page.summaries:
                yield summary

    async def regenerate_summary(self, group: str, summary_id: str, **asked: Unpack[UserOption]) -> RegeneratedSummary:
        """Have a summary made again; without a user, the answer has the job that does."""
        path = path_in(group, "summaries", summary_id, "regenerate")
        return await self._post(RegeneratedSummary, path, params=given(**asked))

    async def reflections(self, group: str, **asked: Unpack[TimeOptions]) -> AsyncIterator[ReflectionOut]:
        """Reflections on weeks, in the order in which these ended, page by page."""
        async for page in self._pages(ReflectionPage, path_in(group, "reflections"), given(**asked)):
            for reflection in page.reflections:
                yield reflection
