"""What Neo4j answers where it is asked whether it works."""

from graphmem.store.rows import Row


class ProbeRow(Row):
    migrated: bool
