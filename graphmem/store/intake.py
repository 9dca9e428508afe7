"""Storing episodes in an open transaction: alone, to be digested, or with the structured claims that they are."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from graphmem.errors import Conflict
from graphmem.model.episode import Episode, EpisodeStatus
from graphmem.model.ids import group_token
from graphmem.model.work import Lane
from graphmem.store.driver import Transaction
from graphmem.store.parameters import episode_row
from graphmem.store.queries import Query
from graphmem.store.rows.episode import RememberedRow

NO_CALLS: Mapping[str, str] = {}


async def store_episodes(
    transaction: Transaction,
    query: Query,
    group: str,
    request: str,
    episodes: Sequence[Episode],
    *,
    status: EpisodeStatus = EpisodeStatus.PENDING,
    recorded_at: datetime | None = None,
    lane: Lane = Lane.LIVE,
    calls: Mapping[str, str] = NO_CALLS,
) -> list[RememberedRow]:
    """Store all of them; without ``recorded_at`` the clock says when. ``calls``: which are to be read together.

    Raises:
        Conflict: one has the identity of a stored episode and says something else.
    """
    rows = await transaction.run(
        query,
        RememberedRow,
        group=group,
        group_token=group_token(group),
        request=request,
        status=status,
        recorded_at=recorded_at,
        labels=["Work"] if status is EpisodeStatus.PENDING else [],
        lane=lane,
        rows=[episode_row(one, position, calls.get(one.id)) for position, one in enumerate(episodes)],
    )
    _refuse_other_content(rows, {episode.id: episode.fingerprint for episode in episodes})
    return rows


def _refuse_other_content(rows: Iterable[RememberedRow], fingerprints: Mapping[str, str]) -> None:
    """Raise Conflict where an identity was used before for something else."""
    for row in rows:
        if row.fingerprint != fingerprints[row.id]:
            raise Conflict(
                f"Episode {row.id} exists with other content. The same external_id or Idempotency-Key of a user must "
                "come with the same content, time, session, role and speaker, or the same claim; use a new one for a "
                "new one."
            )
