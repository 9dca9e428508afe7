"""How much a memory holds, and what is worth showing first of a group."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated

from pydantic import StrictInt

from graphmem.model.group import (
    MOST_UNPROJECTED,
    BeliefCount,
    Condition,
    EpisodeCounts,
    Example,
    NamedEntity,
    Overview,
    Texts,
    Unprojected,
)
from graphmem.model.scope import Scope
from graphmem.store.group import GroupSizeRow
from graphmem.store.named import QueryStore
from graphmem.store.rows import ReadAs, made_of


@dataclass(frozen=True, slots=True)
class UndatedEpisodeRow:
    id: str
    occurred_at: datetime
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class SaidRow:
    """``undated_episodes``: those that lack an instant, and are not counted; none of these can be read."""

    said: EpisodeCounts
    undated_episodes: tuple[UndatedEpisodeRow, ...]


@dataclass(frozen=True, slots=True)
class UndatedTextRow:
    id: str
    until_at: datetime
    recorded_at: datetime
    superseded_at: datetime
    stale_at: datetime | None
    was_stale: tuple[datetime, ...]


@dataclass(frozen=True, slots=True)
class TextsRow:
    """``undated_summaries`` and ``undated_reflections`` lack an instant, and are not counted; none can be read."""

    texts: Texts
    undated_summaries: tuple[UndatedTextRow, ...]
    undated_reflections: tuple[UndatedTextRow, ...]


@dataclass(frozen=True, slots=True)
class SlotRecord:
    """A slot, and what of it cannot be read."""

    user: str
    subject_id: str
    predicate: str
    target: str | None
    day: str
    open: bool
    distinguished_by: tuple[str, ...]
    unreadable: str


@dataclass(frozen=True, slots=True)
class UnprojectedRow:
    id: str
    slot: SlotRecord
    asked_at: datetime

    def to_domain(self) -> Unprojected:
        return Unprojected(
            job_id=self.id,
            subject_id=self.slot.subject_id,
            predicate=self.slot.predicate,
            user=self.slot.user,
            why=self.slot.unreadable,
            asked_at=self.asked_at,
        )


@dataclass(frozen=True, slots=True)
class DamagedBeliefRow:
    id: str
    valid_from: datetime
    valid_to: datetime
    recorded_at: datetime
    superseded_at: datetime
    fades_at: datetime
    last_accessed: datetime | None
    access_count: StrictInt | None
    category: str | None
    contested: bool
    protected: bool | None


@dataclass(frozen=True, slots=True)
class _BelievedColumns:
    """``damaged``: one belief of which a property is of another type; so the row cannot be read."""

    damaged: DamagedBeliefRow | None


@dataclass(frozen=True, slots=True)
class BelievedRow:
    believed: Annotated[BeliefCount, ReadAs(_BelievedColumns)]


class StatsStore(QueryStore):
    """The queries of ``stats.cypher``: but for the last, of what the reader may see, at the times of the scope."""

    async def said_in_group(self, scope: Scope) -> EpisodeCounts:
        """Episodes and sessions, counted."""
        row = await self._run.single("said_in_group", SaidRow, scope)
        return row.said

    async def believed_in_group(self, scope: Scope) -> list[BeliefCount]:
        """Beliefs, counted by what they have in common; of uses, those up to now of what is the user's own."""
        asked_at = scope.known_at if scope.asked_at is None else min(scope.known_at, scope.asked_at)
        users = None if scope.user is None else [scope.user]
        return [
            row.believed
            for row in await self._run.many("believed_in_group", BelievedRow, scope, users=users, asked_at=asked_at)
        ]

    async def texts_in_group(self, scope: Scope) -> Texts:
        """Summaries and reflections, counted."""
        row = await self._run.single("texts_in_group", TextsRow, scope)
        return row.texts

    async def unprojected_in_group(self, scope: Scope) -> list[Unprojected]:
        """Slots that stay as they are now because something of them cannot be read, the first ``MOST_UNPROJECTED``."""
        rows = await self._run.many("unprojected_in_group", UnprojectedRow, scope, limit=MOST_UNPROJECTED)
        return [row.to_domain() for row in rows]

    async def condition_of_all(self) -> Condition:
        """How all groups are now. Facts with a category are looked at one by one."""
        return await self._run.single("condition_of_all", Condition)


@dataclass(frozen=True, slots=True)
class OverviewRow:
    known: tuple[NamedEntity, ...]
    types: tuple[str, ...]
    episodes: int
    first_at: datetime | None
    last_at: datetime | None
    merges: int
    ended: tuple[Example, ...]
    superseded: tuple[Example, ...]


class OverviewStore(QueryStore):
    """The query of ``overview.cypher``."""

    async def overview_of_group(self, group: str) -> Overview:
        """Entities and beliefs are counted one by one, which takes long in a large group."""
        size = await self._run.single("size_of_group", GroupSizeRow, group=group)
        row = await self._run.single("overview_of_group", OverviewRow, group=group)
        ended, superseded = next(iter(row.ended), None), next(iter(row.superseded), None)
        return made_of(row, Overview, group=group, ended=ended, superseded=superseded, **asdict(size))
