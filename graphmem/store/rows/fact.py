"""Facts in their order, and what disputes them."""

from graphmem.store.rows import Row
from graphmem.store.rows.belief import KnownClaimColumns


class RankedFactRow(Row):
    id: str
    importance: float


class TagsRow(Row):
    id: str
    tags: tuple[str, ...]


class DisputeRow(Row):
    """``settled`` counts claims that gave way."""

    id: str
    claims: tuple[KnownClaimColumns, ...]
    settled: int
