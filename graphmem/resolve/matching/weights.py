"""What each level of agreement says, and how common names and values are: in the wide world, and in a group."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from math import exp2, log2
from typing import Any

from graphmem.model.matching import Agreement, Frequencies, MatchProfile, Shifts
from graphmem.resolve.matching.names import NameKind, kind_of, names_of
from graphmem.resolve.matching.numbers import models_of
from graphmem.resolve.matching.values import ValueShape, value_of

_PER = 100_000
_HIGHEST_U = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """``m`` and ``u`` of a level; the frequency of the value counts ``times`` in ``u``."""

    m: float
    u: float = 0.0
    times: float = 0.0

    def weight(self, frequency: float = 0.0) -> float:
        """What the level says, in bits, of a value of that frequency."""
        u = self.u + self.times * frequency
        return log2(self.m / (min(u, _HIGHEST_U) if self.times else u))


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchingWeights:
    """``parts`` has the levels of each part; ``common`` frequencies of unlisted values, and ``listed`` the others.

    ``refined``: by how many bits levels of attributes say more in the group at hand.
    """

    parts: Mapping[str, Mapping[str, Level]]
    matches: float
    others: float
    one_name: float
    smoothing: float
    common: Mapping[str, float]
    listed: Mapping[str, Mapping[str, float]]
    refined: Shifts = field(default_factory=dict[str, Mapping[str, float]])

    def level(self, part: str, level: str, attribute: str = "") -> Level:
        """A level of a part, as it is for an attribute of which it may have been refined."""
        packaged_level = self.parts[part][level]
        shift = self.shift(attribute, level)
        return replace(packaged_level, m=min(packaged_level.m * exp2(shift), 1.0)) if shift else packaged_level

    def shift(self, attribute: str, level: str) -> float:
        """By how many bits a level of an attribute was refined."""
        return self.refined.get(attribute, {}).get(level, 0.0)

    def wide(self, part: str, term: str) -> float:
        """How common a term is where nothing else is known."""
        return self.listed.get(part, {}).get(term, self.common.get(part, self.common["word"]))


@lru_cache(maxsize=1)
def packaged() -> MatchingWeights:
    read: dict[str, Any] = tomllib.loads(
        files("graphmem.resolve.matching").joinpath("weights.toml").read_text(encoding="utf-8")
    )
    prior: dict[str, float] = read.pop("prior")
    frequencies: dict[str, Any] = read.pop("frequencies")
    listed = {part: frequencies.pop(table) for part, table in (("family", "families"), ("given", "givens"))}
    return MatchingWeights(
        parts={part: {name: Level(**level) for name, level in levels.items()} for part, levels in read.items()},
        matches=prior["matches"],
        others=prior["others"],
        one_name=prior["one_name"],
        smoothing=prior["smoothing"],
        common=frequencies,
        listed={part: {term: count / _PER for term, count in table.items()} for part, table in listed.items()},
    )


_MOST_WORDS = 64
_PAIR = 2
"""The holders of a shared value that are the pair itself."""


class NoFrequencies:
    """The frequencies of a group about which nothing is known."""

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

    def agreement(self, part: str, level: str, of_a: str = "", of_b: str = "", *, frequency: float = 0.0) -> Agreement:
        """What a level of agreement says of two values in a part, where what they share has this frequency."""
        weight = self.weights.level(part, level).weight(frequency)
        return Agreement(part=part, level=level, weight=weight, of_a=of_a, of_b=of_b)

    def holders(self, part: str, term: str) -> int:
        """How many keys of the group hold it, as far as is known."""
        return self.counts.count(field_of(self.type, part), term)

    def total(self, part: str) -> int:
        return self.counts.total(field_of(self.type, part))

    def prior(self) -> float:
        """The log odds, in bits, that two entities of the group are one."""
        return log2(self.weights.matches / (self.counts.total(field_of(self.type, "key")) + self.weights.others))
