"""Long texts in pieces that fit a model's window, cut at sentences where there are any."""

import re
from collections.abc import Iterator

_SENTENCE = re.compile(r"[^.!?\n]*[.!?\n]+\s*|[^.!?\n]+")


def chunks(text: str, limit: int) -> list[str]:
    """Pieces of at most ``limit`` characters that together are the text, blank ones left out."""
    pieces: list[str] = []
    piece = ""
    for sentence in _sentences(text, limit):
        if piece and len(piece) + len(sentence) > limit:
            pieces.append(piece)
            piece = ""
        piece += sentence
    pieces.append(piece)
    return [piece for piece in pieces if piece.strip()]


def _sentences(text: str, limit: int) -> Iterator[str]:
    for match in _SENTENCE.finditer(text):
        sentence = match.group()
        yield from (sentence[at : at + limit] for at in range(0, len(sentence), limit))
