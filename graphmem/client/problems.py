"""What goes wrong with a call, as the errors of ``graphmem.errors``."""

from collections.abc import Iterator
from http import HTTPStatus

import httpx

from graphmem.errors import CallerError, GraphmemError, OurError, UnavailableError


class ServiceUnavailable(UnavailableError):
    """The HTTP service does not answer."""

    slug = "service-unavailable"


class UnknownAnswer(OurError):
    """The service answered what this client does not know."""

    slug = "unknown-answer"


def error_of(failure: httpx.Response | httpx.TransportError) -> GraphmemError:
    """The error that a problem document (RFC 9457) speaks of, by its slug, else by its status.

    Without such a document it is ``ServiceUnavailable``.
    """
    if isinstance(failure, httpx.TransportError):
        why = type(failure).__name__
        return ServiceUnavailable(f"The service does not answer ({why}). Is `graphmem up` running?")
    if not failure.headers.get("content-type", "").startswith("application/problem+json"):
        return ServiceUnavailable(f"{failure.url} answered {failure.status_code}; is it graphmem?")
    document = failure.json()
    kind = _error_class(str(document["type"]).rpartition(":")[2], failure.status_code)
    return kind(str(document["detail"]))


def _error_class(slug: str, status: int) -> type[GraphmemError]:
    known = list(_subclasses(GraphmemError))
    by_slug = [kind for kind in known if kind.slug == slug]
    by_status = [kind for kind in known if kind.status == status]
    return next(iter([*by_slug, *by_status]), CallerError if status < HTTPStatus.INTERNAL_SERVER_ERROR else OurError)


def _subclasses(kind: type[GraphmemError]) -> Iterator[type[GraphmemError]]:
    """Those of ``graphmem.errors`` only: others may be built otherwise."""
    for child in kind.__subclasses__():
        if child.__module__ == GraphmemError.__module__:
            yield child
            yield from _subclasses(child)
