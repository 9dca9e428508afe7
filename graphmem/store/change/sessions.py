"""Changes of sessions: opened by episodes, closed by calls, by others and by silence."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from graphmem.model.episode import Episode, is_counted
from graphmem.model.scope import EVERYBODY
from graphmem.model.session import SESSIONS, Arrival, ClosedBy, Session, SessionPolicy, after_episodes, closed
from graphmem.store.driver import Transaction
from graphmem.store.instants import as_text
from graphmem.store.named import GroupQueries, QueryStore
from graphmem.store.parameters import own_id_of
from graphmem.store.queries import Query
from graphmem.store.rows.episode import RememberedRow
from graphmem.store.rows.session import LockedSessionRow


class SessionChanges(QueryStore):
    """Closes sessions, in a transaction of its own."""

    async def close(self, group: str, ids: Sequence[str], by: ClosedBy) -> None:
        """Close sessions now, unless they are closed; what silence has closed by now, silence has closed."""

        async def work(transaction: Transaction) -> None:
            writes = SessionWrites(transaction, self._queries, group)
            known, now = await writes.lock_sessions(ids)
            if now is not None:
                after = [closed(session, now, by) for session in known]
                changed = [new for old, new in zip(known, after, strict=True) if new != old]
                await writes.write_sessions(changed, {}, SESSIONS)

        await self.database.write(work)


class SessionWrites:
    """The queries that change sessions, in an open transaction of one group."""

    def __init__(self, transaction: Transaction, queries: Mapping[str, Query], group: str) -> None:
        self._run = GroupQueries(transaction, queries, group)

    async def lock_sessions(
        self, ids: Iterable[str], users: Iterable[str] = ()
    ) -> tuple[list[Session], datetime | None]:
        """Those with these ids, and those of these users that are open; and the clock, None where there are none.

        One that cannot be read is left out, and noted.
        """
        rows = await self._run.many("lock_sessions", LockedSessionRow, ids=sorted(set(ids)), users=sorted(set(users)))
        return [row.session.to_domain() for row in rows], max((row.now for row in rows), default=None)

    async def write_sessions(
        self, sessions: Sequence[Session], turns: Mapping[str, Sequence[Episode]], policy: SessionPolicy
    ) -> None:
        """Write sessions, and that they are to be summarised if they are closed.

        ``turns`` has the new turns of each that summaries cover: with enough in no summary, or one that was said
        before something that is in one, a session is to be summarised as well.
        """
        if sessions:
            rows = [_session_row(session, turns.get(session.id, ()), policy.enough_of(session)) for session in sessions]
            await self._run.execute("write_sessions", rows=rows)

    async def note_subjects(self, sessions: Iterable[Session], episodes: Iterable[Episode]) -> None:
        """Note with new episodes whom their session is about, where they do not say it themselves."""
        subjects = {session.id: session.subject for session in sessions if session.subject}
        silent = [(episode.id, subjects.get(own_id_of(episode) or "")) for episode in episodes if not episode.subject]
        if rows := [{"id": id_, "subject": subject} for id_, subject in silent if subject]:
            await self._run.execute("note_subjects", rows=rows)


async def follow_episodes(
    writes: SessionWrites, episodes: Sequence[Episode], rows: Iterable[RememberedRow], policy: SessionPolicy
) -> None:
    """Open and close sessions after episodes were stored, in the same transaction.

    A session that cannot be read stays as it is: what is said in it is stored all the same.
    """
    recorded_at = {row.id: row.recorded_at for row in rows if row.new}
    new = [episode for episode in episodes if episode.id in recorded_at and episode.session]
    if not new:
        return
    arrivals = dict[str, Arrival]()
    turns = dict[str, list[Episode]]()
    for episode in new:
        id_ = own_id_of(episode) or ""
        before = arrivals.pop(id_, Arrival(session_id=id_, at=recorded_at[episode.id]))
        arrivals[id_] = Arrival(
            session_id=id_,
            at=max(before.at, recorded_at[episode.id]),
            agent=episode.agent or before.agent,
            subject=episode.subject or before.subject,
        )
        turns.setdefault(id_, []).extend([episode] if is_counted(episode) else [])
    known, _ = await writes.lock_sessions(arrivals, {episode.user for episode in new} - {EVERYBODY})
    readable = {session.id for session in known}
    heard = [arrival for id_, arrival in arrivals.items() if id_ in readable]
    after = after_episodes(known, heard, policy.silence)
    await writes.write_sessions(after, turns, policy)
    await writes.note_subjects(after, new)


def _session_row(session: Session, turns: Sequence[Episode], enough: int) -> dict[str, object]:
    closings = [opening for opening in session.openings if opening.closed_at is not None]
    return {
        "id": session.id,
        "user": session.user,
        "agent": session.agent,
        "subject": session.subject,
        "openings": [as_text(opening.opened_at) for opening in session.openings],
        "closings": [as_text(opening.closed_at) for opening in closings if opening.closed_at],
        "closers": [opening.closed_by for opening in closings],
        "closes_at": session.closes_at and as_text(session.closes_at),
        "opened_at": as_text(session.opened_at),
        "closed_at": session.closed_at and as_text(session.closed_at),
        "closed_by": session.closed_by,
        "turns": len(turns),
        "enough": enough,
        "first_said": as_text(min(turn.occurred_at for turn in turns)) if turns else None,
    }
