"""A summary without a language model: the beliefs that its turns brought, then the sentences most central to them.

Sentences are chosen by maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998): the next one has the highest
``RELEVANCE * relevance - (1 - RELEVANCE) * redundancy``. Relevance is the cosine with the mean of all sentences plus
the importance, redundancy the highest cosine with a sentence chosen before (docs/decisions/0045).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from graphmem.model.dates import written_day
from graphmem.model.embedding import Vector
from graphmem.model.episode import StoredEpisode
from graphmem.model.summary import SummarySentence, SummaryText

RELEVANCE = 0.3
"""The weight of relevance, from 0 to 1."""
SAID_ALREADY = 0.8
"""From this cosine on with a sentence chosen before, a sentence says nothing more."""
_DIGITS = 6
"""Scores are compared to so many digits, so that the last bits of a sum decide nothing."""

Floats = NDArray[np.float64]

MOST_OF_WINDOW = 256
MOST_OF_META = 512

Count = Callable[[str], int]
"""How many tokens a text has."""


def _unit(vectors: Floats) -> Floats:
    """Vectors of length one; those without a direction stay as they are."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1.0)


def tokens_said(turns: Iterable[StoredEpisode], count: Count) -> int:
    """The tokens of turns: of what was said, without who said it when."""
    return sum(count(stored.episode.content) for stored in turns)


def limit_of_window(turn_tokens: int) -> int:
    """The most tokens of a summary of turns that have ``turn_tokens`` tokens: three tenths, and at most 256."""
    return min(MOST_OF_WINDOW, 3 * turn_tokens // 10)


def limit_of_meta(turn_tokens: int) -> int:
    """The most tokens of a summary of summaries, whose turns have ``turn_tokens`` tokens: a fiftieth, and at most 512.

    A fiftieth, so that facts and the topmost summaries of a thousand turns have a twentieth of their tokens, although
    four summaries of each tier may wait for a fifth one.
    """
    return min(MOST_OF_META, turn_tokens // 50)


def summarised(
    material: Sequence[SummarySentence], vectors: Mapping[str, Vector], max_tokens: int, count: Count
) -> SummaryText | None:
    """A summary of at most ``max_tokens`` tokens; None if there is nothing to say, or no room for any sentence.

    ``vectors`` has one for the ``words`` of each sentence, all of one model. As many beliefs as fit come first, then
    as many of the other sentences as still do, both in the order of the ``material``. The same input gives the same.

    Raises:
        KeyError: a vector is missing.
    """
    if not material:
        return None
    dated = len({sentence.said_on for sentence in material}) > 1
    heading = heading_of([sentence.said_on for sentence in material])
    texts = [sentence.text(dated=dated) for sentence in material]
    chosen = _chosen(material, vectors, [count(text) for text in texts], max_tokens - count(heading))
    while chosen:
        kept = sorted(chosen)
        content = "\n".join([heading, *(texts[at] for at in kept)])
        if (tokens := count(content)) <= max_tokens:  # tokens may span lines
            sentences = tuple(material[at] for at in kept)
            return SummaryText(
                content=content, tokens=tokens, lines=tuple(texts[at] for at in kept), sentences=sentences
            )
        chosen = chosen[:-1]
    return None


def _chosen(
    material: Sequence[SummarySentence], vectors: Mapping[str, Vector], costs: Sequence[int], room: int
) -> list[int]:
    """Places in the material: beliefs while one fits into the room, in tokens, then other sentences; best first."""
    unit = _unit(np.asarray([vectors[sentence.words] for sentence in material], dtype=np.float64))
    relevance: Floats = unit @ _unit(unit.mean(axis=0)) + np.asarray([sentence.importance for sentence in material])
    redundancy: Floats = np.zeros(len(material))
    costs_of, chosen = np.asarray(costs), list[int]()
    is_belief = np.asarray([sentence.row_id is not None for sentence in material])
    for left in (is_belief, ~is_belief):
        while (open_ := left & (costs_of <= room) & (redundancy < SAID_ALREADY)).any():
            scores = np.round(RELEVANCE * relevance - (1 - RELEVANCE) * redundancy, _DIGITS)
            best = int(np.where(open_, scores, -np.inf).argmax())
            chosen.append(best)
            left[best] = False
            room -= costs[best]
            redundancy = np.maximum(redundancy, unit @ unit[best])
    return chosen


def heading_of(days: Sequence[date]) -> str:
    """The days of the sentences, the first and the last.

    >>> heading_of([date(2025, 5, 3), date(2025, 5, 1)])
    '1 May 2025 to 3 May 2025:'
    """
    first, last = written_day(min(days)), written_day(max(days))
    return f"{first}:" if first == last else f"{first} to {last}:"
