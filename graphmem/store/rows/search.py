"""Hits of the indexes."""

from graphmem.store.rows import Row


class Hit(Row):
    """``open``: it is a belief that rests on open claims."""

    id: str
    score: float
    open: bool


class Hits(Row):
    """``raw`` counts the hits looked at, ``hits`` are those of them that held."""

    raw: int
    hits: tuple[Hit, ...]
