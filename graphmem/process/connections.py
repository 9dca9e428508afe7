"""How long a client may take to send a request: a connection that sends nothing, or a byte now and then, is closed.

For the headers there is one time limit. A body may pause for some seconds, and must come at a least rate once it takes
longer than a body may take at any rate: so a long one that makes progress is taken, and no half-sent one is kept.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Any, ClassVar

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from graphmem.errors import BodyTimedOut


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """``pause``: seconds between two pieces. ``seconds`` for the whole body, and 1 more for each ``rate`` bytes.

    Time in which the service is busy with what has come is not the client's.
    """

    pause: float
    seconds: float
    rate: int

    def left(self, received: int, waited: float) -> float:
        """Seconds that the next piece may take, where so many bytes were waited for in so many seconds."""
        return min(self.pause, self.seconds + received / self.rate - waited)


class TimedBody:
    """Receives the body of one request within its limits. After one that came too late the connection is closed."""

    def __init__(
        self, receive: Receive, send: Send, limits: BodyLimits, clock: Callable[[], float] = monotonic
    ) -> None:
        self._receive = receive
        self._send = send
        self._limits = limits
        self._clock = clock
        self._waited = 0.0
        self._received = 0
        self._complete = False
        self._late = False

    async def receive(self) -> Message:
        """The next message.

        Raises:
            BodyTimedOut: it has not come in time.
        """
        if self._complete:
            return await self._receive()
        message = await self._piece()
        self._received += len(message.get("body", b""))
        self._complete = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        if self._late and message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
        await self._send(message)

    async def _piece(self) -> Message:
        began = self._clock()
        try:
            async with asyncio.timeout(self._limits.left(self._received, self._waited)):
                return await self._receive()
        except TimeoutError:
            self._late = True
            waited = self._waited + self._clock() - began
            raise BodyTimedOut(
                f"Only {self._received} bytes of the body came in {waited:.0f} s. Nothing of it is stored. Send it "
                "again, in smaller parts where the connection is slow."
            ) from None
        finally:
            self._waited += self._clock() - began


class TimedBodies:
    """An application whose requests bring their bodies within limits."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Any], limits: BodyLimits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        timed = TimedBody(receive, send, self._limits)
        await self._app(scope, timed.receive, timed.send)


class TimedHeaders(H11Protocol):
    """HTTP/1.1 for uvicorn. Ends a connection on which no request comes in time, or no answer is read."""

    header_seconds: ClassVar[float] = 10.0
    unread_seconds: ClassVar[float] = 60.0
    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._forget_deadline()
        self._forget_unread()

    def pause_writing(self) -> None:
        """What is sent piles up, because the client reads none of it."""
        super().pause_writing()
        self._unread = self.loop.call_later(self.unread_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._forget_unread()

    def _watch(self) -> None:
        if self._answers():
            self._forget_deadline()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.header_seconds, self.transport.close)

    def _answers(self) -> bool:
        cycle: Any = self.cycle  # None before the first request, whatever its type says
        return cycle is not None and not cycle.response_complete

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _forget_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


def server_config(
    app: ASGIApp,
    *,
    header_seconds: float = TimedHeaders.header_seconds,
    unread_seconds: float = TimedHeaders.unread_seconds,
    trusted_proxies: Iterable[object] = (),
    **options: Any,
) -> uvicorn.Config:
    """Uvicorn as we run it: it waits for no client without end, and believes headers on who calls of nobody.

    But of ``trusted_proxies``, addresses or networks: from them it takes the address of the client (X-Forwarded-For)
    and the scheme (X-Forwarded-Proto). By itself it would believe whoever connects from this machine.
    """
    proxies = [str(proxy) for proxy in trusted_proxies]
    return uvicorn.Config(
        app,
        http=_http_protocol(header_seconds, unread_seconds),
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        access_log=False,
        server_header=False,
        **options,
    )


def _http_protocol(header_seconds: float, unread_seconds: float) -> type[TimedHeaders]:
    """``TimedHeaders`` of so many seconds: uvicorn takes a class, and itself waits for clients without end."""
    return type("TimedHeaders", (TimedHeaders,), {"header_seconds": header_seconds, "unread_seconds": unread_seconds})
