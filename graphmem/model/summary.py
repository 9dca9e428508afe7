"""Summaries: compressed runs of turns, or of summaries, whose every sentence says what it was made from."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Self

from graphmem.model.dates import written_day
from graphmem.model.embedding import Vector
from graphmem.model.episode import StoredEpisode, TurnOrder
from graphmem.model.ids import digest
from graphmem.model.interval import BEGIN, END


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowPolicy:
    """How many turns a window has: ``batch``; ``keep`` of the last turns of an open session stay verbatim.

    When a session closes, a rest of ``least`` turns or more is a window of its own; a smaller one joins the window
    before it.
    """

    batch: int = 20
    keep: int = 10
    least: int = 4

    @property
    def enough(self) -> int:
        """With so many turns in no summary, one is made in an open session."""
        return self.batch + self.keep


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaPolicy:
    """A meta summary covers ``batch`` summaries of a tier, or as many as have ``tokens`` tokens, but two at least.

    Sessions of fewer than ``least_turns`` turns have none.
    """

    batch: int = 5
    tokens: int = 2_000
    least_turns: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryPolicy:
    """How summaries are cut: of turns, and of summaries. ``windows_with`` are those of sessions with some agents."""

    windows: WindowPolicy = WindowPolicy()
    metas: MetaPolicy = MetaPolicy()
    windows_with: Mapping[str, WindowPolicy] = field(default_factory=dict[str, WindowPolicy])

    def windows_of(self, agent: str | None) -> WindowPolicy:
        return self.windows if agent is None else self.windows_with.get(agent, self.windows)


PACKAGED = SummaryPolicy()


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a turn stands in its session.

    Places are ordered by time, then as turns of one instant are, then by id, so that all turns have one order.
    """

    occurred_at: datetime
    turn: TurnOrder
    episode_id: str


def place_of(stored: StoredEpisode) -> Place:
    return Place(stored.episode.occurred_at, stored.episode.turn, stored.id)


@dataclass(frozen=True, slots=True, order=True)
class QuotedSpan:
    """The characters ``[start, end)`` of an episode's content, in code points."""

    episode_id: str
    start: int
    end: int

    def overlaps(self, other: "QuotedSpan") -> bool:
        """Whether both have a character in common; an empty span has none."""
        return self.episode_id == other.episode_id and max(self.start, other.start) < min(self.end, other.end)


