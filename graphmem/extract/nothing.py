"""Extraction switched off: episodes are kept and found, and nothing is read from them."""

import sys

from graphmem.model.episode import Episode
from graphmem.model.fragment import ALONE, Context, Fragment


class NothingExtractor:
    """An ``Extractor`` that reads nothing."""

    context_turns = 0
    piece_chars = sys.maxsize
    context_chars = 0
    uses_ontology = False

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        del episode, context
        return Fragment(mentions=(), claims=(), extractor="off", version="1")
