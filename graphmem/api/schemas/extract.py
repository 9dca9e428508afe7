"""What would be read of an episode, and why not more."""

from graphmem.api.schemas.episodes import EpisodeIn
from graphmem.api.schemas.words import Name


class ExtractIn(EpisodeIn):
    """An episode that is read and not stored, by a ``strategy``, else as the settings say."""

    strategy: Name | None = None
