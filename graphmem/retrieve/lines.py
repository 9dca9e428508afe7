"""How a context writes one belief or one turn: in one line, what others said in quotation marks."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from graphmem.model.belief import BeliefRow
from graphmem.model.claim import ClaimStatus
from graphmem.model.episode import EpisodeRole, StoredEpisode
from graphmem.model.interval import BEGIN, END, MICROSECOND
from graphmem.model.reflection import StoredReflection
from graphmem.model.scope import EVERYBODY
from graphmem.model.summary import StoredSummary
from graphmem.retrieve.quoting import label, quoted


def profile_line(belief: BeliefRow, carried_out: Iterable[BeliefRow] = ()) -> str:
    """A belief with its category, and whether it is of one user only; after a goal, what was done later of it."""
    category = f" [{label(belief.category)}]" if belief.category else ""
    whose = "shared" if belief.audience == EVERYBODY else "personal"
    line = ", ".join([f"{quoted(belief.statement)}{category} ({whose})", *_remarks(belief)])
    return ", later: ".join([line, *map(_with_remarks, carried_out)])


def belief_line(belief: BeliefRow, carried_out: Iterable[BeliefRow] = ()) -> str:
    """A belief with how it was said and when; after a plan or a wish, what its subject did later of it."""
    return ", later: ".join(_with_remarks(row) for row in (belief, *carried_out))


def turn_line(stored: StoredEpisode, withdrawn: Sequence[str] = ()) -> str:
    """An episode with its day and time, who said it, and which of its words were ``withdrawn``."""
    episode = stored.episode
    line = f"{_moment(episode.occurred_at)}, {_speaker(episode.speaker, episode.role)}: {quoted(episode.content)}"
    if not withdrawn:
        return line
    part = any(quote.strip() != episode.content.strip() for quote in withdrawn)
    return f"{line} [withdrawn{': ' + ', '.join(map(quoted, withdrawn)) if part else ''}]"


def summary_line(summary: StoredSummary, lines: Sequence[str]) -> str:
    """Which turns of which session a summary covers, their days, and those of its lines that still count."""
    last = summary.first_turn + summary.turns - 1
    turns = f"turns {summary.first_turn}–{last}"
    first_day, last_day = _day(summary.first.occurred_at), _day(summary.last.occurred_at)
    days = first_day if first_day == last_day else f"{first_day} to {last_day}"
    return f"session {label(summary.session)}, {turns}, {days}: {quoted(' '.join(lines))}"


def reflection_line(reflection: StoredReflection, lines: Sequence[str]) -> str:
    """The days that a reflection is about, and those of its lines that still count."""
    week = reflection.week
    return f"{_day(week.since)} to {_day(week.until)}: {quoted(' '.join(lines))}"


def _with_remarks(belief: BeliefRow) -> str:
    remarks = ", ".join(_remarks(belief))
    return f"{quoted(belief.statement)} ({remarks})" if remarks else quoted(belief.statement)


def _remarks(belief: BeliefRow) -> Iterator[str]:
    """What a reader has to know beside the statement: how it was said, and when it happened, or held."""
    if belief.open:
        yield "open" if belief.status is ClaimStatus.ASSERTED else f"open, {belief.status}"
    if belief.contested:
        yield "contested"
    if belief.event_to is not None:
        yield _days(belief.valid_from, belief.event_to)
        return
    if belief.valid_from != BEGIN:
        yield f"{'since' if belief.from_stated else 'said'} {_day(belief.valid_from)}"
    if belief.valid_to != END:
        yield f"until {_day(belief.valid_to)}"


def _days(start: datetime, end: datetime) -> str:
    """The days of an event that happened in ``[start, end)``."""
    first, last = _day(start), _day(end - MICROSECOND)
    return f"on {first}" if first == last else f"between {first} and {last}"


def _speaker(speaker: str | None, role: EpisodeRole) -> str:
    if speaker is None:
        return role
    return label(speaker) if role.is_human else f"{label(speaker)} ({role})"


def _day(instant: datetime) -> str:
    return f"{instant:%Y-%m-%d}"


def _moment(instant: datetime) -> str:
    return f"{instant:%Y-%m-%d %H:%M}"
