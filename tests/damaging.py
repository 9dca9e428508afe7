"""Damages what is stored, as somebody with a key to Neo4j may, and puts it right again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from graphmem.store.driver import Database
from graphmem.store.queries import read_queries
from graphmem.store.rows.reflection import ClaimIdRow

QUERIES = {query.name: query for query in read_queries(Path(__file__).parent / "damage.cypher")}


class StoredRow(BaseModel):
    properties: dict[str, Any]


async def claim_said(database: Database, group: str, statement: str) -> str:
    """The id of the one claim with certain words."""
    (row,) = await database.run(QUERIES["claims_said"], ClaimIdRow, group=group, statement=statement)
    return row.id


async def damage(
    database: Database, id_: str, properties: Mapping[str, object], *, relationship: bool = False
) -> dict[str, object]:
    """Change properties of one thing; returns them as they were."""
    (row,) = await database.run(QUERIES["stored_thing"], StoredRow, id=id_)
    query = QUERIES["change_row" if relationship else "change_thing"]
    await database.execute(query, id=id_, properties=dict(properties))
    return {name: row.properties.get(name) for name in properties}
