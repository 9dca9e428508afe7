"""Hits of the indexes."""

from graphmem.store.rows import Row


class Hit(Row):
    """``open``: it is a belief that rests on open claims."""

    id: str
    score: float
    open: bool


class Alike(Row):
    """Two open beliefs that say the same in other words."""

    one: str
    other: str


class Deed(Row):
    """What was planned, and what was done; ids of rows."""

    plan: str
    deed: str


class Hits(Row):
    """``raw`` counts the hits looked at, ``hits`` are those of them that held."""

    raw: int
    hits: tuple[Hit, ...]
