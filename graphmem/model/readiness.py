"""Whether a service can do its work: part by part, and as a whole."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class PartStatus(StrEnum):
    """From good to bad. ``loading`` ends by itself; ``unavailable`` keeps the service from answering at all."""

    READY = "ready"
    LOADING = "loading"
    DEGRADED = "degraded"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class ServicePart:
    """One thing that a service needs. ``reason`` says what is wrong and what to do; None where it is ready."""

    status: PartStatus = PartStatus.READY
    reason: str | None = None


ESSENTIAL = frozenset({"store", "schema"})
"""Parts without which no request can be answered. Without any other part some things wait or are left out."""


def working(reason: str | None) -> ServicePart:
    """A part that does its work, perhaps not all of it, for a reason."""
    return ServicePart() if reason is None else ServicePart(PartStatus.DEGRADED, reason)


def failed(name: str, reason: str) -> ServicePart:
    """The part of this name, which does not do its work."""
    return ServicePart(PartStatus.UNAVAILABLE if name in ESSENTIAL else PartStatus.DEGRADED, reason)


def overall(parts: Iterable[ServicePart]) -> PartStatus:
    """The status of the whole service: that of its worst part. What still loads makes it ``degraded``."""
    order = list(PartStatus)
    worst = max((part.status for part in parts), key=order.index, default=PartStatus.READY)
    return PartStatus.DEGRADED if worst is PartStatus.LOADING else worst
