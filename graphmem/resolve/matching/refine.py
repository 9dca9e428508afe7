"""How often records of one thing agree in a group, learnt from its own pairs without labels (EM).

Only ``m`` is learnt, and only from pairs with four or more fields: with fewer, an error rate and a share of matches
cannot be told apart. ``u`` stays what the frequencies of the values say, and the prior what it is.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import log2

from graphmem.model.matching import Contribution, Judgement, Method
from graphmem.resolve.matching.attributes import attribute, shape_of
from graphmem.resolve.matching.score import FIELDS_OF_NAMES, is_beside_names, probability_of
from graphmem.resolve.matching.values import Shape, value_of
from graphmem.resolve.matching.weights import Weights, packaged

FEWEST_FIELDS = 4
FEWEST_PAIRS = 50.0
_ROUNDS = 12
_PACKAGED_PAIRS = 25.0
"""The packaged rates count as if they had been seen in so many pairs."""
_FEWEST = 0.002
Rates = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """The level of each field of a pair, and its score with the packaged rates."""

    levels: tuple[tuple[str, str], ...]
    score: float


def refined(judgements: Iterable[Judgement], weights: Weights | None = None) -> Weights:
    """The weights with ``m`` as the pairs suggest. They stay as they are where the pairs say too little."""
    weights = weights or packaged()
    patterns, rates = list[Pattern](), dict[str, Mapping[str, float]]()
    for one in judgements:
        fields = [(contribution, _part(contribution)) for contribution in one.contributions]
        levels = tuple((part, contribution.level) for contribution, part in fields if part)
        if len(levels) >= FEWEST_FIELDS and one.method is not Method.VETO:
            patterns.append(Pattern(levels=levels, score=one.score))
            rates.update({part: _packaged(contribution, weights) for contribution, part in fields if part not in rates})
    known = {part: some for part, some in rates.items() if some}
    return replace(weights, refined=learnt(known, patterns))


def _part(contribution: Contribution) -> str:
    """The name of its rates; "" of what is no field of a record."""
    if contribution.part in FIELDS_OF_NAMES:
        return contribution.part
    shared = contribution.of_a and contribution.of_b and contribution.level not in ("", "same identifier")
    return attribute(contribution.part, _shape(contribution)) if shared and is_beside_names(contribution) else ""


def _shape(contribution: Contribution) -> Shape:
    return shape_of(value_of(contribution.of_a), value_of(contribution.of_b))


def _packaged(contribution: Contribution, weights: Weights) -> dict[str, float]:
    part = contribution.part
    if part not in FIELDS_OF_NAMES:
        part = _shape(contribution)
    if part not in weights.parts or not _part(contribution):
        return {}
    return {name: level.m for name, level in weights.parts[part].items()}


def learnt(m: Rates, patterns: Iterable[Pattern]) -> dict[str, dict[str, float]]:
    """``m`` of each part and level, by expectation and maximisation from the packaged ones; {} from too few pairs."""
    patterns = sorted(patterns, key=lambda pattern: (pattern.levels, pattern.score))
    now = {part: dict(levels) for part, levels in m.items()}
    for _ in range(_ROUNDS):
        shares = [probability_of(pattern.score + _shift(pattern, m, now)) for pattern in patterns]
        if sum(shares) < FEWEST_PAIRS:
            return {}
        now = _most_likely(m, patterns, shares)
    return now


def _shift(pattern: Pattern, before: Rates, now: Rates) -> float:
    """Bits that the score moves by when the rates do."""
    return sum(
        log2(now[part][level] / before[part][level]) for part, level in pattern.levels if level in before.get(part, {})
    )


def _most_likely(m: Rates, patterns: list[Pattern], shares: list[float]) -> dict[str, dict[str, float]]:
    seen = {part: {level: _PACKAGED_PAIRS * rate for level, rate in levels.items()} for part, levels in m.items()}
    for pattern, share in zip(patterns, shares, strict=True):
        for part, level in pattern.levels:
            if level in seen.get(part, {}):
                seen[part][level] += share
    return {part: _rates(levels) for part, levels in seen.items()}


def _rates(seen: Mapping[str, float]) -> dict[str, float]:
    total = sum(seen.values())
    return {level: max(count / total, _FEWEST) for level, count in seen.items()}
