"""How much a memory holds."""

from graphmem.model.stats import Believed, Condition, Said, Texts
from graphmem.store.instants import Instant
from graphmem.store.rows import Row


class SaidRow(Row):
    episodes: int
    sessions: int
    latest_recorded_at: Instant | None

    def to_domain(self) -> Said:
        return Said(**self.model_dump())


class TextsRow(Row):
    summaries: int
    entity_summaries: int
    reflections: int
    stale: int

    def to_domain(self) -> Texts:
        return Texts(**self.model_dump())


class ConditionRow(Row):
    stale_summaries: int
    stale_entity_summaries: int
    stale_reflections: int
    faded: int
    contested: int

    def to_domain(self) -> Condition:
        return Condition(**self.model_dump())


class BelievedRow(Row):
    kind: str
    open: bool
    category: str
    faded: bool
    contested: bool
    protected: bool
    age: int | None
    count: int
    latest_recorded_at: Instant
    uses: int
    last_used_at: Instant | None

    def to_domain(self) -> Believed:
        return Believed(**self.model_dump())
