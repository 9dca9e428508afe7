"""Where a search lost what somebody missed among its hits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.model.interval import END
from graphmem.model.recall import Ranked


@dataclass(frozen=True, slots=True, kw_only=True)
class Addressed:
    """What an id means that was ``asked`` for: a row of a belief, by its own id or by the belief's, or an episode.

    An episode is true from when it occurred.
    """

    asked: str
    id: str
    belief_id: str
    kind: str
    open: bool
    valid_from: datetime
    valid_to: datetime
    recorded_at: datetime
    superseded_at: datetime
    fades_at: datetime = END


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTrace:
    """All that a search ranked, best first, as far as it went; the first ``limit`` are its hits.

    ``insufficient`` are those whose score is too low. ``replaced`` are older versions by their ids, each with that
    of the one that stands for it. ``failed`` says by ids which filters did not hold.
    """

    ranked: tuple[Ranked, ...]
    insufficient: tuple[Ranked, ...]
    limit: int
    replaced: Mapping[str, str] = field(default_factory=dict[str, str])
    failed: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
