"""Texts longer than an extractor reads at once: their pieces, and the context in which pieces are read."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, takewhile

from graphmem.extract.pieces import TextPiece, pieces
from graphmem.extract.speakers import several_speak
from graphmem.model.episode import Episode, StoredEpisode
from graphmem.model.fragment import Context, Extractor


def is_long(stored: StoredEpisode, extractor: Extractor) -> bool:
    """Whether the text is read in pieces."""
    return bool(stored.cursor) or len(stored.episode.content) > extractor.piece_chars


def parts_of(stored: StoredEpisode, extractor: Extractor) -> Sequence[TextPiece]:
    """The pieces of a long text that are left to read; none of a text that is read at once."""
    if not is_long(stored, extractor):
        return ()
    return tuple(pieces(stored.episode.content, extractor.piece_chars, stored.cursor))


def context_of_pieces(stored: StoredEpisode, context: Context) -> Context:
    """The context of any piece: no turns before it, but whether several speak in the whole."""
    return replace(context, turns=(), ids=(), several_speak=several_speak(stored.episode.content))


def goes_on(stored: StoredEpisode, piece: TextPiece | None) -> bool:
    """Whether other pieces of the text follow this one; None is the whole text."""
    return piece is not None and piece.end < len(stored.episode.content)


def fitting(turns: Sequence[Episode], most: int) -> Sequence[Episode]:
    """The first of the turns, as many as have room in so many code points."""
    sums = accumulate(len(turn.content) for turn in turns)
    return turns[: sum(1 for _ in takewhile(lambda chars: chars <= most, sums))]
