"""Episodes for tests that need no database."""

from graphmem.model.episode import Episode, EpisodeStatus, StoredEpisode


def stored(episode: Episode) -> StoredEpisode:
    """As it is when it has just come in."""
    return StoredEpisode(
        id=episode.id,
        episode=episode,
        status=EpisodeStatus.PENDING,
        attempts=0,
        leases=0,
        error=None,
        recorded_at=episode.occurred_at,
        digested_at=None,
        outcome=None,
    )
