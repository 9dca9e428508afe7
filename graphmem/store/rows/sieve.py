"""What of the hits of a search remains."""

from graphmem.store.rows import Row


class IdRow(Row):
    id: str
