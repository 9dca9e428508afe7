"""Work to do in the background: one record for each thing, taken under a lease by whoever is to do it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum

from graphmem.model.episode import StoredEpisode
from graphmem.model.fragment import Context
from graphmem.model.ids import digest
from graphmem.model.reflection import Week

UNTIL = "until"
"""The argument of reflections that says when the week ended; without it, only stale ones are made again."""
SERVICE = ""
"""The group id of work that is about all groups."""


class WorkKind(StrEnum):
    """What is to be done. The record of a digest is the episode itself, while it is undone."""

    DIGEST = "digest"
    REPROJECT = "reproject"
    REPROCESS = "reprocess"
    DEDUP = "dedup"
    MERGE = "merge"
    EMBED = "embed"
    REEMBED = "reembed"
    SUMMARISE = "summarise"
    REFLECT = "reflect"
    ENRICH = "enrich"
    CONSOLIDATE = "consolidate"
    REPAIR = "repair"
    FORGET = "forget"
    REDACT = "redact"


BUT_DIGESTS = frozenset(WorkKind) - {WorkKind.DIGEST}


class Lane(IntEnum):
    """Who goes first: what somebody waits for, what came with many others, what nobody waits for."""

    LIVE = 0
    BULK = 1
    BACKGROUND = 2


FEW = 10
"""Episodes of one request that are live; of more, all are bulk."""


class WorkProgress(StrEnum):
    """``refining`` is for digests alone: what an earlier one found stands until this one is done."""

    PENDING = "pending"
    REFINING = "refining"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What is to be done, and how far it is.

    ``generation`` counts how often it was asked for, ``attempts`` the errors since, ``leases`` how often it was begun
    since its last step. ``arguments`` are what was asked for, ``cursor`` says where to go on. They, ``progress`` and
    ``result`` are what the kind makes of them.
    """

    id: str
    group_id: str
    kind: WorkKind
    target: str
    period: str
    generation: int
    status: WorkProgress
    dry_run: bool
    arguments: Mapping[str, object]
    cursor: Mapping[str, object]
    progress: Mapping[str, object]
    result: Mapping[str, object]
    error: str | None
    attempts: int
    leases: int
    due_at: datetime | None
    requested_at: datetime
    began_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkRequest:
    """Work that somebody asks for.

    ``arguments`` say what exactly, to ``audience`` and whoever sees the whole group (None: to nobody else). ``anew``:
    from the beginning, also if it was asked for before; ``again``: only if that is done.
    """

    id: str
    target: str = ""
    period: str = ""
    dry_run: bool = False
    arguments: Mapping[str, object] = field(default_factory=dict[str, object])
    audience: str | None = None
    anew: bool = True
    again: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """Work of one group, lane and kind that was taken under one lease; ``kind`` as it stands in the store."""

    lease: str
    group: str
    lane: int
    kind: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkStep:
    """How far work is after a step. It is given back for ``pause`` seconds, where it has to wait for other work."""

    cursor: Mapping[str, object]
    progress: Mapping[str, object]
    result: Mapping[str, object]
    finished: bool
    pause: float = 0.0


def reprojection_id(group: str, predicate: str) -> str:
    return digest("reprojection", group, predicate)


def work_id(kind: WorkKind, group: str, target: str = "", period: str = "", *, dry_run: bool = False) -> str:
    """The id of a job; that of one without effect is another, so that asking for it takes the place of none."""
    return digest("work", kind, group, target, period, *(["dry run"] if dry_run else []))


def reflection_request(group: str, week: Week, *, anew: bool = False, dry_run: bool = False) -> WorkRequest:
    """Reflections of a group on a week. Who asks for one that was asked for before gets that, unless ``anew``."""
    day = week.day.isoformat()
    return WorkRequest(
        id=work_id(WorkKind.REFLECT, group, period=day, dry_run=dry_run),
        period=day,
        dry_run=dry_run,
        arguments={UNTIL: week.until.isoformat()},
        anew=anew,
    )


def lane_of(episodes: int) -> Lane:
    """The lane of so many episodes that came in one request."""
    return Lane.LIVE if episodes <= FEW else Lane.BULK


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to digest an episode, until it is not heard of for a while.

    ``context`` is what the service's own extractor wants to know of it, where that was asked for meanwhile.
    """

    token: str
    stored: StoredEpisode
    context: Context | None = None
