"""Words of a question that few texts have: a long text that has such a word stands above what has less of them.

Everywhere else its length counts against it: full text divides by it, and a passage says more than one thing.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, nextafter

from graphmem.model.hits import Ranked
from graphmem.retrieve.paths import telling_words
from graphmem.retrieve.question import Question
from graphmem.retrieve.scales import moved_to

FEW = 3
"""A word is rare that so many episodes have, or fewer."""
MOST_WORDS = 12
"""Words of a question that are looked up one by one: the longest of them, which are rarer."""
_LEAST_SHARE = Fraction(1, 6)
"""The rare words of a long text that is moved up are worth this share of all words of the question. In a long question
any long text may have a rare one: docs/decisions/0099."""

Place = tuple[int, int]


def words_to_count(asked: Question) -> list[str]:
    """The words of a question that may be rare."""
    return sorted(telling_words(asked), key=len, reverse=True)[:MOST_WORDS]


@dataclass(frozen=True, slots=True)
class RareWords:
    """The episodes that have each rare word of a question.

    ``places`` are the passages of long ones that have enough of these words, by the ids of their episodes.
    """

    holders: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    places: Mapping[str, Place] = field(default_factory=dict[str, Place])

    def of(self, id_: str) -> frozenset[str]:
        """Those of an episode."""
        return frozenset(word for word, ids in self.holders.items() if id_ in ids)

    def worth(self, words: Iterable[str]) -> Fraction:
        """1 / n for each word that n episodes have."""
        return sum((Fraction(1, len(self.holders[word])) for word in words), Fraction())


def rare_words(asked: Question, heard: Mapping[str, Sequence[tuple[str, Place | None]]]) -> RareWords:
    """``heard`` are by word the episodes that have it, a long one with each passage that has it."""
    holders, places = dict[str, frozenset[str]](), dict[str, Place]()
    for word, hits in sorted(heard.items(), key=lambda item: len(item[1])):  # that of the fewest passages tells where
        ids = frozenset(id_ for id_, _ in hits)
        if 0 < len(ids) <= FEW:
            holders[word] = ids
            places = {id_: place for id_, place in reversed(hits) if place is not None} | places
    rare, least = RareWords(holders), _LEAST_SHARE * len(telling_words(asked))
    return RareWords(holders, {id_: place for id_, place in places.items() if rare.worth(rare.of(id_)) >= least})


def with_rarest_first(ranked: Sequence[Ranked], rare: RareWords, cited: Iterable[tuple[str, str]]) -> list[Ranked]:
    """Hits, best first, with those long texts above all that have less of the rare words, or as much in others.

    ``cited`` are beliefs with the episodes that they have their words from: what a short one has, its belief has, too.
    """
    words = defaultdict[str, frozenset[str]](frozenset, {item.id: rare.of(item.id) for item in ranked})
    for belief, episode in cited:
        words[belief] |= rare.of(episode) if episode not in rare.places else frozenset()
    scores = {item.id: item.score for item in ranked}
    raised = dict[str, float]()

    def passed_by(those: frozenset[str]) -> Iterable[float]:
        worth = rare.worth(those)
        return (score for id_, score in scores.items() if words[id_] != those and rare.worth(words[id_]) <= worth)

    long = [item for item in ranked if item.id in rare.places]
    for item in sorted(long, key=lambda item: (rare.worth(words[item.id]), item.score)):
        above = max([*passed_by(words[item.id]), *raised.values()], default=-inf)
        if item.score <= above:
            raised[item.id] = scores[item.id] = nextafter(above, inf)
    moved = (
        moved_to(item, raised[item.id], "rare", float(rare.worth(words[item.id]))) if item.id in raised else item
        for item in ranked
    )
    return sorted(moved, key=lambda item: (-item.score, item.kind, item.id))
