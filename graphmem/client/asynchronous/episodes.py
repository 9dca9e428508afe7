"""Episodes, handed in, looked at, digested anew; their sessions, summaries of these, and reflections on weeks."""

import asyncio
import re
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Literal, Unpack

from graphmem.answers.episodes import (
    AcceptedEpisodes,
    EpisodeOut,
    EpisodePage,
    ExtractOut,
    OneEpisode,
    PutEpisode,
    RetriedEpisode,
    SessionOut,
    SessionPage,
    SessionWindowOut,
)
from graphmem.answers.files import FileOut
from graphmem.answers.summaries import CheckedSummary, ReflectionOut, ReflectionPage, RegeneratedSummary, SummaryPage
from graphmem.client.asynchronous.connection import ClientConnection
from graphmem.client.calls import TimeOptions, UserOption, When, given, is_named, key_for, path_in, pieces_of, read
from graphmem.client.problems import MOST_CANDIDATES, candidate_list
from graphmem.errors import Conflict, InvalidInput, NotFound

_PAUSE = 0.1


def _pairs(columns: Mapping[str, str]) -> str:
    if wrong := [name for pair in columns.items() for name in pair if "," in name]:
        raise InvalidInput(f"Column {wrong[0]!r} has a comma, and columns are told apart by it. Rename it in the file.")
    return ",".join(f"{field}={column}" for field, column in columns.items())


async def _sent(file: Path) -> AsyncIterator[bytes]:
    for piece in pieces_of(file):
        yield piece


