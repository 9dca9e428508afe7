"""The memory that a server hands out: one group of the service, as one user."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Protocol, TypedDict

from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel

from graphmem.client.asynchronous import AsyncGraphmemClient
from graphmem.mcp.budget import PagePosition, fitting, json_text, name_of_list, plain
from graphmem.mcp.connecting import ServiceClients
from graphmem.mcp.shown import Paged, Presenter
from graphmem.settings.servers import McpSettings


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


class Instants(Protocol):
    """Of when an answer is; None where it does not depend on it."""

    @property
    def valid_at(self) -> datetime | None: ...
    @property
    def known_at(self) -> datetime | None: ...


def as_page(
    build: Callable[..., Paged], page: PagePosition, found: Instants, budget: int, *, beyond: str = "", **items: Any
) -> CallToolResult:
    """As much of a list as fits into a budget, from where the page begins; ``items`` is all of it, by its field.

    It is a list of what was ``found`` of two instants, of which ``beyond`` says what the service itself left out.
    """
    ((field, every),) = items.items()
    some, listed = every[page.start : page.start + _STEP], name_of_list(item.id for item in every)

    def part(count: int) -> Paged:
        return build(**{field: some[:count]}, **rest(page, count, len(every), found, listed, beyond))

    return as_answer(fitting(len(some), budget, part))


def as_answer(shown: BaseModel, text: Any = None) -> CallToolResult:
    """An answer as structured content, and as text, for clients that read only that; by default they say the same."""
    data = plain(shown)
    content = text if isinstance(text, str) else json_text(data if text is None else text)
    return CallToolResult(content=[TextContent(type="text", text=content)], structured_content=data)


_STEP = 200
"""Items in one answer, however large the budget."""
_CHANGED = "The list is not that of the first page any more: items may come again or be missing. Begin without cursor."


class Rest(TypedDict, total=False):
    """The fields of ``Paged``."""

    left_out: str | None
    next_cursor: str | None


def rest(page: PagePosition, count: int, total: int, found: Instants, listed: str, beyond: str) -> Rest:
    """What to say of a list of which ``count`` items after ``page.start`` are shown, and the cursor of the others.

    The next page is of what was believed at the same instants as what was ``found``. ``listed`` names the list, by
    which it is seen that it changed all the same. ``beyond`` is said of what the service itself left out.
    """
    end = page.start + count
    changed = _CHANGED if page.listed not in (None, listed) else ""
    if end >= total:
        return {"left_out": f"{changed} {beyond}".strip() or None}
    shown = f"Items {page.start + 1} to {end} of {total}. Call again with cursor=next_cursor for the rest."
    left_out = " ".join(filter(None, (shown, changed, beyond)))
    return {"left_out": left_out, "next_cursor": page.cursor(end, found.valid_at, found.known_at, listed)}
