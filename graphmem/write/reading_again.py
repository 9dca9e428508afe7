"""Episodes read again by a closer reader than the one that read them, each once of that reader."""

from collections.abc import Iterable

from graphmem.model.episode import CloserReader, EpisodeStatus, ReadableEpisode
from graphmem.store.graph import GraphStore


class ReadingAgain:
    """Asks a reader for digests of what others read. The digests are work of their own."""

    def __init__(self, store: GraphStore, reader: CloserReader | None) -> None:
        """``reader`` is None where nothing is to be read."""
        self._store = store
        self.reader = reader

    @property
    def asks_model(self) -> bool:
        """Whether the reader is a language model."""
        return self.reader is not None and self.reader.is_model

    async def found(
        self, group: str, limit: int, *, session: str | None = None, entities: int | None = None
    ) -> list[ReadableEpisode]:
        """Up to ``limit`` episodes to be read again, of a session or of all; ``entities``: with no more."""
        if self.reader is None or limit <= 0:
            return []
        return await self._store.episodes_to_read_again(group, self.reader, limit, session=session, entities=entities)

    async def ask(self, group: str, ids: Iterable[str]) -> int:
        """Have episodes read again; returns how many the reader had not been asked for."""
        wanted = list(ids)
        if self.reader is None or not wanted:
            return 0
        return len(await self._store.read_again(group, wanted, self.reader))

    async def waiting(self, group: str) -> bool:
        """Whether episodes of the group wait to be read again."""
        return (await self._store.work_of_group(group, [EpisodeStatus.REFINING]))[EpisodeStatus.REFINING] > 0