class EpisodeCalls(ClientConnection):
    """Calls about what was said or happened, about conversations and what they come to."""

    async def post_episodes(
        self,
        group: str,
        episodes: Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        wait: float = 0,
        idempotency_key: str | None = None,
    ) -> AcceptedEpisodes:
        """Hand in one episode or a list; with ``wait``, for so many seconds until they are digested.

        Among those of its user an episode is named by its ``external_id``, else by its content and ``occurred_at``: the
        same again is the same episode. For episodes with neither the client makes a key of this one call, so that it
        can be sent again when a connection breaks.

        Of a list what is barred is ``refused`` in the answer, and the rest is stored.

        Raises:
            Forgotten: this episode was forgotten.
            OptedOut: its user opted out.
        """
        items = [episodes] if isinstance(episodes, Mapping) else episodes
        key = idempotency_key or key_for(items)
        answer = await self._send(
            "POST",
            path_in(group, "episodes"),
            body=episodes,
            params={"wait": wait or None},
            headers={"Idempotency-Key": key} if key else {},
            repeatable=key is not None or all(map(is_named, items)),
            wait=wait,
        )
        return read(answer, AcceptedEpisodes)

    async def put_episode(
        self, group: str, external_id: str, episode: Mapping[str, Any], *, idempotency_key: str | None = None
    ) -> PutEpisode:
        """Hand in the text that an ``external_id`` has now; what was claimed from another one before is withdrawn.

        A text that it had before changes nothing, for it may come late; with an ``idempotency_key`` of its own it is
        put back.

        Raises:
            Forgotten: this episode was forgotten.
            OptedOut: its user opted out.
        """
        answer = await self._send(
            "PUT",
            path_in(group, "episodes", "by-external-id", external_id),
            body=episode,
            headers={"Idempotency-Key": idempotency_key} if idempotency_key else {},
            repeatable=True,
        )
        return read(answer, PutEpisode)

    async def post_file(
        self,
        group: str,
        file: Path,
        *,
        name: str | None = None,
        as_: str | None = None,
        time_zone: str | None = None,
        date_order: Literal["dmy", "mdy", "ymd"] | None = None,
        since: When = None,
        at: When = None,
        columns: Mapping[str, str] | None = None,
        user: str | None = None,
        agent: str | None = None,
        dry_run: bool = False,
    ) -> FileOut:
        """Hand in a file as people have it, or a ZIP of them. Sent again it adds nothing.

        ``as_`` is which speaker is the user, or the user's name; ``user`` is whose memory it is. ``at`` is when it was
        said where the file has no times, ``since`` leaves out what was before. ``columns`` are those of a table, by
        what they are. ``dry_run`` stores nothing, and shows the first turns.

        Raises:
            InvalidInput: it is of no format that is known, or lacks what the options can say; or a column has a comma.
            TooLarge: it, or what is in the ZIP, has more bytes than the service takes.
            UnsupportedMediaType: the service lacks a library for it.
        """
        options = {
            "as": as_,
            "time_zone": time_zone,
            "date_order": date_order,
            "since": since,
            "at": at,
            "columns": None if columns is None else _pairs(columns),
            "user": user,
            "agent": agent,
            "dry_run": dry_run or None,
        }
        return await self._post_content(
            FileOut,
            path_in(group, "files"),
            _sent(file),
            headers={"Content-Type": "application/octet-stream"},
            name=file.name if name is None else name,
            **options,
        )

    async def wait(
        self,
        group: str,
        episode_ids: Iterable[str],
        *,
        seconds: float = 60.0,
        refined: bool = False,
        **asked: Unpack[UserOption],
    ) -> list[EpisodeOut]:
        """The episodes once none of them is pending any more, or after ``seconds`` as they are then.

        ``refined``: once no other digest is on its way either.
        """
        deadline, undone = monotonic() + seconds, {"pending", "refining"} if refined else {"pending"}
        return [await self._digested(group, episode_id, deadline, undone, **asked) for episode_id in episode_ids]

    async def episode(self, group: str, episode_id: str, **asked: Unpack[UserOption]) -> OneEpisode:
        return await self._get(OneEpisode, path_in(group, "episodes", episode_id), **asked)

    def episodes(
        self,
        group: str,
        *,
        session: str | None = None,
        status: Literal["pending", "refining", "digested", "failed", "redacted", "replaced"] | None = None,
        **asked: Unpack[TimeOptions],
    ) -> AsyncIterator[EpisodeOut]:
        """Every episode in order of time, page by page."""
        path = path_in(group, "episodes")
        return self._items(EpisodePage, lambda page: page.episodes, path, session=session, status=status, **asked)

    async def retry(self, group: str, episode_id: str, **asked: Unpack[UserOption]) -> RetriedEpisode:
        """Digest a failed episode again."""
        return await self._post(RetriedEpisode, path_in(group, "episodes", episode_id, "retry"), **asked)

    async def reprocess(
        self,
        group: str,
        episode_id: str,
        *,
        strategy: str | None = None,
        model: str | None = None,
        prompt: str | None = None,
        **asked: Unpack[UserOption],
    ) -> RetriedEpisode:
        """Digest an episode anew; what is not given is as the settings say."""
        body, path = given(strategy=strategy, model=model, prompt=prompt), path_in(group, "episodes", episode_id)
        return await self._post(RetriedEpisode, f"{path}/reprocess", body, **asked)

    async def extract(
        self,
        group: str,
        content: str,
        *,
        speaker: str | None = None,
        occurred_at: When = None,
        strategy: str | None = None,
    ) -> ExtractOut:
        """What would be read of a text, and why not more. Nothing is stored."""
        body = given(content=content, speaker=speaker, occurred_at=occurred_at, strategy=strategy)
        return await self._post(ExtractOut, path_in(group, "extract"), body)

    async def _digested(
        self, group: str, episode_id: str, deadline: float, undone: Collection[str], **asked: Unpack[UserOption]
    ) -> EpisodeOut:
        while True:
            episode = await self.episode(group, episode_id, **asked)
            if episode.status not in undone or monotonic() > deadline:
                return episode
            await asyncio.sleep(_PAUSE)

    def sessions(
        self, group: str, *, name: str | None = None, **asked: Unpack[TimeOptions]
    ) -> AsyncIterator[SessionOut]:
        """Sessions in the order in which they were opened: a user's own and those of nobody, or all, page by page.

        ``name``: only those of this name, of which each user may have one.
        """
        return self._items(SessionPage, lambda page: page.sessions, path_in(group, "sessions"), name=name, **asked)

    async def session_id(self, group: str, session: str, **asked: Unpack[TimeOptions]) -> str:
        """The session that a name or an id means; of those of one name, the user's own before that of nobody.

        Raises:
            NotFound: none.
            Conflict: several users have one of this name; lists the first of them with their ids.
        """
        path = path_in(group, "sessions")
        page = await self._get(SessionPage, path, name=session, limit=MOST_CANDIDATES + 1, **asked)
        own = [named for named in page.sessions if named.user is not None and named.user == asked.get("user")]
        meant = own or page.sessions
        if len(meant) > 1:
            listed = candidate_list({named.id: f"of {named.user}" if named.user else "of nobody" for named in meant})
            raise Conflict(f"Several users have a session {session!r}. Say as which user, or take an id: {listed}.")
        if not meant and not re.fullmatch("[0-9a-f]{32}", session):
            raise NotFound(f"Group {group!r} had no session {session!r} then. See which: graphmem session list.")
        return meant[0].id if meant else session

    async def session(
        self, group: str, session_id: str, *, window: int | None = None, **asked: Unpack[TimeOptions]
    ) -> SessionWindowOut:
        """A session with so many of its last turns."""
        return await self._get(SessionWindowOut, path_in(group, "sessions", session_id), window=window, **asked)

    async def close_session(self, group: str, session_id: str, **asked: Unpack[UserOption]) -> SessionOut:
        """Close a session; one that is closed stays as it is."""
        path = path_in(group, "sessions", session_id, "close")
        return await self._post(SessionOut, path, repeatable=True, **asked)

    def summaries(
        self, group: str, *, session_id: str | None = None, **asked: Unpack[TimeOptions]
    ) -> AsyncIterator[CheckedSummary]:
        """Summaries of sessions, or of one, in the order of their last turns, page by page."""
        path = path_in(group, "summaries")
        return self._items(SummaryPage, lambda page: page.summaries, path, session_id=session_id, **asked)

    async def regenerate_summary(self, group: str, summary_id: str, **asked: Unpack[UserOption]) -> RegeneratedSummary:
        """Have a summary made again; without a user, the answer has the job that does."""
        path = path_in(group, "summaries", summary_id, "regenerate")
        return await self._post(RegeneratedSummary, path, **asked)

    def reflections(self, group: str, **asked: Unpack[TimeOptions]) -> AsyncIterator[ReflectionOut]:
        """Reflections on weeks, in the order in which these ended, page by page."""
        return self._items(ReflectionPage, lambda page: page.reflections, path_in(group, "reflections"), **asked)
