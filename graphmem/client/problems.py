"""What goes wrong with a call, as the errors of ``graphmem.errors``."""

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from itertools import islice
from pathlib import Path

import httpx
from pydantic import BaseModel, ValidationError

from graphmem.errors import CallerError, GraphmemError, OurError, UnavailableError
from graphmem.process.hosts import is_loopback

MOST_CANDIDATES = 20
"""Entities that an error lists, where a name means several."""
_GATEWAY = (HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT)
"""A proxy answered, because the service behind it did not."""


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
        message += f" Candidates: {candidate_list((one.id, one.type) for one in problem.candidates)}."
    if issubclass(kind, OurError) and problem.request_id:
        message += f" The request id: {problem.request_id}."
    return kind(message)


def nothing_runs(data_dir: Path) -> ServiceUnavailable:
    """The error of who looks for the service of this machine where none runs."""
    return ServiceUnavailable(f"No service runs for {data_dir}. Start it with `graphmem up`, or name one elsewhere.")


def candidate_list(candidates: Iterable[tuple[str, str]]) -> str:
    """The first ``MOST_CANDIDATES`` entities, given as (id, type), and whether there are more."""
    listed = [f"{id_} ({type_})" for id_, type_ in islice(candidates, MOST_CANDIDATES + 1)]
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
    """Those of ``graphmem.errors`` only: others may be built otherwise."""
    for child in kind.__subclasses__():
        if child.__module__ == GraphmemError.__module__:
            yield child
            yield from _subclasses(child)
