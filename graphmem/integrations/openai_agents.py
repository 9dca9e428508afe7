"""The session of OpenAI's Agents SDK: its items are turns of a session in graphmem, and so are remembered.

Taking items back leaves them out of the list, and not out of the memory: what was said was said.
"""

import json
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, cast

from graphmem.answers.episodes import EpisodeOut
from graphmem.client import AsyncGraphmemClient
from graphmem.client.calls import given
from graphmem.errors import NotFound
from graphmem.integrations.items import exact, sendable

try:
    from agents.items import TResponseInputItem
    from agents.memory.session_settings import SessionSettings, resolve_session_limit
except ImportError as error:
    raise ImportError(
        "The session of OpenAI's agents needs their SDK: pip install 'graphmem[openai-agents]'"
    ) from error

SOURCE = "openai-agents"
_AT_ONCE = 1_000
_MOST_METADATA = 60_000
"""Characters; an item that has more is the content of its turn."""
_ROLES = {"user": "user", "assistant": "assistant", "system": "system", "developer": "system"}
_MARK = "⌫"


class GraphmemSession:
    """A ``Session`` for ``Runner.run(…, session=…)``: one conversation of a ``user``, or of nobody in particular."""

    session_settings: SessionSettings | None

    def __init__(
        self,
        session_id: str,
        client: AsyncGraphmemClient,
        group: str,
        *,
        user: str | None = None,
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings or SessionSettings()
        self._client = client
        self._group = group
        self._user = user

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The last ``limit`` items in their order; None is as the settings say, and there all."""
        items = [item for _, item in await self._items()]
        most = resolve_session_limit(limit, self.session_settings)
        return items if most is None or most < 0 else items[len(items) - min(most, len(items)) :]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        turns = [self._turn(turn_of(cast("Mapping[str, Any]", item))) for item in items]
        for first in range(0, len(turns), _AT_ONCE):
            await self._client.post_episodes(self._group, turns[first : first + _AT_ONCE])

    async def pop_item(self) -> TResponseInputItem | None:
        """Take the last item back; None where there is none."""
        items = await self._items()
        if not items:
            return None
        await self._mark({"popped": items[-1][0]})
        return items[-1][1]

    async def clear_session(self) -> None:
        """Take all items back."""
        if items := await self._items():
            await self._mark({"cleared": items[-1][0]})

    async def _items(self) -> list[tuple[str, TResponseInputItem]]:
        marks = [mark.metadata async for mark in self._said(self._marks)]
        return left(marks, [turn async for turn in self._said(self.session_id)])

    async def _said(self, session: str) -> AsyncIterator[EpisodeOut]:
        try:
            async for episode in self._client.episodes(self._group, session=session, user=self._user):
                if episode.source == SOURCE and episode.user == self._user:
                    yield episode
        except NotFound:  # nothing was said in this group yet
            return

    async def _mark(self, what: Mapping[str, str]) -> None:
        mark = {"content": _MARK, "content_type": "event", "role": "tool", "metadata": what}
        await self._client.post_episodes(self._group, self._turn(mark) | {"session": self._marks})

    @property
    def _marks(self) -> str:
        """The session that says what was taken back: not in the one with the turns, which goes into contexts."""
        return f"{self.session_id} {_MARK}"

    def _turn(self, said: Mapping[str, Any]) -> dict[str, Any]:
        return {**said, "session": self.session_id, "source": SOURCE, **given(user=self._user)}


def turn_of(item: Mapping[str, Any]) -> dict[str, Any]:
    """What is posted of an item: the words of a message, of anything else its JSON."""
    text, words = exact(item), sendable(words_of(item.get("content")))
    role = _ROLES.get(str(item.get("role"))) if words.strip() else None
    small = len(json.dumps({"item": text})) < _MOST_METADATA
    return {
        "content": words if role and small else text,
        "content_type": "message" if role else "event",
        "role": role or "tool",
        "metadata": {"item": text} if role and small else {},
    }


def words_of(content: object) -> str:
    """The words of a message's content: a text, or parts of which some have one."""
    if isinstance(content, str):
        return content
    parts = cast("list[object]", content) if isinstance(content, list) else []
    texts = [cast("Mapping[str, object]", part).get("text") for part in parts if isinstance(part, Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str))


def left(marks: Iterable[Mapping[str, Any]], turns: Iterable[EpisodeOut]) -> list[tuple[str, TResponseInputItem]]:
    """The items that were not taken back, each with the id of its turn, in their order."""
    marked = list(marks)
    popped, cleared = ({mark[how] for mark in marked if how in mark} for how in ("popped", "cleared"))
    kept = list[tuple[str, TResponseInputItem]]()
    for turn in turns:
        if turn.id not in popped:
            kept.append((turn.id, json.loads(str(turn.metadata.get("item", turn.content)))))
        if turn.id in cleared:
            kept.clear()
    return kept
