"""A summary without a language model: the beliefs that its turns brought, then the sentences most central to them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date

from graphmem.model.embedding import Vector
from graphmem.model.episode import StoredEpisode
from graphmem.model.summary import SummarySentence, SummaryText, written_day
from graphmem.summarise.choosing import Choice

MOST_OF_WINDOW = 256
MOST_OF_META = 512
_PART, _OF = 3, 10
"""A summary has at most three tenths of the tokens of what it is made of."""

Count = Callable[[str], int]
"""How many tokens a text has."""


def limit_of_window(turns: Iterable[StoredEpisode], count: Count) -> int:
    """The most tokens of a summary of turns; what is counted of them is what was said, without who said it when."""
    return _limit((count(stored.episode.content) for stored in turns), MOST_OF_WINDOW)


def limit_of_meta(summaries: Iterable[str], count: Count) -> int:
    """The most tokens of a summary of summaries, given their contents.

    Beside the absolute limit, three tenths of what they have: else each tier would be half as long as the one below.
    """
    return _limit(map(count, summaries), MOST_OF_META)


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
    heading = _heading([sentence.said_on for sentence in material])
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
    """Places in the material, best first."""
    found = [vectors[sentence.words] for sentence in material]
    choice = Choice(found, [sentence.importance for sentence in material], costs)
    beliefs = sum(sentence.belief_id is not None for sentence in material)
    left = choice.add(range(beliefs), room)
    choice.add(range(beliefs, len(material)), left)
    return choice.chosen


def _heading(days: Sequence[date]) -> str:
    """
    >>> _heading([date(2025, 5, 3), date(2025, 5, 1)])
    '1 May 2025 to 3 May 2025:'
    """
    first, last = written_day(min(days)), written_day(max(days))
    return f"{first}:" if first == last else f"{first} to {last}:"


def _limit(tokens: Iterable[int], most: int) -> int:
    return min(most, _PART * sum(tokens) // _OF)
