"""The running service: where it is, and its token."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

import httpx
from pydantic import SecretStr

from graphmem.client.asynchronous import AsyncGraphmemClient
from graphmem.client.problems import nothing_runs
from graphmem.client.running import ServiceAddress, address_here
from graphmem.settings import Settings


def address_of(settings: Settings, key: str | None = None) -> ServiceAddress:
    """The address in the settings, or that of the service which ``graphmem up`` runs on this machine.

    It is called with ``key``; without one, with the token of this machine's service, or the key in the settings.

    Raises:
        ServiceUnavailable: there is neither.
    """
    configured = _revealed(settings.api.key)
    if settings.mcp.url is not None:
        return ServiceAddress(settings.mcp.url, key or configured)
    here = address_here(settings.data_dir)
    if here is None:
        raise nothing_runs(settings.data_dir)
    return ServiceAddress(here.url, key or here.token or configured)


def _revealed(secret: SecretStr | None) -> str | None:
    return secret.get_secret_value() if secret else None


_HEARD: ContextVar[list[str] | None] = ContextVar("heard", default=None)


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
        heard += [one for one in warnings if one not in heard]


class ServiceClients:
    """Clients of the service, which may start, stop or move to another port while a session lasts.

    ``transport`` is as in ``AsyncGraphmemClient``.
    """

    def __init__(
        self, find: Callable[[], ServiceAddress], *, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self._find = find
        self._transport = transport
        self._clients: dict[ServiceAddress, AsyncGraphmemClient] = {}

    def client(self) -> AsyncGraphmemClient:
        """A client of the service as it is now.

        Raises:
            ServiceUnavailable: none runs.
        """
        address = self._find()
        if address not in self._clients:
            self._clients[address] = AsyncGraphmemClient(
                address.url, address.token, transport=self._transport, hear=_hear
            )
        return self._clients[address]

    async def aclose(self) -> None:
        """Close all clients."""
        while self._clients:
            _, client = self._clients.popitem()
            await client.aclose()
