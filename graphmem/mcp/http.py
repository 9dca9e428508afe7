"""Streamable HTTP: for who brings a key of the service, as whom the tools then call it, and for no web page."""

import socket
import sys
from collections.abc import Callable

import uvicorn
from mcp.server import MCPServer
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware, get_access_token
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend, RequireAuthMiddleware
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.routes import build_resource_metadata_url
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl
from starlette.authentication import AuthenticationError
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from graphmem.client.asynchronous import AsyncGraphmemClient
from graphmem.client.calls import ServiceAddress
from graphmem.client.problems import Retries
from graphmem.errors import ConfigurationError, GraphmemError, Unauthenticated, UnavailableError
from graphmem.mcp.memory import Bearer
from graphmem.model.principal import Right
from graphmem.process.connections import BodyLimits, TimedBodies, server_config
from graphmem.process.hosts import is_loopback
from graphmem.settings.servers import McpSettings

PATH = "/mcp"
_SCHEMES = ("http", "https")
_ONCE = Retries(most=0)
_BODIES = BodyLimits(pause=10.0, seconds=30.0, rate=16_384)
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def app_of(server: MCPServer[None], settings: McpSettings, find: Callable[[], ServiceAddress], url: str) -> ASGIApp:
    """The server as an ASGI application behind a gate, which clients reach at a URL.

    Lets requests through that bring a key of the service, or its token, as a bearer. Host and Origin are checked behind
    it, against web pages that have their own name point to this machine (DNS rebinding).

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
    tools = server.streamable_http_app(streamable_http_path=PATH, transport_security=security, host=settings.host)
    resource = AnyHttpUrl(url)
    described_at = build_resource_metadata_url(resource)
    gated = AuthenticationMiddleware(
        AuthContextMiddleware(RequireAuthMiddleware(tools, [], described_at)),
        backend=BearerAuthBackend(KeyVerifier(find)),
        on_error=lambda _, error: PlainTextResponse(str(error), 503),
    )
    return _Described(tools, gated, described_at.path or PATH, resource)


class KeyVerifier:
    """A ``TokenVerifier`` that asks the service each time: keys are revoked, and a service may be made anew."""

    def __init__(self, find: Callable[[], ServiceAddress]) -> None:
        self._find = find

    async def verify_token(self, token: str) -> AccessToken | None:
        """What a key may; None where it opens nothing.

        Raises:
            AuthenticationError: the service does not say.
        """
        try:
            async with AsyncGraphmemClient(self._find().url, token.strip(), retries=_ONCE) as client:
                key = await client.own_key()
        except Unauthenticated:
            return None
        except GraphmemError as error:
            advice = " Type `graphmem up`." if isinstance(error, UnavailableError) else ""
            raise AuthenticationError(f"{error}{advice}") from error
        users = key.users or ()
        return AccessToken(
            token=token.strip(),
            client_id=key.key or "service",
            scopes=list(key.rights),
            expires_at=None if key.expires_at is None else int(key.expires_at.timestamp()),
            subject=users[0] if len(users) == 1 else None,
        )


def bearer() -> Bearer | None:
    """Who calls the tool that runs now."""
    token = get_access_token()
    return token and Bearer(token.token, token.subject)


class _Described:
    """Says without a key what a key is needed for: OAuth 2.0 Protected Resource Metadata (RFC 9728).

    It names no authorization server: whoever administers the service hands keys out. That the server starts and ends
    is no request, and goes past the gate.
    """

    def __init__(self, tools: ASGIApp, gated: ASGIApp, path: str, resource: AnyHttpUrl) -> None:
        self._tools = tools
        self._gated = gated
        self._path = path
        self._metadata = JSONResponse(
            {
                "resource": str(resource),
                "resource_name": "graphmem",
                "bearer_methods_supported": ["header"],
                "scopes_supported": sorted(Right),
            }
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._tools(scope, receive, send)
        elif scope["path"] == self._path and scope["method"] == "GET":
            await self._metadata(scope, receive, send)
        else:
            await self._gated(scope, receive, send)


async def serve(server: MCPServer[None], settings: McpSettings, find: Callable[[], ServiceAddress]) -> None:
    """Answer until the process is told to end. On standard error, where."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.create_server((settings.host, settings.port), family=family) as listening:
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        url = f"http://{host}:{listening.getsockname()[1]}{PATH}"
        app = TimedBodies(app_of(server, settings, find, settings.public_url or url), _BODIES)
        config = server_config(app, log_level="warning")
        sys.stderr.write(f"{url}\n")
        sys.stderr.flush()
        await uvicorn.Server(config).serve(sockets=[listening])
