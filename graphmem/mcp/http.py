"""Streamable HTTP: only for who has the token, and for no web page."""

import secrets
import sys
from collections.abc import Callable

import uvicorn
from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Scope, Send

from graphmem.client.running import ServiceAddress
from graphmem.errors import ConfigurationError, GraphmemError
from graphmem.process.connections import BodyLimits, TimedBodies, http_protocol
from graphmem.process.hosts import is_loopback
from graphmem.settings.servers import McpSettings

PATH = "/mcp"
_SCHEMES = ("http", "https")
_HEADER_SECONDS = 10.0
_BODIES = BodyLimits(pause=10.0, seconds=30.0, rate=16_384)
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def app_of(server: MCPServer[None], settings: McpSettings, find: Callable[[], ServiceAddress]) -> "BearerGate":
    """The server as an ASGI application behind the gate.

    Raises:
        ConfigurationError: it is to listen to other machines, and nothing says by which names they call it.
    """
    if not is_loopback(settings.host) and not settings.hosts:
        raise ConfigurationError(
            f"mcp.host is {settings.host}, which other machines reach: set mcp.hosts to the names they call it by."
        )
    names = [*_LOOPBACK, *settings.hosts]
    security = TransportSecuritySettings(
        allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
        allowed_origins=[f"{scheme}://{name}{port}" for scheme in _SCHEMES for name in names for port in ("", ":*")],
    )
    app = server.streamable_http_app(streamable_http_path=PATH, transport_security=security, host=settings.host)
    return BearerGate(app, find)


class BearerGate:
    """Lets requests through that bring the token of the service as a bearer.

    The token is looked up anew each time: the service may have been made again. What the SDK behind it checks are Host
    and Origin, against web pages that have their own name point to this machine (DNS rebinding).
    """

    def __init__(self, app: ASGIApp, find: Callable[[], ServiceAddress]) -> None:
        self._app = app
        self._find = find

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            await _refuse(send, *refusal)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        try:
            token = self._find().token
        except GraphmemError as error:
            return 503, f"{error} Type `graphmem up`."
        if not token:
            return 503, "The service has no token: set GRAPHMEM_API_KEY."
        given = dict(scope["headers"]).get(b"authorization", b"")
        kind, _, credentials = given.partition(b" ")
        if kind.lower() != b"bearer" or not secrets.compare_digest(credentials.strip(), token.encode()):
            return 401, "Send the token of the service: Authorization: Bearer …"
        return None


async def serve(server: MCPServer[None], settings: McpSettings, find: Callable[[], ServiceAddress]) -> None:
    """Answer until the process is told to end. On standard error, where."""
    config = uvicorn.Config(
        TimedBodies(app_of(server, settings, find), _BODIES),
        http=http_protocol(_HEADER_SECONDS),
        host=settings.host,
        port=settings.port,
        log_level="warning",
        access_log=False,
    )
    socket = config.bind_socket()
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    sys.stderr.write(f"http://{host}:{socket.getsockname()[1]}{PATH}\n")
    sys.stderr.flush()
    await uvicorn.Server(config).serve(sockets=[socket])


async def _refuse(send: Send, status: int, text: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    if status == 401:  # noqa: PLR2004 - unauthorized
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})
