"""How much a memory holds."""

from pydantic import Json, StrictBool

from graphmem.model.stats import Believed, Condition, Said, Texts, Unprojected
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
    unprojected: int

    def to_domain(self) -> Condition:
        return Condition(**self.model_dump())


class SlotRecord(Row):
    """A slot, and what of it cannot be read."""

    user: str
    subject_id: str
    predicate: str
    target: str | None
    day: str
    open: StrictBool
    distinguished_by: tuple[str, ...]
    unreadable: str


class UnprojectedRow(Row):
    id: str
    slot: Json[SlotRecord]
    asked_at: Instant

    def to_domain(self) -> Unprojected:
        return Unprojected(
            job_id=self.id,
            subject_id=self.slot.subject_id,
            predicate=self.slot.predicate,
            user=self.slot.user,
            why=self.slot.unreadable,
            asked_at=self.asked_at,
        )


class InstantsRow(Row):
    id: str
    valid_from: Instant
    valid_to: Instant
    recorded_at: Instant
    superseded_at: Instant


class BelievedRow(Row):
    """``undated``: one belief that lacks an instant; so the row cannot be read."""

    kind: str
    undated: InstantsRow | None
    open: StrictBool
    category: str
    faded: StrictBool
    contested: StrictBool
    protected: StrictBool
    age: int | None
    count: int
    latest_recorded_at: Instant
    uses: int
    last_used_at: Instant | None

    def to_domain(self) -> Believed:
        return Believed(**self.model_dump(exclude={"undated"}))
