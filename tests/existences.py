"""From when to when entities existed: as their nodes say, and as a reader sees it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from graphmem.memory import Memory
from graphmem.model.projection.existence import Existence
from graphmem.model.scope import Scope
from graphmem.store.driver import Database
from graphmem.store.queries import read_queries

QUERIES = {query.name: query for query in read_queries(Path(__file__).parent / "store" / "existence.cypher")}


@dataclass(frozen=True)
class NodeRow:
    id: str
    valid_from: datetime
    valid_to: datetime


async def on_nodes(database: Database, group: str) -> Mapping[str, Existence]:
    """Of those nodes that say something, by id."""
    rows = await database.run(QUERIES["existence_of_nodes"], NodeRow, group=group)
    return {row.id: Existence(row.valid_from, row.valid_to) for row in rows}


async def read(memory: Memory, entity_id: str, scope: Scope) -> Existence:
    return (await memory.reader.entity(scope, entity_id)).entities[0].existence
