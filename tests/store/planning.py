"""What Neo4j says about queries when it plans them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from neo4j import AsyncSession

from graphmem.store.driver import Database
from graphmem.store.queries import Query


@dataclass(frozen=True, slots=True)
class Plan:
    """What Neo4j says about a query without running it."""

    columns: frozenset[str]
    kind: str | None
    operators: frozenset[str]
    notifications: tuple[str, ...]


async def planned(database: Database, query: Query) -> Plan:
    open_session = cast("Callable[..., AsyncSession]", database.driver.session)
    async with open_session(notifications_min_severity="INFORMATION") as session:
        result = await session.run(f"EXPLAIN {query.text}", dict.fromkeys(query.params))
        columns = frozenset(result.keys())
        summary = await result.consume()
    told = tuple(status.status_description for status in summary.gql_status_objects if status.is_notification)
    plan = cast("dict[str, Any] | None", summary.plan)
    return Plan(columns, summary.query_type, frozenset(operators(plan or {})), told)


def operators(step: Mapping[str, Any]) -> Iterator[str]:
    yield step.get("operatorType", "").partition("@")[0]
    for child in step.get("children", ()):
        yield from operators(child)
