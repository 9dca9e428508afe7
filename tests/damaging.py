"""Damages what is stored, as somebody with a key to Neo4j may, and puts it right again."""

from collections.abc import Mapping
from datetime import UTC
from pathlib import Path
from typing import Any

from neo4j.time import DateTime
from pydantic import BaseModel

from graphmem.store.driver import Database
from graphmem.store.queries import read_queries
from graphmem.store.rows import IdRow

QUERIES = {query.name: query for query in read_queries(Path(__file__).parent / "damage.cypher")}


class StoredRow(BaseModel):
    properties: dict[str, Any]


class ThingRow(BaseModel):
    """A node or a relationship, by its label or its type."""

    kind: str
    relationship: bool
    id: str | None
    properties: dict[str, Any]


async def claim_said(database: Database, group: str, statement: str) -> str:
    """The id of the one claim with certain words."""
    (row,) = await database.run(QUERIES["claims_said"], IdRow, group=group, statement=statement)
    return row.id


async def damage(
    database: Database, id_: str, properties: Mapping[str, object], *, relationship: bool = False
) -> dict[str, object]:
    """Change properties of one thing; returns them as they were."""
    (row,) = await database.run(QUERIES["stored_thing"], StoredRow, id=id_)
    await _set(database, id_, properties, relationship=relationship)
    return {name: row.properties.get(name) for name in properties}


async def things_of(database: Database, group: str) -> list[ThingRow]:
    """All that is stored of a group."""
    return await database.run(QUERIES["things_of_group"], ThingRow, group=group)


async def put(database: Database, thing: ThingRow, properties: Mapping[str, object]) -> None:
    """Set properties of a thing."""
    await _set(database, str(thing.id), properties, relationship=thing.relationship)


async def _set(database: Database, id_: str, properties: Mapping[str, object], *, relationship: bool) -> None:
    query = QUERIES["change_row" if relationship else "change_thing"]
    await database.execute(query, id=id_, properties={name: _as_stored(value) for name, value in properties.items()})


def _as_stored(value: object) -> object:
    """What the driver writes as the value that it read: an instant whose zone is named UTC is another than one in Z."""
    return value.to_native().replace(tzinfo=UTC) if isinstance(value, DateTime) else value
