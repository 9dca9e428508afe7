"""Hits of the indexes."""

from graphmem.store.rows import Row


class Hit(Row):
    id: str
    score: float


class Hits(Row):
    """``raw`` counts the hits looked at, ``hits`` are those of them that held."""

    raw: int
    hits: tuple[Hit, ...]
