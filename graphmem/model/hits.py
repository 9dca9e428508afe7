"""What a search looks at and ranks, before it is an answer: beliefs, their versions, turns, and what was lost."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.model.episode import EpisodeRole
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


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedTurn:
    """A turn that may be shown.

    ``chars`` is the length of its content, of which ``opening`` is the beginning; ``cosine`` that of the question and
    it, None where there are no vectors. ``before`` and ``after`` are the turns around it in its session, the nearest
    first, where they are known.
    """

    id: str
    session: str
    speaker: str | None
    occurred_at: datetime
    chars: int
    asks: bool
    role: EpisodeRole
    opening: str
    cosine: float | None
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnText:
    """What somebody said, and when: ``order`` is (occurred_at, sequence)."""

    id: str
    content: str
    order: tuple[datetime, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A row of a belief: ``slot`` is where it competes. What is still believed has END as ``superseded_at``.

    Of one slot what is believed stands above what is not any more, of that what was given up last, and of what was
    believed together what began to hold last: nothing in a slot replaced anything that stands above it.
    """

    id: str
    belief_id: str
    slot: tuple[object, ...]
    valid_from: datetime
    recorded_at: datetime
    superseded_at: datetime

    @property
    def order(self) -> tuple[datetime, datetime, datetime, str]:
        """What is greater may have replaced what is smaller, and never the other way round."""
        return (self.superseded_at, self.valid_from, self.recorded_at, self.id)
