"""How far values of attributes agree, each by its shape, and what all of them say together."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import product

from rapidfuzz import fuzz

from graphmem.model.matching import Agreement, MatchProfile
from graphmem.resolve.matching import vocabulary
from graphmem.resolve.matching.agreement import are_acronyms, text_level
from graphmem.resolve.matching.fold import edits
from graphmem.resolve.matching.identifiers import is_address, is_given_by_machine
from graphmem.resolve.matching.values import ShapedValue, ValueShape, value_of
from graphmem.resolve.matching.weights import Rarity

_NEAR = 0.1
_ALIKE = 88
_FEWEST_LETTERS = 4
_FEWEST_WORDS = 3
"""A text of fewer words says nothing beside a long one."""
_MOST_VALUES = 8
_NEIGHBOURS = 60.0
"""Codes of any length that are one slip away from a code."""
_PLACES = vocabulary.words("place_predicates")
_OF_FURTHER = 0.5
"""What the second best part of an address counts: who shares a street shares the town."""


def compare_values(a: MatchProfile, b: MatchProfile, rarity: Rarity) -> list[Agreement]:
    """A contribution of each attribute that both have; those of one address count together."""
    shared = sorted(a.values.keys() & b.values.keys())
    best = [_best(predicate, a.values[predicate], b.values[predicate], rarity) for predicate in shared]
    known = [agreement for agreement in best if agreement is not None]
    places = [agreement for agreement in known if is_place(agreement.part)]
    return [*(agreement for agreement in known if not is_place(agreement.part)), *_together(places)]


@lru_cache(maxsize=1 << 12)
def is_place(predicate: str) -> bool:
    return not _PLACES.isdisjoint(predicate.casefold().replace("-", "_").rstrip("0123456789").split("_"))


def _together(parts: Iterable[Agreement]) -> Iterator[Agreement]:
    """The best agreement in full and the further ones in part, since they depend on each other."""
    ordered = sorted(parts, key=lambda agreement: (-agreement.weight, agreement.part))
    for place, agreement in enumerate(ordered):
        yield replace(agreement, weight=agreement.weight * _OF_FURTHER) if place and agreement.weight > 0 else agreement


def _best(part: str, of_a: frozenset[str], of_b: frozenset[str], rarity: Rarity) -> Agreement | None:
    """What the two values of a predicate say that agree the most. That several values differ says nothing."""
    pairs = product(sorted(of_a)[:_MOST_VALUES], sorted(of_b)[:_MOST_VALUES])
    agreements = [
        _compared(part, x, y, rarity)
        for x, y in pairs
        if x.strip() and y.strip() and not (is_address(x, part) or is_address(y, part))
    ]
    if not agreements:
        return None
    best = max(agreements, key=lambda agreement: (agreement.weight, agreement.of_a, agreement.of_b))
    return replace(best, weight=0.0) if best.weight < 0 and (len(of_a) > 1 or len(of_b) > 1) else best


def _compared(part: str, a: str, b: str, rarity: Rarity) -> Agreement:
    x, y = value_of(a), value_of(b)
    shape = shape_of(x, y)
    level = _LEVEL_OF[shape](x, y, rarity)
    if level == "slip" and is_given_by_machine(part):
        level = "different"
    frequency = max(rarity.of(shape, x.term, part), rarity.of(shape, y.term, part))
    refined = bool(rarity.weights.shift(attribute(part, shape), level))
    if shape is ValueShape.CODE and level == "slip":
        weight = _of_a_slip(part, x, y, frequency, rarity)
    else:
        packaged_level = rarity.weights.level(shape, level, attribute(part, shape))
        weight = max(packaged_level.weight(frequency), 0.0) if packaged_level.times else packaged_level.weight()
    return Agreement(part=part, level=level, weight=weight, of_a=a, of_b=b, refined=refined)


def attribute(predicate: str, shape: ValueShape) -> str:
    """What ``m`` is refined of: a predicate may be called like a part of a name, and have two shapes."""
    return f"{shape} of {predicate}"


def shape_of(a: ShapedValue, b: ShapedValue) -> ValueShape:
    """The shape in which two values are compared: a text with a text, a number of four digits with a code."""
    shapes = {a.shape, b.shape}
    if len(shapes) == 1:
        return a.shape
    if shapes <= {ValueShape.SHORT, ValueShape.LONG}:
        return ValueShape.LONG if ValueShape.LONG in shapes else ValueShape.SHORT
    return (
        ValueShape.CODE
        if shapes <= {ValueShape.CODE, ValueShape.NUMBER, ValueShape.YEAR, ValueShape.DATE}
        else ValueShape.SHORT
    )


def _of_a_slip(part: str, a: ShapedValue, b: ShapedValue, frequency: float, rarity: Rarity) -> float:
    """Short codes have neighbours by chance."""
    level = rarity.weights.level("code", "slip", attribute(part, ValueShape.CODE))
    by_chance = _NEIGHBOURS / 10 ** min(len(a.term), len(b.term))
    return replace(level, u=level.u + by_chance, times=1).weight(frequency)


def date_level(a: ShapedValue, b: ShapedValue, _: Rarity) -> str:
    """slip: one digit wrong, two swapped, or day and month swapped; part: two of year, month and day agree."""
    if a.day is None or b.day is None:
        return "exact" if a.term == b.term else "different"
    x, y = a.day, b.day
    if x == y:
        return "exact"
    if edits(f"{x:%Y%m%d}", f"{y:%Y%m%d}") == 1 or (x.year, x.month, x.day) == (y.year, y.day, y.month):
        return "slip"
    return "part" if _agreeing(x, y) > 1 else "different"


def _agreeing(a: date, b: date) -> int:
    return (a.year == b.year) + (a.month == b.month) + (a.day == b.day)


def _number_level(a: ShapedValue, b: ShapedValue, _: Rarity) -> str:
    if a.term == b.term:
        return "exact"
    x, y = a.number or 0.0, b.number or 0.0
    near = abs(x - y) <= _NEAR * max(abs(x), abs(y))
    return "slip" if near or (len(a.term) > 1 and edits(a.term, b.term) == 1) else "different"


def _year_level(a: ShapedValue, b: ShapedValue, _: Rarity) -> str:
    if a.term == b.term:
        return "exact"
    return "slip" if abs((a.number or 0) - (b.number or 0)) <= 1 else "different"


def _code_level(a: ShapedValue, b: ShapedValue, _: Rarity) -> str:
    if a.term == b.term:
        return "exact"
    return "slip" if edits(a.term, b.term) == 1 else "different"


def _short_level(a: ShapedValue, b: ShapedValue, _: Rarity) -> str:
    joined_a, joined_b = a.term.replace(" ", ""), b.term.replace(" ", "")
    if joined_a == joined_b or sorted(a.words) == sorted(b.words):
        return "exact"
    if are_acronyms(a.words, b.words):
        return "part"
    shortest = min(len(joined_a), len(joined_b))
    if shortest >= _FEWEST_LETTERS and not _have_other_numbers(a, b):
        if edits(joined_a, joined_b) == 1 or fuzz.token_sort_ratio(a.term, b.term) >= _ALIKE:
            return "slip"
        if _abbreviates(a.words, b.words) or _abbreviates(b.words, a.words):
            return "part" if len({*a.words} & {*b.words}) < _FEWEST_WORDS - 1 else "slip"
        if _overlap(a.words, b.words):
            return "part"
    return "different"


def _abbreviates(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Whether all words of one are words of the other or their initials: “M. Cilia” of “Mariano Cilia”."""
    initials = {word[0] for word in long}
    return not set(short).isdisjoint(long) and all(word in long or word in initials for word in short)


def _overlap(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether they share half of several words, or look like a short and a full name."""
    shared = {*a} & {*b}
    fewest = min(len(a), len(b))
    if fewest > _FEWEST_WORDS:
        return 2 * len(shared) >= fewest
    return fewest > 1 and a[-1] == b[-1] and a[0][0] == b[0][0] and len(a) != len(b) and len(a[-1]) > _FEWEST_LETTERS


def _have_other_numbers(a: ShapedValue, b: ShapedValue) -> bool:
    of_a, of_b = (
        {word for word in value.words if any(character.isdecimal() for character in word)} for value in (a, b)
    )
    return of_a != of_b


def _long_level(a: ShapedValue, b: ShapedValue, rarity: Rarity) -> str:
    if min(len(a.words), len(b.words)) < _FEWEST_WORDS or are_acronyms(a.words, b.words):
        return "little"
    return text_level(a.words or (a.term,), b.words or (b.term,), rarity)


_LEVEL_OF = {
    ValueShape.DATE: date_level,
    ValueShape.NUMBER: _number_level,
    ValueShape.YEAR: _year_level,
    ValueShape.CODE: _code_level,
    ValueShape.SHORT: _short_level,
    ValueShape.LONG: _long_level,
}
