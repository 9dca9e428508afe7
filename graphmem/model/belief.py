"""What graphmem believes: relationships between entities, facts with a literal value, and in words when they held."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Self

from graphmem.model.claim import (
    NEVER,
    Claim,
    ClaimKind,
    ClaimStatus,
    Scalar,
    Telling,
    attributes_json,
    distinguishing,
    status_of,
)
from graphmem.model.dates import days_of, written_day
from graphmem.model.ids import belief_id, digest
from graphmem.model.interval import BEGIN, END, MICROSECOND, Interval
from graphmem.model.projection.existence import Bound
from graphmem.model.scope import EVERYBODY


@dataclass(frozen=True, kw_only=True)
class Belief:
    """A belief as its claims project it: nothing here depends on when or in which order they arrived.

    ``first`` is the claim that lends statement and vector; ``attributes`` are those that its claims agree on;
    ``category`` is the newest, ``confidence`` and ``importance`` are the highest of the supporting claims. Subject,
    object and target are identities. ``bound`` is whether it says that the existence of its subject begins or ends.

    ``cut_by`` is the id of a claim that says nothing of its value and ends it all the same, "" where none does: a start
    of another value, or an end of nothing in particular.

    ``protected``: somebody confirmed it. Of its value, claims said before ``rejected_before`` are no evidence, nor are
    those said before ``dropped_before`` that do not protect; ``NEVER`` where nothing was rejected or dropped.
    ``supported_by`` are the ids of the claims that make or support it, which no reader can tell apart.
    """

    first: Claim
    subject_id: str
    object_id: str | None
    target: str
    attributes: Mapping[str, Scalar]
    category: str = ""
    interval: Interval
    from_stated: bool
    to_stated: bool
    confidence: float
    importance: float
    contested: bool
    cut_by: str = ""
    bound: Bound | None
    protected: bool = False
    rejected_before: Telling = NEVER
    dropped_before: Telling = NEVER
    supported_by: frozenset[str] = field(default=frozenset(), compare=False)

    @cached_property
    def id(self) -> str:
        return belief_id(
            self.first.group_id,
            self.first.user,
            self.subject_id,
            self.first.predicate,
            self.target,
            self.interval.start,
            self.first.day,
            open=self.first.open,
            distinguished_by=self.first.distinguished_by,
        )

    @cached_property
    def fingerprint(self) -> str:
        """Equal for two projections of a belief that a reader cannot tell apart."""
        return digest(
            self.id,
            self.first.id,
            self.interval.end,
            self.from_stated,
            self.to_stated,
            self.confidence,
            self.importance,
            self.contested,
            *self._added,
        )

    @property
    def _added(self) -> tuple[str, ...]:
        """What others than the first claim, and policies, add; nothing in most beliefs."""
        own, first = attributes_json(self.attributes), attributes_json(self.first.attributes)
        attributes = () if own == first else (own,)
        category = () if self.category == self.first.category else ("category", self.category)
        cut = ("cut_by", self.cut_by) if self.cut_by else ()
        bound = ("bound", self.bound) if self.bound else ()
        return (*attributes, *category, *cut, *bound, *self._acted)

    @property
    def _acted(self) -> tuple[str, ...]:
        """What confirming, rejecting and lowering left."""
        before = {"rejected_before": self.rejected_before, "dropped_before": self.dropped_before}
        times = (text for key, telling in before.items() if telling != NEVER for text in (key, _text(telling)))
        return (*(("protected",) if self.protected else ()), *times)


def _text(telling: Telling) -> str:
    """When something was said, and where in what was said then unless that is its very beginning."""
    place = (*telling.turn, telling.start)
    at = telling.at.isoformat()
    return at if place == (*NEVER.turn, NEVER.start) else f"{at} {place}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """One supporting claim as an answer shows it. ``redacted``: its quote is gone with the words of its episode."""

    claim_id: str
    kind: ClaimKind
    episode_id: str
    quote: str
    quote_start: int
    quote_end: int
    said_at: datetime
    recorded_at: datetime
    confidence: float
    redacted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The end of a belief by a claim that says nothing of its value: a start of another one, or an end of them all."""

    claim_id: str
    statement: str
    at: datetime

    @property
    def reason(self) -> str:
        """Why it ended, in a sentence."""
        return f"From {self.at:%Y-%m-%d} on: {self.statement}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefRow:
    """One recorded version of a belief, with its evidence as known then. ``protected``: somebody confirmed it.

    ``to_inferred``: nobody said when it ended; that follows from the claim by which it is ``ended_by``, None to readers
    who may not see that claim.

    ``faded``: it did not come up by itself any more by then (``model.fact``). ``shared``: its user
    shows it to everybody now, whenever it was believed.
    """

    id: str
    belief_id: str
    kind: str
    subject_id: str
    predicate: str
    object_id: str | None
    value: Scalar
    target: str
    user: str
    statement: str
    attributes: str
    category: str
    confidence: float
    importance: float
    contested: bool
    from_stated: bool
    to_stated: bool
    to_inferred: bool = False
    valid_from: datetime
    valid_to: datetime
    recorded_at: datetime
    superseded_at: datetime
    open: bool
    day: str
    event_to: datetime | None
    protected: bool = False
    faded: bool = False
    shared: bool = False
    evidence: tuple[Support, ...] = ()
    ended_by: Cut | None = None

    @property
    def status(self) -> ClaimStatus:
        """What is believed: that it was so, or that somebody said it as a plan, a wish, an ability or a denial."""
        return status_of(self.predicate, is_open=self.open)

    @property
    def event(self) -> Self | None:
        """The belief itself, where it is one of an event."""
        return None if self.event_to is None else self

    @property
    def audience(self) -> str:
        """Who may see it: its user, or everybody."""
        return EVERYBODY if self.shared else self.user

    @property
    def episode_ids(self) -> list[str]:
        """The ids of the episodes of its evidence."""
        return sorted({support.episode_id for support in self.evidence})

    @property
    def distinguished_by(self) -> tuple[str, ...]:
        """What tells it apart from other open beliefs of its predicate and object."""
        attributes: Mapping[str, Scalar] = json.loads(self.attributes) if self.open and self.attributes else {}
        return distinguishing(attributes, is_open=self.open)

    def holds_at(self, instant: datetime) -> bool:
        """Whether it is still believed, as far as is known, and true then."""
        return self.superseded_at == END and self.valid_from <= instant < self.valid_to

    @property
    def order(self) -> tuple[str, str, datetime, str, str]:
        """The order of answers: (kind, predicate, valid_from, belief_id, id)."""
        return (self.kind, self.predicate, self.valid_from, self.belief_id, self.id)


