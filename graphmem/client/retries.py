"""When a call that failed in passing is sent again."""

import random
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import httpx

from graphmem.clock import utc_now

_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout)
_CUT_OFF = (httpx.NetworkError, httpx.RemoteProtocolError)
_REFUSED = frozenset({HTTPStatus.TOO_MANY_REQUESTS})
_FAILED = frozenset({HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """How often a call is sent again, and after how many seconds.

    The first pause is ``pause`` seconds, each further one twice as long, at most ``longest``; of that, a random part
    between a half and all. ``Retry-After`` makes a pause longer; where it asks for more than ``longest``, the call is
    not sent again. ``most=0`` sends every call once.
    """

    most: int = 3
    pause: float = 0.25
    longest: float = 10.0

    def pause_after(
        self, failure: httpx.Response | httpx.TransportError, failures: int, *, repeatable: bool
    ) -> float | None:
        """Seconds to wait after a failure, which is the ``failures``-th of the call; None where it stands.

        What is not ``repeatable`` is sent again only where the service has done nothing with it.
        """
        if failures > self.most or not _passes(failure, repeatable=repeatable):
            return None
        asked = pause_asked(failure, utc_now()) if isinstance(failure, httpx.Response) else 0.0
        if asked > self.longest:
            return None
        pause = min(self.pause * 2 ** (failures - 1), self.longest)
        return max(asked, pause * random.uniform(0.5, 1))  # noqa: S311 - spreads clients in time; no secret


def _passes(failure: httpx.Response | httpx.TransportError, *, repeatable: bool) -> bool:
    if isinstance(failure, httpx.Response):
        return failure.status_code in _REFUSED or (repeatable and failure.status_code in _FAILED)
    return isinstance(failure, _NOT_SENT) or (repeatable and isinstance(failure, _CUT_OFF))


def pause_asked(answer: httpx.Response, now: datetime) -> float:
    """Seconds to wait as ``Retry-After`` asks, a number or a date; 0 where it says nothing that can be read."""
    header = answer.headers.get("retry-after", "").strip()
    if header.isascii() and header.isdecimal():
        return float(header)
    try:
        return max(0.0, (parsedate_to_datetime(header) - now).total_seconds())
    except (TypeError, ValueError):
        return 0.0
