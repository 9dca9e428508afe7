"""One user's conversation: when it was open, and what opens and closes it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from graphmem.model.interval import BEGIN
from graphmem.model.scope import EVERYBODY

SILENCE = timedelta(minutes=30)
"""A session closes when so much time has passed since its last episode was recorded."""

SessionPosition = tuple[datetime, str]
"""Where a walk over sessions is: (opened_at, id)."""
FIRST_SESSION: SessionPosition = (BEGIN, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPolicy:
    """A session closes after so much ``silence``; with ``enough`` turns in no summary, it is to be summarised.

    ``enough_with`` is that of sessions with some agents.
    """

    silence: timedelta = SILENCE
    enough: int = 30
    enough_with: Mapping[str, int] = field(default_factory=dict[str, int])

    def enough_of(self, session: "Session") -> int:
        return self.enough if session.agent is None else self.enough_with.get(session.agent, self.enough)


SESSIONS = SessionPolicy()


class ClosedBy(StrEnum):
    """What closed a session: somebody's call, the same user's next session, or that nothing more was said."""

    CALL = "call"
    NEXT = "next"
    SILENCE = "silence"


@dataclass(frozen=True, slots=True)
class Opening:
    """A time in which a session was open, in transaction time; ``closed_at`` is None while it is."""

    opened_at: datetime
    closed_at: datetime | None = None
    closed_by: ClosedBy | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The episodes of one session name and one user ("": of nobody in particular).

    ``agent`` is which of the caller's agents it was with, ``subject`` whom it is about where that is not the speaker.
    ``openings`` are in order of time; none is changed once it is closed. ``closes_at`` is when the last one closes by
    silence; None where it is closed.
    """

    id: str
    group_id: str
    name: str
    user: str
    agent: str | None = None
    subject: str | None = None
    openings: tuple[Opening, ...] = ()
    closes_at: datetime | None = None

    @property
    def opened_at(self) -> datetime:
        return self.openings[0].opened_at

    @property
    def reopened_at(self) -> datetime | None:
        """When it was opened last, if not for the first time."""
        return self.openings[-1].opened_at if len(self.openings) > 1 else None

    @property
    def closed_at(self) -> datetime | None:
        return self.openings[-1].closed_at

    @property
    def closed_by(self) -> ClosedBy | None:
        return self.openings[-1].closed_by

    @property
    def open(self) -> bool:
        return self.closes_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """New episodes of a session that came in one request: the last was recorded ``at`` that time."""

    session_id: str
    at: datetime
    agent: str | None = None
    subject: str | None = None


def after_episodes(known: Iterable[Session], arrivals: Iterable[Arrival], silence: timedelta) -> list[Session]:
    """The sessions that got episodes or were closed by them, in order of id.

    ``known`` are the sessions of the arrivals, and those of the same users that are open. Arrivals are in the order in
    which they came. A session that is opened closes the others of its user; what is of nobody closes nothing.
    """
    before = {session.id: session for session in known}
    now, got = dict(before), set[str]()
    for arrival in arrivals:
        got.add(arrival.session_id)
        heard = _heard(now[arrival.session_id], arrival, silence)
        opens = len(heard.openings) > len(now[arrival.session_id].openings)
        now[heard.id] = heard
        if opens and heard.user != EVERYBODY:
            now |= _closed_by_next(now, heard, arrival.at)
    return [now[id_] for id_ in sorted(now) if id_ in got or now[id_] != before[id_]]


def closed(session: Session, at: datetime, by: ClosedBy) -> Session:
    """The session, closed at that time unless silence closed it before; one that is closed stays as it is."""
    session = silenced(session, at)
    if session.closes_at is None:
        return session
    last = session.openings[-1]
    ended = replace(last, closed_at=max(at, last.opened_at), closed_by=by)
    return replace(session, openings=(*session.openings[:-1], ended), closes_at=None)


def silenced(session: Session, now: datetime) -> Session:
    """The session as it is ``now``, if nothing more has been said: perhaps silence has closed it."""
    if session.closes_at is None or session.closes_at > now:
        return session
    ended = replace(session.openings[-1], closed_at=session.closes_at, closed_by=ClosedBy.SILENCE)
    return replace(session, openings=(*session.openings[:-1], ended), closes_at=None)


def as_known(session: Session, at: datetime) -> Session | None:
    """The session as it was known then; None if it had not been opened. Later changes never change this."""
    openings = [opening for opening in session.openings if opening.opened_at <= at]
    if not openings:
        return None
    last = openings[-1]
    if last.closed_at is not None and last.closed_at > at:
        openings[-1] = Opening(last.opened_at)
        return replace(session, openings=tuple(openings), closes_at=last.closed_at)
    whole = len(openings) == len(session.openings)
    return silenced(replace(session, openings=tuple(openings), closes_at=session.closes_at if whole else None), at)


def _heard(session: Session, arrival: Arrival, silence: timedelta) -> Session:
    session = silenced(session, arrival.at)
    openings = session.openings if session.open else (*session.openings, Opening(arrival.at))
    closes_at = arrival.at + silence
    return replace(
        session,
        agent=arrival.agent or session.agent,
        subject=arrival.subject or session.subject,
        openings=openings,
        closes_at=closes_at if session.closes_at is None else max(closes_at, session.closes_at),
    )


def _closed_by_next(known: Mapping[str, Session], opened: Session, at: datetime) -> dict[str, Session]:
    others = [
        session
        for session in known.values()
        if session.user == opened.user and session.id != opened.id and session.open
    ]
    return {session.id: closed(session, at, ClosedBy.NEXT) for session in others}
