"""The memory that a server hands out: one group of the service, as one user."""

from datetime import datetime
from typing import Any, TypedDict

from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel

from graphmem.client.asynchronous import AsyncGraphmemClient
from graphmem.mcp.budget import PagePosition, plain
from graphmem.mcp.connecting import ServiceClients
from graphmem.mcp.shown import Presenter
from graphmem.mcp.writing import json_text
from graphmem.settings.service import McpSettings


class AgentMemory:
    """What all tools have in common; ``settings`` fix what no tool takes."""

    def __init__(self, service: ServiceClients, settings: McpSettings) -> None:
        self._service = service
        self.settings = settings
        self.show = Presenter(settings.max_tokens)

    @property
    def client(self) -> AsyncGraphmemClient:
        return self._service.client()

    @property
    def group(self) -> str:
        return self.settings.group

    @property
    def user(self) -> str | None:
        return self.settings.user

    @property
    def budget(self) -> int:
        return self.settings.max_tokens

    async def aclose(self) -> None:
        await self._service.aclose()


def as_answer(shown: BaseModel, text: Any = None) -> CallToolResult:
    """An answer as structured content, and as text, for clients that read only that; by default they say the same."""
    data = plain(shown)
    content = text if isinstance(text, str) else json_text(data if text is None else text)
    return CallToolResult(content=[TextContent(type="text", text=content)], structured_content=data)


_CHANGED = "The list is not that of the first page any more: items may come again or be missing. Begin without cursor."


class Rest(TypedDict, total=False):
    """The fields of ``Paged``."""

    left_out: str | None
    next_cursor: str | None


def rest(
    page: PagePosition,
    count: int,
    total: int,
    *,
    valid_at: datetime | None = None,
    known_at: datetime | None = None,
    listed: str | None = None,
    beyond: str = "",
) -> Rest:
    """What to say of a list of which ``count`` items after ``page.start`` are shown, and the cursor of the others.

    Both instants are those of the list, so that the next page is of what was believed at the same ones. ``listed`` is
    its name, by which it is seen that the list changed all the same. ``beyond`` is said of what the service itself left
    out.
    """
    end = page.start + count
    changed = _CHANGED if page.listed not in (None, listed) else ""
    if end >= total:
        return {"left_out": f"{changed} {beyond}".strip() or None}
    shown = f"Items {page.start + 1} to {end} of {total}. Call again with cursor=next_cursor for the rest."
    left_out = " ".join(filter(None, (shown, changed, beyond)))
    return {"left_out": left_out, "next_cursor": page.cursor(end, valid_at, known_at, listed)}
