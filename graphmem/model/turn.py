"""Turns of a talk as a question is held against them."""

from dataclasses import dataclass
from datetime import datetime

from graphmem.model.episode import EpisodeRole


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
