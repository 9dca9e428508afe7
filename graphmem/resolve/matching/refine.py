"""How often records of one thing agree in a group, learnt from its own pairs without labels (EM).

Only ``m`` of attributes is learnt, and only from pairs with four or more of them: with fewer, an error rate and a share
of matches cannot be told apart. ``u`` stays what the frequencies of the values say, the prior and names what they are.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log2

from graphmem.model.matching import Agreement, Judgement, Method, Shifts
from graphmem.resolve.matching.attributes import attribute, shape_of
from graphmem.resolve.matching.score import is_beside_names, probability_of
from graphmem.resolve.matching.values import ValueShape, value_of
from graphmem.resolve.matching.weights import packaged

FEWEST_FIELDS = 4
FEWEST_PAIRS = 50.0
_ROUNDS = 12
_PACKAGED_PAIRS = 25.0
"""The packaged rates count as if they had been seen in so many pairs."""
_FEWEST = 0.002
_STEPS = 2
"""Of a bit: smaller changes are none, or all would be compared again with each new record."""
Rates = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementPattern:
    """The level of each attribute of a pair, as (attribute, shape, level), and its score with the packaged rates."""

    levels: tuple[tuple[str, ValueShape, str], ...]
    score: float


def patterns_of(judgements: Iterable[Judgement]) -> list[AgreementPattern]:
    """What pairs teach, which were judged with the packaged weights; nothing of a pair with few attributes."""
    judged = (
        (judgement, tuple(_fields(judgement.contributions)))
        for judgement in judgements
        if judgement.method is not Method.VETO
    )
    return [
        AgreementPattern(levels=levels, score=judgement.score)
        for judgement, levels in judged
        if len(levels) >= FEWEST_FIELDS
    ]


def shifts(patterns: Iterable[AgreementPattern]) -> Shifts:
    """By how many bits each level of an attribute says more than it does as packaged; {} from too few pairs."""
    patterns = sorted(patterns, key=lambda pattern: (pattern.levels, pattern.score))
    rates = {part: _packaged(shape) for pattern in patterns for part, shape, _ in pattern.levels}
    now = learnt(rates, patterns)
    by_part = {
        part: {level: shift for level, m in sorted(levels.items()) if (shift := _coarse(m, rates[part][level]))}
        for part, levels in sorted(now.items())
    }
    return {part: levels for part, levels in by_part.items() if levels}


def _coarse(m: float, before: float) -> float:
    return round(_STEPS * log2(m / before)) / _STEPS


def _fields(contributions: Iterable[Agreement]) -> Iterable[tuple[str, ValueShape, str]]:
    for agreement in contributions:
        says_something = (
            agreement.of_a
            and agreement.of_b
            and agreement.level not in ("", "same identifier")
            and not _says_nothing(agreement)
        )
        if says_something and is_beside_names(agreement):
            shape = shape_of(value_of(agreement.of_a), value_of(agreement.of_b))
            yield attribute(agreement.part, shape), shape, agreement.level


def _says_nothing(agreement: Agreement) -> bool:
    """Of several values none agree, which says nothing."""
    return agreement.level == "different" and not agreement.weight


def _packaged(shape: ValueShape) -> dict[str, float]:
    return {name: level.m for name, level in packaged().parts[shape].items()}


def learnt(m: Rates, patterns: Iterable[AgreementPattern]) -> dict[str, dict[str, float]]:
    """``m`` of each part and level, by expectation and maximisation from the packaged ones; {} from too few pairs."""
    patterns = sorted(patterns, key=lambda pattern: (pattern.levels, pattern.score))
    now = {part: dict(levels) for part, levels in m.items()}
    for _ in range(_ROUNDS):
        shares = [probability_of(pattern.score + _shift(pattern, m, now)) for pattern in patterns]
        if sum(shares) < FEWEST_PAIRS:
            return {}
        now = _most_likely(m, patterns, shares)
    return now


def _shift(pattern: AgreementPattern, before: Rates, now: Rates) -> float:
    """Bits that the score moves by when the rates do."""
    return sum(
        log2(now[part][level] / before[part][level]) for part, _, level in pattern.levels if level in before[part]
    )


def _most_likely(m: Rates, patterns: list[AgreementPattern], shares: list[float]) -> dict[str, dict[str, float]]:
    seen = {part: {level: _PACKAGED_PAIRS * rate for level, rate in levels.items()} for part, levels in m.items()}
    for pattern, share in zip(patterns, shares, strict=True):
        for part, _, level in pattern.levels:
            if level in seen[part]:
                seen[part][level] += share
    return {part: _rates(levels) for part, levels in seen.items()}


def _rates(seen: Mapping[str, float]) -> dict[str, float]:
    total = sum(seen.values())
    return {level: max(count / total, _FEWEST) for level, count in seen.items()}
