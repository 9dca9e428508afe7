"""Extraction switched off: episodes are kept and found, and nothing is read from them."""

from graphmem.model.episode import Episode
from graphmem.model.fragment import Fragment


class NothingExtractor:
    """An ``Extractor`` that reads nothing."""

    async def extract(self, episode: Episode) -> Fragment:
        del episode
        return Fragment(mentions=(), claims=(), extractor="off", version="1")
