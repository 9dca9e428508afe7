"""A belief that is reached in the graph from an entity that a question names."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A belief at ``hops`` relationships from an entity, ``start``; one hop if it is at its end.

    ``beliefs`` is how many there are at the entity that it was reached from; ``other`` is the one at its other end,
    None of a fact.
    """

    id: str
    kind: str
    open: bool
    predicate: str
    start: str
    other: str | None
    beliefs: int
    hops: int = 1
