"""What goes wrong with a call, as the errors of ``graphmem.errors``, and when it is sent again."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from typing import Protocol

import httpx
from pydantic import BaseModel, ValidationError

from graphmem.clock import utc_now
from graphmem.errors import CallerError, GraphmemError, OurError, UnavailableError
from graphmem.process.hosts import is_loopback

MOST_CANDIDATES = 20
"""Entities that an error lists, where a name means several."""
_GATEWAY = (HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT)
"""A proxy answered, because the service behind it did not."""
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout)
_CUT_OFF = (httpx.NetworkError, httpx.RemoteProtocolError)
_REFUSED = frozenset({HTTPStatus.TOO_MANY_REQUESTS})
_FAILED = frozenset({HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT})


class ServiceUnavailable(UnavailableError):
    """The HTTP service does not answer."""

    slug = "service-unavailable"


class UnknownAnswer(OurError):
    """The service answered what this client does not know."""

    slug = "unknown-answer"


class _NameCandidate(BaseModel):
    """One of several entities that a name may mean."""

    id: str
    type: str
    name: str
    qualifier: str


class _Problem(BaseModel):
    """What is read of a problem document. All of it may be absent."""

    type: str = "about:blank"
    title: str | None = None
    detail: str | None = None
    candidates: list[_NameCandidate] = []
    request_id: str | None = None


def error_of(failure: httpx.Response | httpx.TransportError) -> GraphmemError:
    """The error that a problem document (RFC 9457) speaks of, by its slug, else by its status.

    Without such a document, or with one that cannot be read, it is ``ServiceUnavailable``.
    """
    if isinstance(failure, httpx.TransportError):
        return _no_answer(failure.request.url, type(failure).__name__)
    unknown = ServiceUnavailable(f"{failure.url} answered {failure.status_code}; is it graphmem?")
    if not failure.headers.get("content-type", "").startswith("application/problem+json"):
        return unknown
    try:
        problem = _Problem.model_validate_json(failure.content)
    except ValidationError:
        return unknown
    kind = _error_class(problem.type.rpartition(":")[2], failure.status_code)
    message = problem.detail or problem.title or f"The service answered {failure.status_code}."
    if problem.candidates:
        message += f" Candidates: {candidate_list({entity.id: who_it_is(entity) for entity in problem.candidates})}."
    if issubclass(kind, OurError) and problem.request_id:
        message += f" The request id: {problem.request_id}."
    return kind(message)


def nothing_runs(data_dir: Path) -> ServiceUnavailable:
    """The error of who looks for the service of this machine where none runs."""
    return ServiceUnavailable(f"No service runs for {data_dir}. Start it with `graphmem up`, or name one elsewhere.")


class NameBearer(Protocol):
    """One of those that a name may mean, as answers show it."""

    @property
    def type(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def qualifier(self) -> str: ...


def who_it_is(entity: NameBearer) -> str:
    """What tells apart an entity from others that a name may mean: its own name, its type, and the id of a source."""
    return ", ".join(filter(None, (entity.name, entity.type, entity.qualifier)))


def candidate_list(candidates: Mapping[str, str]) -> str:
    """The first ``MOST_CANDIDATES`` of what a name may mean, by id what each is, and whether there are more."""
    listed = [f"{id_} ({what})" for id_, what in islice(candidates.items(), MOST_CANDIDATES + 1)]
    more = " and more" if len(listed) > MOST_CANDIDATES else ""
    return ", ".join(listed[:MOST_CANDIDATES]) + more


def _no_answer(url: httpx.URL, why: str) -> ServiceUnavailable:
    hint = " Is `graphmem up` running?" if is_loopback(url.host) else ""
    return ServiceUnavailable(f"The service at {url.scheme}://{url.netloc.decode()} does not answer ({why}).{hint}")


def _error_class(slug: str, status: int) -> type[GraphmemError]:
    known = list(_subclasses(GraphmemError))
    by_slug = [kind for kind in known if kind.slug == slug]
    by_status = [ServiceUnavailable] if status in _GATEWAY else [kind for kind in known if kind.status == status]
    return next(iter([*by_slug, *by_status]), CallerError if status < HTTPStatus.INTERNAL_SERVER_ERROR else OurError)


def _subclasses(kind: type[GraphmemError]) -> Iterator[type[GraphmemError]]:
    """The subclasses of an error that ``graphmem.errors`` has: others may be built otherwise."""
    for child in kind.__subclasses__():
        if child.__module__ == GraphmemError.__module__:
            yield child
            yield from _subclasses(child)


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
