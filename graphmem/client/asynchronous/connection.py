"""One service, over HTTP: sends calls, sends them again where that is safe, and turns pages."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
from pydantic_core import to_jsonable_python

from graphmem.client.calls import A, Hear, P, bearing, given, read, warnings_of
from graphmem.client.problems import Retries, error_of

Item = TypeVar("Item")
_RETRIES = Retries()
_INSTANTS = ("valid_at", "known_at")


class ClientConnection:
    """What every call goes through.

    ``token`` is a key of the service, or says at each call which one. ``timeout`` is how many seconds a call may hear
    nothing. ``transport`` sends what is not to go over the network: ``httpx.MockTransport`` asks a function. ``hear``
    is told what answers warn of.
    """

    def __init__(
        self,
        base_url: str,
        token: str | Callable[[], str | None] | None = None,
        *,
        timeout: float = 60.0,
        retries: Retries = _RETRIES,
        transport: httpx.AsyncBaseTransport | None = None,
        hear: Hear | None = None,
    ) -> None:
        self._timeout = timeout
        self._retries = retries
        self._hear = hear
        self._http = httpx.AsyncClient(
            base_url=base_url, auth=bearing(token), timeout=timeout, trust_env=False, transport=transport
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._http.aclose()

    async def _get(self, kind: type[A], path: str, /, **params: Any) -> A:
        return read(await self._send("GET", path, params=params, repeatable=True), kind)

    async def _pages(self, kind: type[P], path: str, /, **params: Any) -> AsyncIterator[P]:
        """The pages of a list; the further ones as of the instants that the first one names."""
        params = {"limit": 500, **params}
        while True:
            page = await self._get(kind, path, **params)
            yield page
            if page.next_cursor is None:
                return
            params["cursor"] = page.next_cursor
            params |= {name: instant for name in _INSTANTS if (instant := getattr(page, name, None)) is not None}

    async def _items(
        self, kind: type[P], items: Callable[[P], Iterable[Item]], path: str, /, **params: Any
    ) -> AsyncIterator[Item]:
        """What all pages of a list have: of each page its ``items``."""
        async for page in self._pages(kind, path, **params):
            for item in items(page):
                yield item

    async def _post(
        self,
        kind: type[A],
        path: str,
        body: object = None,
        /,
        *,
        repeatable: bool = False,
        headers: Mapping[str, str] | None = None,
        **params: Any,
    ) -> A:
        answer = await self._send("POST", path, body=body, params=params, headers=headers, repeatable=repeatable)
        return read(answer, kind)

    async def _post_content(
        self,
        kind: type[A],
        path: str,
        content: AsyncIterator[bytes] | bytes,
        /,
        *,
        headers: Mapping[str, str],
        **params: Any,
    ) -> A:
        """Send a file once, and wait for the answer however long it takes."""
        patient = httpx.Timeout(self._timeout, read=None)
        try:
            answer = await self._http.post(
                path, content=content, params=given(**params), headers=headers, timeout=patient
            )
        except httpx.TransportError as error:
            raise error_of(error) from error
        if answer.is_error:
            raise error_of(answer)
        return read(answer, kind)

    async def _put(self, kind: type[A], path: str, body: object = None) -> A:
        return read(await self._send("PUT", path, body=body, repeatable=True), kind)

    async def _delete(
        self,
        kind: type[A],
        path: str,
        /,
        *,
        repeatable: bool = False,
        headers: Mapping[str, str] | None = None,
        **params: Any,
    ) -> A:
        return read(await self._send("DELETE", path, params=params, headers=headers, repeatable=repeatable), kind)

    async def _send(
        self,
        method: str,
        path: str,
        *,
        repeatable: bool,
        body: object = None,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        wait: float = 0,
    ) -> httpx.Response:
        """The answer to a call, which may take ``wait`` seconds longer than others.

        What is ``repeatable`` has the same effect however often it comes.
        """
        request = self._http.build_request(
            method,
            path,
            json=to_jsonable_python(body),
            params=given(**params or {}),
            headers=headers,
            timeout=self._timeout + wait,
        )
        failures = 0
        while True:
            try:
                outcome = await self._http.send(request)
            except httpx.TransportError as error:
                outcome = error
            if isinstance(outcome, httpx.Response) and not outcome.is_error:
                if self._hear and (warnings := warnings_of(outcome)):
                    self._hear(warnings)
                return outcome
            failures += 1
            pause = self._retries.pause_after(outcome, failures, repeatable=repeatable)
            if pause is None:
                raise error_of(outcome) from (outcome if isinstance(outcome, Exception) else None)
            await asyncio.sleep(pause)
