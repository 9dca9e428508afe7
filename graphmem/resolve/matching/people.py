"""How far two names of persons agree, part by part."""

from collections.abc import Iterator
from itertools import product

from graphmem.model.matching import Agreement
from graphmem.resolve.matching.fold import edits, likeness, sound_alike
from graphmem.resolve.matching.persons import Person, are_gendered, are_variants, is_initial_of, skeleton
from graphmem.resolve.matching.weights import Rarity
from graphmem.resolve.matching.words import are_acronyms

_SHORT = 4
_ALIKE = 0.88
_SPELT = frozenset({"slip", "similar"})
"""Levels at which the rarer of two words is taken for the other one, misspelt."""


def given_level(a: str, b: str) -> str:
    """exact, variant, initial, slip, similar or different."""
    if a == b:
        return "exact"
    if is_initial_of(a, b):
        return "initial"
    if are_variants(a, b):
        return "variant"
    if are_gendered(a, b):
        return "similar" if min(len(a), len(b)) > _SHORT else "different"
    return _spelling_level(a, b)


def family_level(a: str, b: str) -> str:
    """exact, slip, part (of a name of several words), similar or different."""
    if a == b or a.replace(" ", "") == b.replace(" ", ""):
        return "exact"
    if set(a.split()) & set(b.split()) and (set(a.split()) < set(b.split()) or set(b.split()) < set(a.split())):
        return "part"
    return _spelling_level(a, b)


def _spelling_level(a: str, b: str) -> str:
    a, b = a.replace(" ", ""), b.replace(" ", "")
    apart = edits(a, b)
    shortest = min(len(a), len(b))
    if apart == 0:
        return "exact"
    if apart == 1 and shortest > _SHORT - 1:
        return "slip"
    if shortest > _SHORT and (apart == 2 or likeness(a, b) >= _ALIKE):  # noqa: PLR2004 - two edits
        return "similar"
    if (shortest > 1 and sound_alike(a, b)) or (skeleton(a) == skeleton(b) and len(skeleton(a)) > 2):  # noqa: PLR2004
        return "similar"
    return "different"


def compare_people(a: Person, b: Person, rarity: Rarity) -> list[Agreement]:
    """Contributions of the parts, in the order of parts that says the most."""
    if not (a.is_full and b.is_full):
        return _of_short(a, b, rarity)
    if "".join(a.words) == "".join(b.words):
        a = b = min(a, b, key=lambda one: (len(one.words), one.words, one.given, one.middle))
    swap = Agreement(part="order", level="swapped", weight=rarity.weights.level("order", "swapped").weight())
    straight = [*_parts(a, b, rarity)]
    turned = ([*_parts(x, y, rarity), swap] for x, y in ((a, _turned(b)), (_turned(a), b)))
    return max(straight, *turned, key=_agreement)


def _turned(one: Person) -> Person:
    """With the given name in the place of the family name."""
    return Person(given=one.family, middle=one.middle, family=one.given)


def _agreement(parts: list[Agreement]) -> tuple[float, list[tuple[str, str, float]]]:
    """What orders contributions alike, whichever of the two is the first."""
    return sum(part.weight for part in parts), [(part.part, part.level, part.weight) for part in parts]


def _parts(a: Person, b: Person, rarity: Rarity) -> Iterator[Agreement]:
    yield _part("given", given_level(a.given, b.given), a.given, b.given, rarity)
    yield _part("family", family_level(a.family, b.family), a.family, b.family, rarity)
    if a.middle and b.middle:
        yield _part("middle", _middle_level(a.middle, b.middle), " ".join(a.middle), " ".join(b.middle), rarity)


def _middle_level(a: tuple[str, ...], b: tuple[str, ...]) -> str:
    if a == b:
        return "exact"
    found = {given_level(x, y) for x, y in product(a, b)}
    return next((level for level in ("exact", "initial") if level in found), "different")


def _part(part: str, level: str, a: str, b: str, rarity: Rarity) -> Agreement:
    of = "given" if part == "middle" else part
    common = min if level in _SPELT else max
    frequency = common(rarity.of(of, a, "person"), rarity.of(of, b, "person"))
    weight = rarity.weights.level(part, level).weight(frequency)
    return Agreement(part=part, level=level, weight=weight, of_a=a, of_b=b)


def _of_short(a: Person, b: Person, rarity: Rarity) -> list[Agreement]:
    """Of names of which at least one is a single word: the best that any two words say."""
    if are_acronyms(a.words, b.words):
        weight = rarity.weights.level("word", "acronym").weight()
        words = (" ".join(one.words) for one in (a, b))
        return [Agreement(part="word", level="acronym", weight=weight, of_a=next(words), of_b=next(words))]
    pairs = [*product(" ".join(a.words).split(), " ".join(b.words).split())]
    if not pairs:
        return []
    found = (_word(x, y, rarity) for x, y in pairs)
    return [max(found, key=lambda one: (one.weight, one.level, *sorted((one.of_a, one.of_b))))]


def _word(a: str, b: str, rarity: Rarity) -> Agreement:
    level = given_level(a, b)
    level = {"variant": "slip", "initial": "different", "similar": "different"}.get(level, level)
    frequency = max(rarity.of("given", a, "person"), rarity.of("given", b, "person"))
    return Agreement(
        part="word", level=level, weight=rarity.weights.level("word", level).weight(frequency), of_a=a, of_b=b
    )