_DAY = timedelta(days=1)
_LEAST_DAYS_OF_MONTH = 28
_LEAST_DAYS_OF_YEAR = 365


def when_of(belief: BeliefRow) -> str:
    """When it was so, where that was said, and the statement does not tell the year."""
    if belief.event_to is not None:
        return _unless_told(_days(belief.day), belief.statement)
    return ", ".join(words for part in _bounds(belief) if (words := _unless_told(part, belief.statement)))


def _bounds(belief: BeliefRow) -> Iterator[str]:
    if belief.from_stated and belief.valid_from != BEGIN:
        yield f"since {written_day(belief.valid_from.date())}"
    if belief.valid_to != END:
        yield f"until {written_day((belief.valid_to - MICROSECOND).date())}"


def _unless_told(when: str, statement: str) -> str:
    return "" if when[-4:] in statement else when


def _days(day: str) -> str:
    """The days of an event, in words: “3 May 2025”, “May 2025”, “2025”, “3 May 2025 to 9 May 2025”."""
    return " to ".join(_period(days.first, days.after) for part in day.split("/") if (days := days_of(part)))


def _period(first: date, after: date) -> str:
    length = after - first
    if length >= _LEAST_DAYS_OF_YEAR * _DAY:
        return str(first.year)
    return f"{first:%B} {first.year}" if length >= _LEAST_DAYS_OF_MONTH * _DAY else written_day(first)
