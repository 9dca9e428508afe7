"""A tenant's isolated graph: what it is, how much it holds, and what of it is worth showing first."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from graphmem.model.interval import BEGIN, END, MICROSECOND


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionPolicy:
    """What a group keeps: what was said and the rows of its audit for so many days, None for good.

    ``keep_shared``: what users share stays when they are forgotten.
    """

    episode_days: int | None = None
    audit_days: int | None = None
    keep_shared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedGroup:
    """What a group is called, and since when it is archived: an archived one is only read.

    ``id`` is the name that it was made under, of which the ids of all that it has are made; ``name`` is what callers
    call it now.
    """

    id: str
    name: str
    archived_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Group(NamedGroup):
    """A group, and how it came by its transaction times.

    ``importing``: claims, retractions and corrections bring their own ``recorded_at``, up to ``settled_until`` so far.
    ``imported``: some did; what was recorded before ``settled_until`` was believed elsewhere, not here.
    """

    embedding_model: str
    dimensions: int
    recorded_at: datetime
    importing: bool
    imported: bool
    settled_until: datetime

    @property
    def made_as(self) -> str:
        return self.id


MOST_UNPROJECTED = 100
"""Slots that are told one by one."""
AGES = (1, 7, 30, 365)
"""Days since a belief was recorded, up to which it is counted as of that age."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeCounts:
    """So many episodes, in so many sessions, of which the last was recorded then; None where there are none."""

    episodes: int
    sessions: int
    latest_recorded_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """So many summaries of sessions and of entities, and reflections, of which so many are to be made again."""

    summaries: int
    entity_summaries: int
    reflections: int
    stale: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefCount:
    """So many beliefs of one kind that have all of this in common. ``age`` is one of ``AGES``, None of older ones."""

    kind: str
    open: bool
    category: str
    faded: bool
    contested: bool
    protected: bool
    age: int | None
    count: int
    latest_recorded_at: datetime
    uses: int
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class BeliefsOfAge:
    """So many beliefs of one of ``AGES``, None of older ones."""

    days: int | None
    beliefs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unprojected:
    """A slot that stays as it is since then, because something of it cannot be read; ``why`` says what.

    The job ``job_id`` projects it once that is repaired. ``user`` is whose memory it is in, "" for everybody's.
    """

    job_id: str
    subject_id: str
    predicate: str
    user: str
    why: str
    asked_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStats:
    """``layers`` counts episodes, sessions, curated relationships and facts, open beliefs, summaries and reflections.

    ``categories`` and ``ages`` count all beliefs that have one; the age of those older than a year is None. ``stale``
    counts summaries and reflections that are to be made again, and ``uses`` days on which searches and contexts brought
    a belief.
    """

    layers: Mapping[str, int]
    categories: Mapping[str, int]
    ages: tuple[BeliefsOfAge, ...]
    faded: int
    contested: int
    stale: int
    protected: int
    uses: int
    last_used_at: datetime | None
    latest_recorded_at: datetime | None
    unprojected: tuple[Unprojected, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """How much of all groups waits to be made again, has faded or is contested; and slots that cannot be projected."""

    stale_summaries: int
    stale_entity_summaries: int
    stale_reflections: int
    faded: int
    contested: int
    unprojected: int


def memory_stats(
    counts: EpisodeCounts, believed: Iterable[BeliefCount], texts: Texts, unprojected: Iterable[Unprojected] = ()
) -> MemoryStats:
    """The sums of what is counted."""
    parts = list(believed)
    layers, categories, ages = Counter[str](), Counter[str](), Counter[int | None]()
    for part in parts:
        layers["open" if part.open else f"{part.kind}s"] += part.count
        ages[part.age] += part.count
        if part.category:
            categories[part.category] += part.count
    recorded = [part.latest_recorded_at for part in parts]
    recorded += [counts.latest_recorded_at] if counts.latest_recorded_at else []
    return MemoryStats(
        layers={
            "episodes": counts.episodes,
            "sessions": counts.sessions,
            **{layer: layers[layer] for layer in ("relationships", "facts", "open")},
            "summaries": texts.summaries,
            "entity_summaries": texts.entity_summaries,
            "reflections": texts.reflections,
        },
        categories={category: categories[category] for category in sorted(categories)},
        ages=tuple(BeliefsOfAge(age, ages[age]) for age in (*AGES, None)),
        faded=sum(part.count for part in parts if part.faded),
        contested=sum(part.count for part in parts if part.contested),
        stale=texts.stale,
        protected=sum(part.count for part in parts if part.protected),
        uses=sum(part.uses for part in parts),
        last_used_at=max((part.last_used_at for part in parts if part.last_used_at), default=None),
        latest_recorded_at=max(recorded, default=None),
        unprojected=tuple(unprojected),
    )


_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedEntity:
    id: str
    name: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A version of a belief, under the names of its ends."""

    subject: str
    predicate: str
    object: str
    valid_from: datetime
    valid_to: datetime
    superseded_at: datetime

    @property
    def when_true(self) -> datetime:
        """A time at which it was true: a day before it ended, or when it began if that is later or it has no end."""
        if self.valid_to < END:
            return max(self.valid_from, self.valid_to - _DAY)
        return self.last_believed if self.valid_from == BEGIN else self.valid_from

    @property
    def last_believed(self) -> datetime:
        """The last instant at which this version was believed."""
        return self.superseded_at - MICROSECOND


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """A group in names and numbers: the entities of which most is believed, and types, those first that have most."""

    group: str
    entities: int
    relationships: int
    facts: int
    episodes: int
    merges: int
    known: tuple[NamedEntity, ...]
    types: tuple[str, ...]
    first_at: datetime | None
    last_at: datetime | None
    ended: Example | None
    superseded: Example | None
