"""The packaged weights: what each level of agreement says, and how common names are in the wide world."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from math import exp2, log2
from typing import Any

from graphmem.model.matching import Shifts

_PER = 100_000
_HIGHEST_U = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """``m`` and ``u`` of a level; the frequency of the value counts ``times`` in ``u``."""

    m: float
    u: float = 0.0
    times: float = 0.0

    def weight(self, frequency: float = 0.0) -> float:
        """In bits, of a value of that frequency."""
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
        found = self.parts[part][level]
        shift = self.shift(attribute, level)
        return replace(found, m=min(found.m * exp2(shift), 1.0)) if shift else found

    def shift(self, attribute: str, level: str) -> float:
        """By how many bits it was refined."""
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
