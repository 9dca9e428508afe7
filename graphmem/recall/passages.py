"""The texts of which a content has vectors: itself, or if it is long its passages, each with a vector of its own."""

from collections.abc import Sequence

from graphmem.extract.pieces import passages
from graphmem.model.embedding import EmbeddedPassage, EmbeddedText, Vector


def texts_of(content: str) -> list[str]:
    """The texts to embed of a content, in their order."""
    return [content[part.start : part.end] for part in passages(content)] or [content]


def embedded_text(content: str, vectors: Sequence[Vector | None]) -> EmbeddedText:
    """The content with the vectors of its ``texts_of``; None of one at which the model fails."""
    parts = passages(content)
    if not parts:
        return EmbeddedText(embedding=vectors[0])
    embedded_passages = tuple(
        EmbeddedPassage(start=part.start, end=part.end, text=content[part.start : part.end], embedding=vector)
        for part, vector in zip(parts, vectors, strict=True)
    )
    return EmbeddedText(passages=embedded_passages) if any(vector is not None for vector in vectors) else EmbeddedText()
