"""How common names and values are: what is counted of an entity, and what the counts of a group say."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log2

from graphmem.model.matching import Frequencies, MatchProfile
from graphmem.resolve.matching.names import NameKind, kind_of, names_of
from graphmem.resolve.matching.numbers import models_of
from graphmem.resolve.matching.values import ValueShape, value_of
from graphmem.resolve.matching.weights import MatchingWeights

_MOST_WORDS = 64
_PAIR = 2
"""The holders of a shared value that are the pair itself."""


class NoFrequencies:
    """Of a group about which nothing is known."""

    def count(self, field: str, term: str) -> int:
        _ = field, term
        return 0

    def total(self, field: str) -> int:
        _ = field
        return 0


def terms(profile: MatchProfile) -> frozenset[tuple[str, str]]:
    """What is counted of an entity, as (field, term). Entities of one name are one holder, but of their own ``key``."""
    return frozenset(_terms(profile))


def _terms(profile: MatchProfile) -> Iterator[tuple[str, str]]:
    kind = kind_of(profile.type)
    for name in names_of(profile, kind):
        yield field_of(profile.type, "key"), name.key
        if kind is NameKind.PERSON:
            # Any word may be given or the family's, for the order is often wrong: one field for both.
            yield from ((field_of(profile.type, "person"), word) for word in name.person.words)
        else:
            yield from ((field_of(profile.type, "word"), word) for word in name.words)
        yield from ((field_of(profile.type, "model"), model) for model in models_of(name.text))
    for predicate, values in profile.values.items():
        for value in map(value_of, values):
            yield field_of(profile.type, predicate), value.term
            if value.shape is ValueShape.LONG:
                yield from ((field_of(profile.type, "word"), word) for word in value.words[:_MOST_WORDS])
                yield from ((field_of(profile.type, "model"), model) for model in models_of(value.text))


def field_of(type_: str, part: str) -> str:
    return f"{type_.casefold()}.{part}"


@dataclass(frozen=True, slots=True)
class Rarity:
    """Frequencies of a group, smoothed by those of the wide world."""

    counts: Frequencies
    weights: MatchingWeights
    type: str

    def of(self, part: str, term: str, field: str = "") -> float:
        """The share of entities, other than a pair that shares the term, that hold it."""
        where = field_of(self.type, field or part)
        seen, total = max(self.counts.count(where, term) - _PAIR, 0), self.counts.total(where)
        wide, smoothing = self.weights.wide(part, term), self.weights.smoothing
        smoothed = (seen + 0.5 * (seen > 0) + smoothing * wide) / (total + smoothing)
        return max(smoothed, min(wide, 0.5 / (total + 1)))

    def holders(self, part: str, term: str) -> int:
        """How many keys of the group hold it, as far as is known."""
        return self.counts.count(field_of(self.type, part), term)

    def total(self, part: str) -> int:
        return self.counts.total(field_of(self.type, part))

    def prior(self) -> float:
        """The log odds, in bits, that two entities of the group are one."""
        return log2(self.weights.matches / (self.counts.total(field_of(self.type, "key")) + self.weights.others))