def any_overlap(spans: Iterable[QuotedSpan], others: Collection[QuotedSpan]) -> bool:
    """Whether one of these spans has a character in common with one of the others."""
    return any(span.overlaps(other) for span in spans for other in others)


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarySentence:
    """One sentence of a summary with what it cites.

    ``words`` are the statement of a belief, “Maya: ” and a sentence that she said, as she said it, or what a language
    model wrote. Their vector stands for the sentence. ``when`` is what the belief says of its time beside its
    statement, "" where that tells it. ``said_on`` is the day, by the clock of the turn's zone, and ``place`` the place
    of the first turn that it is from.

    ``row_id`` is the recorded version of a belief whose statement it is, and ``belief_id`` that belief; both are None
    of any other sentence. ``rows`` and ``beliefs`` are those that a written sentence rests on. ``claims`` are the ids
    of all claims that these beliefs rest on, and ``spans`` their quotes, and the words of those who spoke: the sentence
    may be in the words of any of them.
    """

    words: str
    said_on: date
    place: Place
    spans: tuple[QuotedSpan, ...]
    when: str = ""
    row_id: str | None = None
    belief_id: str | None = None
    rows: tuple[str, ...] = ()
    beliefs: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    importance: float = 0.5

    @property
    def all_rows(self) -> frozenset[str]:
        """Every recorded version of a belief that it rests on."""
        return frozenset({*self.rows, self.row_id or ""} - {""})

    @property
    def all_beliefs(self) -> frozenset[str]:
        return frozenset({*self.beliefs, self.belief_id or ""} - {""})

    def text(self, *, dated: bool) -> str:
        """The sentence as a summary has it; ``dated`` with the day it was said, where it tells no other time."""
        remark = self.when or (f"said {written_day(self.said_on)}" if dated else "")
        if not remark:
            return self.words
        body, stop = (self.words[:-1], ".") if self.words.endswith(".") else (self.words, "")
        return f"{body} ({remark}){stop}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryText:
    """What a summary says: a line with the days of its turns, then a line a sentence.

    ``lines`` are the sentences as they stand in ``content``, in the order of ``sentences``; ``tokens`` are those of
    the whole content. ``model`` names the language model that wrote it, and ``prompt`` the version of what it was told
    to do, both "" where none did: then the sentences are statements of beliefs, and sentences of the turns themselves.
    """

    content: str
    tokens: int
    lines: tuple[str, ...]
    sentences: tuple[SummarySentence, ...]
    model: str = ""
    prompt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedBelief:
    """How a belief stands that a summary cites: whether it is believed, or else which beliefs contradict it, by id."""

    belief_id: str
    believed: bool
    contradicted_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedText:
    """A recorded version of a summary or a reflection. ``stale_at`` is since when it is to be made again.

    ``was_stale`` are instants, in pairs: from when until when it was that before, and then was found to be as it is.
    """

    stale_at: datetime | None
    was_stale: tuple[datetime, ...] = ()
    recorded_at: datetime
    superseded_at: datetime

    def as_known(self, at: datetime) -> Self:
        """The version as it was known then: what made it stale or superseded it later did not yet."""
        before = zip(self.was_stale[::2], self.was_stale[1::2], strict=True)
        stale_at = next((since for since, until in before if since <= at < until), None)
        if self.stale_at and self.stale_at <= at:
            stale_at = self.stale_at
        return replace(self, stale_at=stale_at, superseded_at=self.superseded_at if self.superseded_at <= at else END)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSummary(DerivedText):
    """A recorded version of a summary of turns of a session (``tier`` 1), or of summaries of the tier below.

    ``summary_id`` is its identity, the same for all its versions. ``first`` and ``last`` are the bounds of what it
    covers, and ``covers`` the ids of that: of turns, or identities of summaries. ``first_turn`` is the number of its
    first turn in the session, from 1, and ``turns`` how many it covers, through whatever tiers; they have ``said``
    tokens.

    ``text.content`` is "" where there is nothing to say of what it covers. ``drift`` is the distance to the version
    before (``summarise.writing``), None of the first. ``asked`` says that a person wants it to be made
    again. ``material`` identifies what it was made from.
    """

    id: str
    summary_id: str
    group_id: str
    session_id: str
    session: str
    user: str
    agent: str | None
    subject: str | None
    tier: int
    text: SummaryText
    said: int
    first_turn: int
    turns: int
    first: Place
    last: Place
    covers: tuple[str, ...]
    drift: float | None
    material: str = ""
    asked: bool = False

    @property
    def episode_ids(self) -> list[str]:
        """The ids of the episodes that it quotes."""
        return sorted({span.episode_id for sentence in self.text.sentences for span in sentence.spans})


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryOutline:
    """What a version of a summary covers, without what it says: each as ``StoredSummary`` has it."""

    id: str
    summary_id: str
    tier: int
    last: Place
    covers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryContent:
    """What a version of a summary says, with its vector; None where it has none."""

    id: str
    summary_id: str
    tier: int
    content: str
    vector: Vector | None


SummaryPosition = tuple[datetime, str]
"""Where a walk over summaries is: when the last turn of one was said, and the id of its version."""
FIRST_SUMMARY: SummaryPosition = (BEGIN, "")


def summary_id(session_id: str, tier: int, first: str) -> str:
    """The identity of a summary: made again of the same first episode, it is the same one.

    ``tier`` is 1 for a summary of turns, and one more for each level of summaries above; ``first`` is the id of the
    first episode that it covered when it was first made.
    """
    return digest("summary", session_id, tier, first)
