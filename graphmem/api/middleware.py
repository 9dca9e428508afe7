"""Around every request: an id for it, the gate, one line in the log, two metrics, and the last resort for errors.

Around these, for what Neo4j Browser reads, who may read it from another origin.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from time import perf_counter
from urllib.parse import urlsplit
from uuid import uuid4

import structlog
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graphmem.api.auth import GUIDE_PATHS, HEALTH_PATHS, Gate, has_body
from graphmem.api.errors import error_response, group_of, unexpected_response
from graphmem.errors import Archived, GraphmemError, Unauthenticated
from graphmem.model.damage import Noted, noted
from graphmem.model.limits import Allowance
from graphmem.model.naming import noted_names
from graphmem.model.principal import NOBODY, Principal
from graphmem.process.connections import BodyLimits, TimedBodies
from graphmem.process.metrics import RequestMetrics
from graphmem.trust.keys import Keys
from graphmem.trust.limits import CallerLimits
from graphmem.trust.naming import GroupNames

_MOST_HEADERS = 20
_SANE_ID = re.compile(r"[\w.:-]{1,128}", re.ASCII)
_IN_PATH = re.compile(r"/v1/groups/(?P<group>[A-Za-z0-9._-]{1,128})(?:/episodes/(?P<episode>[0-9a-f]{32}))?(?:/|$)")

_OF_GROUP = re.compile(r"/(?:v1/groups|browser(?=/[^/]*/))/(?P<group>[A-Za-z0-9._-]{1,128})(?=/|$)")
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_TAKEN_OF_ARCHIVED = re.compile(
    r"/(?:search|context|extract|forget(?:/.*)?|tombstones/lift|users/[^/]+/opt_out|name|archived)"
)
"""Calls that read with a body, and what is never refused: to forget, and to say that a group is archived no more."""

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class RequestMiddleware:
    """The outermost of ours, so that whatever happens has an id, a line in the log, and a problem document."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        gate: Gate,
        keys: Callable[[], Keys],
        names: Callable[[], GroupNames],
        limits: Callable[[], CallerLimits],
        metrics: RequestMetrics,
        bodies: BodyLimits,
    ) -> None:
        self._app = TimedBodies(app, bodies)
        self._gate = gate
        self._keys = keys
        self._names = names
        self._limits = limits
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, path = Headers(scope=scope), str(scope["path"])
        given = headers.get("x-request-id", "")
        request_id = given if _SANE_ID.fullmatch(given) else uuid4().hex
        scope["graphmem.request_id"] = request_id
        began = perf_counter()
        logged = structlog.contextvars.bound_contextvars(request_id=request_id, **_ids_in(path))
        with logged, noted_names(), noted() as damage:
            answer = _NotedAnswer(send, request_id, damage)
            try:
                await self._answer(scope, receive, answer, headers, path)
            finally:
                self._record(scope, answer.status, perf_counter() - began)

    async def _answer(
        self, scope: Scope, receive: Receive, answer: "_NotedAnswer", headers: Headers, path: str
    ) -> None:
        request_id = str(scope["graphmem.request_id"])
        try:
            answer.allowance = await self._admit(scope, headers, path)
            await self._find_group(scope)
            with self._limits().at_once(scope["graphmem.principal"]):
                await self._app(scope, self._checked_again(scope, receive, headers, path), answer)
        except ClientDisconnect:
            log.info("request.abandoned")
        except GraphmemError as error:
            await _send(error_response(error, request_id, path, group_of(scope)), scope, receive, answer)
        except Exception as error:  # noqa: BLE001 - the boundary: nothing but a problem document leaves
            await _send(unexpected_response(error, request_id, path), scope, receive, answer)

    async def _admit(self, scope: Scope, headers: Headers, path: str) -> Allowance | None:
        """Note who calls, and count the request. One with no key, or a wrong one, is counted of its address.

        Raises:
            RateLimited: it is one too many.
        """
        limits, address = self._limits(), _address_of(scope)
        try:
            principal = await self._check(scope, headers, path)
        except Unauthenticated:
            await limits.ask(NOBODY, None, address)
            raise
        scope["graphmem.principal"] = principal
        scope["graphmem.check_again"] = partial(self._check, scope, headers, path)
        return None if path in HEALTH_PATHS else await limits.ask(principal, _ids_in(path).get("group"), address)

    async def _find_group(self, scope: Scope) -> None:
        """From here on a path names its group by the id that it has inside.

        Raises:
            NotFound: the group has another name now.
            Archived: it is only read, and this writes.
        """
        path: str = scope["path"]
        principal: Principal = scope["graphmem.principal"]
        if (match := _OF_GROUP.match(path)) is None:
            return
        group = await self._names().called(principal, match["group"])
        if group is None:
            return
        scope["graphmem.group"] = group
        if group.id != group.name:
            scope["graphmem.path"] = path
            scope["path"] = f"{path[: match.start('group')]}{group.id}{path[match.end('group') :]}"
            scope["graphmem.principal"] = replace(principal, called=(group.id, group.name))
        if group.archived_at is not None and _writes(scope["method"], path[match.end("group") :]):
            raise Archived(
                f"Group {group.name!r} is archived: it is only read, and forgets. graphmem admin unarchive "
                f"{group.name} (PUT /v1/groups/{group.name}/archived) opens it again."
            )

    async def _check(self, scope: Scope, headers: Headers, path: str) -> Principal:
        query = scope["query_string"].decode("latin-1")
        return await self._gate.check(scope["method"], path, headers, query, self._keys)

    def _checked_again(self, scope: Scope, receive: Receive, headers: Headers, path: str) -> Receive:
        """Receives a body, and then looks at the key once more: it may have been revoked while the body came in."""

        async def received() -> Message:
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body", False):
                await self._check(scope, headers, path)
            return message

        return received if has_body(headers) else receive

    def _record(self, scope: Scope, status: int, seconds: float) -> None:
        route = str(getattr(scope.get("route"), "path", "(none)"))
        self._metrics.observe(scope["method"], route, status, seconds)
        principal: Principal | None = scope.get("graphmem.principal")
        by = {"key": principal.key} if principal is not None and principal.key else {}
        log.info(
            "request",
            method=scope["method"],
            route=route,
            status=status,
            milliseconds=round(1000 * seconds, 1),
            address=_address_of(scope),
            **by,
        )


