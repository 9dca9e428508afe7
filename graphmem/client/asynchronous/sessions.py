"""Sessions, their summaries, and reflections on weeks."""

from collections.abc import AsyncIterator
from typing import Unpack

from graphmem.answers.reflections import ReflectionOut, ReflectionPage
from graphmem.answers.sessions import SessionOut, SessionPage, SessionWindowOut
from graphmem.answers.summaries import CheckedSummary, RegeneratedSummary, SummaryPage
from graphmem.client.asynchronous.connection import Connection
from graphmem.client.calls import TimeOptions, UserOption, given, path_in


class Sessions(Connection):
    """Calls about conversations and what they come to."""

    async def sessions(self, group: str, **asked: Unpack[TimeOptions]) -> AsyncIterator[SessionOut]:
        """Sessions in the order in which they were opened: a user's own and those of nobody, or all, page by page."""
        async for page in self._pages(SessionPage, path_in(group, "sessions"), given(**asked)):
            for session in page.sessions:
                yield session

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
