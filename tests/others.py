"""Edges as Graphiti makes them, and what of its fields says that it believed at two instants."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from graphmem.model.graphiti import GraphitiEdge

Held = tuple[str, str, str]


def day(month: int, number: int = 1, *, year: int = 2024) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


def edge(
    uuid: str, name: str = "WORKS_AT", source: str = "Alice Moreno", target: str = "Vexel", **more: Any
) -> GraphitiEdge:
    """An edge that was made on the first of January 2025, and holds since a year before, unless it says otherwise."""
    fields: dict[str, Any] = {
        "fact": f"{source} {name.lower()} {target}",
        "source_labels": ("Entity",),
        "target_labels": ("Entity",),
        "created_at": day(1, year=2025),
        "expired_at": None,
        "valid_at": day(1),
        "invalid_at": None,
        "said_at": day(1),
        "attributes": (),
    }
    return GraphitiEdge(uuid=uuid, name=name, source=source, target=target, **fields | more)


def ended(edges: Iterable[GraphitiEdge]) -> list[GraphitiEdge]:
    """Those whose end was learnt later, in the order of that, as the query has them."""
    return sorted((one for one in edges if one.expired_at and one.ends_later), key=lambda one: str(one.expired_at))


def held(edges: Iterable[GraphitiEdge], valid_at: datetime, known_at: datetime) -> set[Held]:
    """Source, name and target of what Graphiti's fields say was true then, as it knew at that time."""
    found = set[Held]()
    for one in edges:
        knew_end = one.expired_at is None or one.expired_at <= known_at
        until = one.invalid_at if knew_end else None
        over = one.expired_at is not None and knew_end and one.invalid_at is None
        begun = one.valid_at is None or one.valid_at <= valid_at
        if one.created_at <= known_at and begun and not over and (until is None or valid_at < until):
            found.add((one.source, one.name.lower(), one.target))
    return found
