"""Episodes for tests that need no database."""

from graphmem.model.episode import Episode, Status, StoredEpisode


def stored(episode: Episode) -> StoredEpisode:
    """As it is when it has just come in."""
    return StoredEpisode(
        id=episode.id,
        episode=episode,
        status=Status.PENDING,
        attempts=0,
        leases=0,
        error=None,
        recorded_at=episode.occurred_at,
        digested_at=None,
        outcome=None,
    )
