"""The memory that a server hands out: one group of the running service, as one user."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Protocol, TypedDict

import httpx
from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel

from graphmem.client.asynchronous import AsyncGraphmemClient
from graphmem.client.calls import ServiceAddress, TimeOptions, address_here
from graphmem.client.problems import nothing_runs
from graphmem.mcp.budget import PagePosition, fitting, json_text, name_of_list, plain
from graphmem.mcp.shown import Paged, Presenter, QuotesAsOf, time_text
from graphmem.settings import Settings
from graphmem.settings.servers import McpSettings

_STEP = 200
"""Items in one answer, however large the budget."""
_CHANGED = "The list is not that of the first page any more: items may come again or be missing. Begin without cursor."
_HEARD: ContextVar[list[str] | None] = ContextVar("heard", default=None)


def address_of(settings: Settings, key: str | None = None) -> ServiceAddress:
    """The address in the settings, or that of the service which ``graphmem up`` runs on this machine.

    It is called with ``key``; without one, with the token of this machine's service, or the key in the settings.

    Raises:
        ServiceUnavailable: there is neither.
    """
    configured = settings.api.key.get_secret_value() if settings.api.key else None
    if settings.mcp.url is not None:
        return ServiceAddress(settings.mcp.url, key or configured)
    here = address_here(settings.data_dir)
    if here is None:
        raise nothing_runs(settings.data_dir)
    return ServiceAddress(here.url, key or here.token or configured)


@contextmanager
def hearing() -> Generator[list[str]]:
    """Collect what answers warn of while a tool is called."""
    warnings = list[str]()
    token = _HEARD.set(warnings)
    try:
        yield warnings
    finally:
        _HEARD.reset(token)


def _hear(warnings: Sequence[str]) -> None:
    heard = _HEARD.get()
    if heard is not None:
        heard += [warning for warning in warnings if warning not in heard]


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who calls a tool: the key that came with the call, and the only user of that key."""

    token: str = field(repr=False)
    user: str | None


def _nobody() -> Bearer | None:
    return None


class AgentMemory:
    """What all tools have in common; ``settings`` fix what no tool takes.

    ``find`` says where the service is, which may start, stop or move to another port while a session lasts. It is
    called with the key of the ``bearer`` of a call; without one, with what ``find`` says. ``transport`` is as in
    ``AsyncGraphmemClient``.
    """

    def __init__(
        self,
        find: Callable[[], ServiceAddress],
        settings: McpSettings,
        *,
        bearer: Callable[[], Bearer | None] = _nobody,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._find = find
        self._bearer = bearer
        self._transport = transport
        self._clients: dict[ServiceAddress, AsyncGraphmemClient] = {}
        self.settings = settings
        self.group = settings.group
        self.budget = settings.max_tokens
        self.show = Presenter(self.budget)

    @property
    def user(self) -> str | None:
        """Whose memory it is: the user of the settings, or the one of the key that calls."""
        bearer = self._bearer()
        return self.settings.user or (bearer and bearer.user)

    @property
    def client(self) -> AsyncGraphmemClient:
        """A client of the service where it is now.

        Raises:
            ServiceUnavailable: none runs.
        """
        address = self._find()
        if address not in self._clients:
            self._clients[address] = AsyncGraphmemClient(
                address.url, partial(self._token, address.token), transport=self._transport, hear=_hear
            )
        return self._clients[address]

    def _token(self, otherwise: str | None) -> str | None:
        bearer = self._bearer()
        return bearer.token if bearer else otherwise

    def as_of(
        self, page: PagePosition, valid_at: datetime | None = None, known_at: datetime | None = None
    ) -> TimeOptions:
        """The options of a call as this user, at the instants of the first page; there, at those that are asked for."""
        return {"valid_at": page.valid_at or valid_at, "known_at": page.known_at or known_at, "user": self.user}

    async def aclose(self) -> None:
        """Close all clients."""
        while self._clients:
            _, client = self._clients.popitem()
            await client.aclose()


class Instants(Protocol):
    """Of when an answer is; None where it does not depend on it."""

    @property
    def valid_at(self) -> datetime | None: ...
    @property
    def known_at(self) -> datetime | None: ...


class AnswerAsOf(Instants, Protocol):
    """An answer of the service; ``taken_for`` are fuller names by the short ones that were taken for them."""

    @property
    def taken_for(self) -> Mapping[str, str]: ...


def as_page(
    whole: Paged,
    field: str,
    page: PagePosition,
    at: AnswerAsOf,
    budget: int,
    *,
    beyond: str = "",
    taken_for: Mapping[str, str] | None = None,
) -> CallToolResult:
    """An answer with as much of the list in its ``field`` as fits into a budget, from where the page begins.

    The list is of what was believed ``at`` two instants; ``beyond`` says what the service itself left out of it, and
    ``taken_for`` which names were taken for fuller ones, where not the answer itself does.
    """
    items = getattr(whole, field)
    of_whole = {
        "valid_at": time_text(at.valid_at),
        "known_at": time_text(at.known_at),
        "taken_for": taken_for or at.taken_for or None,
    }
    shown = whole.model_copy(update=of_whole) if isinstance(whole, QuotesAsOf) else whole
    part, listed = items[page.start : page.start + _STEP], name_of_list(item.id for item in items)

    def build(count: int) -> Paged:
        more = rest(page, count, len(items), at, listed, beyond)
        return shown.model_copy(update={field: part[:count], **more})

    return as_answer(fitting(len(part), budget, build))


def as_answer(shown: BaseModel, text: Any = None) -> CallToolResult:
    """An answer as structured content, and as text, for clients that read only that; by default they say the same."""
    data = plain(shown)
    content = text if isinstance(text, str) else json_text(data if text is None else text)
    return CallToolResult(content=[TextContent(type="text", text=content)], structured_content=data)


class Rest(TypedDict, total=False):
    """The fields of ``Paged``."""

    left_out: str | None
    next_cursor: str | None


def rest(page: PagePosition, count: int, total: int, at: Instants, listed: str, beyond: str) -> Rest:
    """What to say of a list of which ``count`` items after ``page.start`` are shown, and the cursor of the others.

    The next page is of what was believed ``at`` the same instants. ``listed`` names the list, by which it is seen that
    it changed all the same. ``beyond`` is said of what the service itself left out.
    """
    end = page.start + count
    changed = _CHANGED if page.listed not in (None, listed) else ""
    if end >= total:
        return {"left_out": f"{changed} {beyond}".strip() or None}
    shown = f"Items {page.start + 1} to {end} of {total}. Call again with cursor=next_cursor for the rest."
    left_out = " ".join(filter(None, (shown, changed, beyond)))
    return {"left_out": left_out, "next_cursor": page.cursor(end, at.valid_at, at.known_at, listed)}