class BrowserOrigin:
    """Lets the pages of Neo4j Browser, and of no other origin, read the guide and the style.

    Browser asks before it fetches a guide (OPTIONS), because of the headers that it sends. Which these are is its own
    affair: to ``pragma`` and ``cache-control`` Sentry adds ``sentry-trace``, and a newer one ``baggage``. All are
    allowed, since none gives a page more than the key in the URL does: it may only GET, and only what is here.
    """

    def __init__(self, app: ASGIApp, *, origin: str | None) -> None:
        self._app = app
        self._shared = CORSMiddleware(
            app, allow_origins=origins_of(origin), allow_methods=("GET",), allow_headers=("*",)
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        shared = scope["type"] == "http" and str(scope["path"]).startswith(GUIDE_PATHS)
        await (self._shared if shared else self._app)(scope, receive, send)


def origins_of(origin: str | None) -> tuple[str, ...]:
    """An origin by both names of this machine, if it is one of these."""
    if origin is None:
        return ()
    known = urlsplit(origin.rstrip("/"))
    twins = {"127.0.0.1": "localhost", "localhost": "127.0.0.1"}
    own = f"{known.scheme}://{known.netloc}"
    if known.hostname not in twins:
        return (own,)
    port = "" if known.port is None else f":{known.port}"
    return own, f"{known.scheme}://{twins[known.hostname]}{port}"


_SAFE = {
    b"cache-control": b"no-store",
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
    b"referrer-policy": b"no-referrer",
    b"x-content-type-options": b"nosniff",
}
"""Headers of every answer that says nothing else: nobody keeps it, frames it, or takes it for another type (OWASP REST
Security Cheat Sheet, https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html)."""


class _NotedAnswer:
    """Sends on, adds the request's id, what could not be read and what may still be asked, and remembers the status.

    JSON says in its own ``warnings`` what could not be read; a table or a graph of another format has only headers.
    """

    def __init__(self, send: Send, request_id: str, damage: Noted) -> None:
        self._send = send
        self._id = request_id.encode("ascii")
        self._damage = damage
        self.status = 0
        self.allowance: Allowance | None = None

    def _warnings(self, headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        kind = dict(headers).get(b"content-type", b"")
        sentences = [] if b"json" in kind else self._damage.sentences()[:_MOST_HEADERS]
        return [(b"graphmem-warning", sentence.encode("ascii", "backslashreplace")) for sentence in sentences]

    def _left(self) -> list[tuple[bytes, bytes]]:
        """What may still be asked (draft-ietf-httpapi-ratelimit-headers-06)."""
        if self.allowance is None:
            return []
        left = self.allowance
        numbers = {"limit": left.most, "remaining": left.left, "reset": left.seconds}
        return [(f"ratelimit-{name}".encode(), str(number).encode()) for name, number in numbers.items()]

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = list(message.get("headers", ()))
            said = {name.lower() for name, _ in headers}
            safe = [(name, value) for name, value in _SAFE.items() if name not in said]
            more = [(b"x-request-id", self._id), *safe, *self._left(), *self._warnings(headers)]
            message = {**message, "headers": [*headers, *more]}
        await self._send(message)


async def _send(response: Response, scope: Scope, receive: Receive, answer: _NotedAnswer) -> None:
    """Unless an answer is under way already."""
    if answer.status == 0:
        await response(scope, receive, answer)


def _address_of(scope: Scope) -> str:
    """The address of the client, or the one that a trusted proxy names."""
    client: tuple[str, int] | None = scope.get("client")
    return client[0] if client else ""


def _writes(method: str, call: str) -> bool:
    """Whether a call on a group, by what follows its name in the path, is one that an archived group takes no more."""
    return method not in _READS and _TAKEN_OF_ARCHIVED.fullmatch(call) is None


def _ids_in(path: str) -> dict[str, str]:
    ids = _IN_PATH.match(path)
    return {} if ids is None else {name: value for name, value in ids.groupdict().items() if value}
