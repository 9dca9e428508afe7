"""Episodes: handed in, looked at, digested anew; and what would be read of a text."""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from time import monotonic
from typing import Any, Literal, Unpack

from pydantic_core import to_jsonable_python

from graphmem.answers.episodes import AcceptedEpisodes, EpisodeOut, EpisodePage, ExtractOut, RetriedEpisode
from graphmem.client.asynchronous.connection import ClientConnection
from graphmem.client.calls import TimeOptions, UserOption, When, given, is_named, key_for, path_in, read

_PAUSE = 0.1


class EpisodeCalls(ClientConnection):
    """Calls about what was said or happened."""

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
        """
        items = [episodes] if isinstance(episodes, Mapping) else episodes
        key = idempotency_key or key_for(items)
        answer = await self._send(
            "POST",
            path_in(group, "episodes"),
            body=to_jsonable_python(episodes),
            params=given(wait=wait or None),
            headers={"Idempotency-Key": key} if key else {},
            repeatable=key is not None or all(map(is_named, items)),
            wait=wait,
        )
        return read(answer, AcceptedEpisodes)

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

    async def episode(self, group: str, episode_id: str, **asked: Unpack[UserOption]) -> EpisodeOut:
        return await self._get(EpisodeOut, path_in(group, "episodes", episode_id), given(**asked))

    async def episodes(
        self,
        group: str,
        *,
        session: str | None = None,
        status: Literal["pending", "refining", "digested", "failed"] | None = None,
        **asked: Unpack[TimeOptions],
    ) -> AsyncIterator[EpisodeOut]:
        """Every episode in order of time, page by page."""
        params = given(session=session, status=status, **asked)
        async for page in self._pages(EpisodePage, path_in(group, "episodes"), params):
            for episode in page.episodes:
                yield episode

    async def retry(self, group: str, episode_id: str, **asked: Unpack[UserOption]) -> RetriedEpisode:
        """Digest a failed episode again."""
        return await self._post(RetriedEpisode, path_in(group, "episodes", episode_id, "retry"), params=given(**asked))

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
        return await self._post(RetriedEpisode, f"{path}/reprocess", body, params=given(**asked))

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
