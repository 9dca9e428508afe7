"""What a search ranks and finds, why it ranks where it does, and where it lost what somebody missed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from graphmem.model.belief import BeliefRow
from graphmem.model.entity_summary import StoredEntitySummary
from graphmem.model.episode import EpisodeRole, StoredEpisode, TurnOrder
from graphmem.model.ids import digest
from graphmem.model.interval import END
from graphmem.model.recall import KnownEntity
from graphmem.model.reflection import StoredReflection
from graphmem.model.summary import StoredSummary


class Fusion(StrEnum):
    """How lists become one: by calibrated weights, or by ranks alone (RRF)."""

    WEIGHTED = "weighted"
    RRF = "rrf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """One reason's part of a score. ``rank`` is the place in a list of hits; a rule has none.

    ``raw`` is the score that the index itself gives: of full text BM25, of vectors the cosine.
    """

    channel: str
    rank: int | None = None
    score: float
    contribution: float
    raw: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A thing found, with contributions that sum to its score.

    ``open``: it is an open belief. ``other_wordings`` are the ids of those that say the same, and are not shown.
    ``cosine`` is that of the question and a turn, where it was looked up. ``relevance`` is from 0 to 1 how likely it
    answers the question, whatever else was found. ``steps`` are the ids of the rows of a path, in its order.
    ``place`` is where the passage is by which a long episode was found.
    """

    kind: str
    id: str
    score: float
    contributions: tuple[Contribution, ...]
    open: bool = False
    other_wordings: tuple[str, ...] = ()
    cosine: float | None = None
    relevance: float = 0.0
    steps: tuple[str, ...] = ()
    place: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A belief at ``hops`` relationships from an entity, ``start``; one hop if it is at its end.

    It leads to ``other``, of a type; a fact leads nowhere (None, ""). ``forwards``: it is said of ``start``; else of
    ``other``. ``beliefs`` is how many there are at the entity that it was reached from. ``cosine`` is that of a
    question and the belief, 0 where either has no vector.
    """

    id: str
    kind: str
    open: bool
    predicate: str
    start: str
    other: str | None
    other_type: str
    forwards: bool
    beliefs: int
    cosine: float
    hops: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPath:
    """Beliefs that lead from one to the next, and the share of the words of a question that they have together."""

    steps: tuple[Reached, ...]
    covered: float

    @property
    def id(self) -> str:
        return digest("path", *(step.id for step in self.steps))

    @property
    def backwards(self) -> int:
        """How many of its beliefs are said of what they lead to."""
        return sum(not step.forwards for step in self.steps)

    @property
    def cosine(self) -> float:
        """The mean of those of its beliefs."""
        return sum(step.cosine for step in self.steps) / len(self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """Beliefs of which each leads to what the next is about."""

    id: str
    beliefs: tuple[BeliefRow, ...]

    @property
    def says(self) -> str:
        """The statements, one after the other."""
        return " ".join(belief.statement for belief in self.beliefs)


Thing = BeliefRow | StoredEpisode | KnownEntity | StoredSummary | StoredEntitySummary | StoredReflection | Path
"""What a search finds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """The part ``[start, end)`` of an episode, in code points, by which it was found."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A hit of a search: where it ranks and why, and the thing itself; a belief has its evidence.

    ``carried_out`` is what the subject of a plan or a wish did later that says nearly the same, the nearest first.
    """

    ranked: Ranked
    thing: Thing
    carried_out: tuple[BeliefRow, ...] = ()

    @property
    def kind(self) -> str:
        return self.ranked.kind

    @property
    def passage(self) -> Passage | None:
        """The part of a long episode by which it was found."""
        if self.ranked.place is None or not isinstance(self.thing, StoredEpisode):
            return None
        start, end = self.ranked.place
        return Passage(start=start, end=end, text=self.thing.episode.content[start:end])

    @property
    def beliefs(self) -> tuple[BeliefRow, ...]:
        """The belief that it is, or those of a path."""
        match self.thing:
            case BeliefRow() as belief:
                return (belief,)
            case Path(beliefs=beliefs):
                return beliefs
            case _:
                return ()

    def held_at(self, instant: datetime) -> bool:
        """Whether it is still believed and was true then; what is no belief always counts."""
        return not isinstance(self.thing, BeliefRow) or self.thing.holds_at(instant)


class WhyDegraded(StrEnum):
    """Why a search goes without a channel, with one that is not complete (``PENDING``), or without a hit of its own."""

    TIMEOUT = "timeout"
    UNAVAILABLE = "unavailable"
    NOT_EMBEDDABLE = "not_embeddable"
    OTHER_MODEL = "other_model"
    PENDING = "vectors_pending"
    REEMBEDDING = "reembedding"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Degraded:
    """What a search goes without, a channel or one of its ``hits``, and why; ``detail`` says it to people."""

    channel: str
    why: WhyDegraded
    detail: str


class Lost(StrEnum):
    """``unknown``: there is nothing of this id that the reader may see, whether or not there is something else."""

    UNKNOWN = "unknown"
    TIME = "time"
    FADED = "faded"
    FILTER = "filter"
    WORDING = "wording"
    RANK = "rank"
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyNot:
    """Where it was ``lost``; None: it is among the hits. ``detail`` says it to people.

    ``filters`` are those that did not hold. ``rank`` and ``score`` are of what was ranked, and ``instead`` is the hit
    that stands for it.
    """

    id: str
    lost: Lost | None
    detail: str
    kind: str | None = None
    filters: tuple[str, ...] = ()
    rank: int | None = None
    score: float | None = None
    contributions: tuple[Contribution, ...] = ()
    instead: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answerability:
    """Whether a question has an answer among what is known: how likely that is, and why, in sentences."""

    likely: bool
    probability: float
    reason: str


NOTHING_FOUND = Answerability(likely=False, probability=0.0, reason="Nothing was found.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """What was found. ``degraded`` is empty where nothing was left out; ``why_not`` is of what was missed.

    ``unknown_names`` are those in the question that nobody and nothing bears, and that no text has. ``warnings`` name
    several whom one in it may mean.
    """

    hits: tuple[SearchHit, ...]
    entities: tuple[KnownEntity, ...]
    answerability: Answerability = NOTHING_FOUND
    unknown_names: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    degraded: tuple[Degraded, ...] = ()
    why_not: tuple[WhyNot, ...] = ()


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

    ``insufficient`` are those below what was asked for by ``least``, names of filters.
    ``replaced`` are older versions by their ids, each with that
    of the one that stands for it. ``failed`` says by ids which filters did not hold.
    """

    ranked: tuple[Ranked, ...]
    insufficient: tuple[Ranked, ...]
    limit: int
    least: tuple[str, ...] = ()
    replaced: Mapping[str, str] = field(default_factory=dict[str, str])
    failed: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedTurn:
    """A turn that may be shown.

    ``chars`` is the length of its content, of which ``opening`` is the beginning; ``cosine`` that of the question and
    it, None where there are no vectors. ``before`` and ``after`` are the turns around it in its session, the nearest
    first, where they are known. ``place`` is that of the nearest passage of a long one. ``covered_by`` are the ids of
    versions of summaries.
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
    place: tuple[int, int] | None = None
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    covered_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnText:
    """What somebody said, and when: ``order`` is (occurred_at, turn)."""

    id: str
    content: str
    order: tuple[datetime, TurnOrder]


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
