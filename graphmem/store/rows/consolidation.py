"""What consolidation and enrichment go over."""

from pydantic import StrictBool

from graphmem.model.consolidation import CurrentFact, Groundless
from graphmem.model.enrichment import ReadableEpisode
from graphmem.store.instants import Instant
from graphmem.store.rows import Row


class CurrentFactRow(Row):
    id: str
    user: str
    subject_id: str
    predicate: str
    target: str
    category: str
    statement: str
    contested: StrictBool
    open: StrictBool
    day: str
    distinguished_by: tuple[str, ...]

    def to_domain(self) -> CurrentFact:
        return CurrentFact(**self.model_dump())


class GroundlessRow(Row):
    id: str
    gave_way_to: str

    def to_domain(self) -> Groundless:
        return Groundless(**self.model_dump())


class TurnPlaceRow(Row):
    id: str
    occurred_at: Instant


class ReadableEpisodeRow(Row):
    id: str
    read_by: str
    entities: int

    def to_domain(self) -> ReadableEpisode:
        return ReadableEpisode(**self.model_dump())


class AskedIdsRow(Row):
    ids: tuple[str, ...]
