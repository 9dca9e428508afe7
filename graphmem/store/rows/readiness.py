"""What Neo4j answers where it is asked whether it works."""

from pydantic import StrictBool

from graphmem.store.rows import Row


class ProbeRow(Row):
    migrated: StrictBool
