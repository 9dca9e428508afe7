"""What a summary made anew has to do with others: whether it says anything new, and how far it moved."""

from collections.abc import Collection, Iterable, Sequence
from math import sqrt

from graphmem.model.embedding import Vector

SAME_COSINE = 0.95
"""From this cosine on, two summaries say the same."""
OPENING = 120
"""Characters at the beginning of a summary; two of that length with one beginning say the same."""


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """From -1 to 1; 0 where a vector has no direction."""
    product = sum(a * b for a, b in zip(one, other, strict=True))
    lengths = sqrt(sum(a * a for a in one)) * sqrt(sum(b * b for b in other))
    return max(-1.0, min(1.0, product / lengths)) if lengths else 0.0


def says_nothing_new(content: str, vector: Vector, others: Iterable[tuple[str, Vector]]) -> bool:
    """Whether a summary has to be refused because one of ``others``, its content and vector, says the same already.

    Its own older versions are no others. A summary shorter than ``OPENING`` characters is never refused.
    """
    opening = _opening(content)
    if len(opening) < OPENING:
        return False
    return any(_opening(other) == opening or cosine(vector, near) >= SAME_COSINE for other, near in others)


def drift(before: Vector, after: Vector) -> float:
    """How far a summary moved between two versions: 1 - cosine of their vectors, so 0 of the same and at most 2."""
    return 1.0 - cosine(before, after)


def still_believed(cited: Collection[str], believed: Collection[str]) -> float:
    """The share of the beliefs that a summary cites, by id, that are believed now; 1 where it cites none."""
    wanted = set(cited)
    return len(wanted & set(believed)) / len(wanted) if wanted else 1.0


def _opening(content: str) -> str:
    """In one case, and with one blank wherever there are several."""
    return " ".join(content.casefold().split())[:OPENING]
