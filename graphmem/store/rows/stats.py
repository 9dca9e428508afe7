"""How much a memory holds."""

from pydantic import Json, StrictBool, StrictInt

from graphmem.model.stats import BeliefCount, Condition, EpisodeCounts, Texts, Unprojected
from graphmem.store.instants import Instant
from graphmem.store.rows import Row


class UndatedEpisodeRow(Row):
    id: str
    occurred_at: Instant
    recorded_at: Instant


class SaidRow(Row):
    """``undated_episodes``: those that lack an instant, and are not counted; none of these can be read."""

    episodes: int
    sessions: int
    latest_recorded_at: Instant | None
    undated_episodes: tuple[UndatedEpisodeRow, ...]

    def to_domain(self) -> EpisodeCounts:
        return EpisodeCounts(episodes=self.episodes, sessions=self.sessions, latest_recorded_at=self.latest_recorded_at)


class UndatedTextRow(Row):
    id: str
    until_at: Instant
    recorded_at: Instant
    superseded_at: Instant
    stale_at: Instant | None
    was_stale: tuple[Instant, ...]


class TextsRow(Row):
    """``undated_summaries`` and ``undated_reflections`` lack an instant, and are not counted; none can be read."""

    summaries: int
    entity_summaries: int
    reflections: int
    stale: int
    undated_summaries: tuple[UndatedTextRow, ...]
    undated_reflections: tuple[UndatedTextRow, ...]

    def to_domain(self) -> Texts:
        return Texts(
            summaries=self.summaries,
            entity_summaries=self.entity_summaries,
            reflections=self.reflections,
            stale=self.stale,
        )


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


class DamagedBeliefRow(Row):
    id: str
    valid_from: Instant
    valid_to: Instant
    recorded_at: Instant
    superseded_at: Instant
    fades_at: Instant
    last_accessed: Instant | None
    access_count: StrictInt | None
    category: str | None
    contested: StrictBool
    protected: StrictBool | None


class BelievedRow(Row):
    """``damaged``: one belief of which a property is of another type; so the row cannot be read."""

    kind: str
    damaged: DamagedBeliefRow | None
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

    def to_domain(self) -> BeliefCount:
        return BeliefCount(**self.model_dump(exclude={"damaged"}))
