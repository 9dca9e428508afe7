"""How far two names agree: word by word, by the rarity of what they share, and those of persons part by part."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import exp2, log2

from graphmem.model.matching import Agreement
from graphmem.resolve.matching import vocabulary
from graphmem.resolve.matching.fold import LONG, edits, folded, likeness, sound_alike, sounds_spelt_alike
from graphmem.resolve.matching.names import ParsedName
from graphmem.resolve.matching.numbers import models_of
from graphmem.resolve.matching.persons import Person, are_gendered, are_variants, is_initial_of, skeleton
from graphmem.resolve.matching.weights import Rarity

_LEVELS = (("same", 0.93), ("high", 0.78), ("medium", 0.6), ("some", 0.42), ("little", 0.25))
_TEXT_LEVELS = (("same", 0.8), ("high", 0.55), ("some", 0.35), ("little", 0.2))
_OF_A_SLIP = 0.8
_INDEPENDENT = 0.6
"""The part of its bits that a word adds to those before it: words go together."""
_MOST_WORDS = 64
_LONG_WORD = 8
_FEWEST_INITIALS = 1
_SMALL = vocabulary.words("small_words")


@dataclass(frozen=True, slots=True)
class Overlap:
    """Bits of the words that both have, and of all words of each."""

    shared: float
    of_a: float
    of_b: float

    @property
    def dice(self) -> float:
        return 2 * self.shared / (self.of_a + self.of_b) if self.of_a + self.of_b else 0.0

    @property
    def contained(self) -> float:
        """The share of the shorter text that the other has."""
        shorter = min(self.of_a, self.of_b)
        return self.shared / shorter if shorter else 0.0


def overlap(a: tuple[str, ...], b: tuple[str, ...], rarity: Rarity) -> Overlap:
    """How far two texts overlap, by their words as sets; a long word that has a slip counts less."""
    of_a, of_b = (dict.fromkeys(words[:_MOST_WORDS]) for words in (a, b))
    bits = {word: _bits(word, rarity) for word in sorted({*of_a, *of_b})}
    shared = sum(bits[word] for word in bits if word in of_a and word in of_b)
    left_a, left_b = ([word for word in own if word not in other] for own, other in ((of_a, of_b), (of_b, of_a)))
    for word in left_a:
        if (slip := next((word_b for word_b in left_b if _is_slip(word, word_b)), None)) is not None:
            left_b.remove(slip)
            shared += _OF_A_SLIP * min(bits[word], bits[slip])
    full_a, full_b = _without_initials(of_a, of_b), _without_initials(of_b, of_a)
    return Overlap(shared, sum(bits[word] for word in full_a), sum(bits[word] for word in full_b))


def _bits(word: str, rarity: Rarity) -> float:
    return -log2(rarity.of("long_word" if len(word) >= _LONG_WORD else "word", word, "word"))


def _without_initials(words: Iterable[str], others: Collection[str]) -> list[str]:
    """The words without initials, and without those that the other text has only as an initial."""
    initials = {word for word in others if len(word) == 1}
    return [word for word in words if word in others or (len(word) > 1 and word[0] not in initials)]


def _is_slip(a: str, b: str) -> bool:
    if min(len(a), len(b)) < LONG - 2 or not a.isalpha() or not b.isalpha():
        return False
    return edits(a, b) == 1 or sounds_spelt_alike(a, b)


def compare_names(a: ParsedName, b: ParsedName, rarity: Rarity) -> Agreement:
    """One contribution of names that are no person's."""
    level, frequency = _name_level(a, b, rarity)
    part = "name" if models_of(a.text).isdisjoint(models_of(b.text)) else "described"
    return rarity.agreement(part, level, a.text, b.text, frequency=frequency)


def _name_level(a: ParsedName, b: ParsedName, rarity: Rarity) -> tuple[str, float]:
    """The level, and how common what they share is: a whole name, or some of its words."""
    if a.key == b.key or a.joined == b.joined:
        return "exact", max(rarity.of("key", a.key), rarity.of("key", b.key))
    if _have_acronyms(folded(a.text).split(), folded(b.text).split()):
        return "acronym", 0.0
    models = models_of(a.text) | models_of(b.text)
    words = [tuple(word for word in name.words if word not in models) for name in (a, b)]
    common = overlap(words[0], words[1], rarity)
    likeness = 0.7 * common.dice + 0.3 * common.contained
    level = next((level for level, least in _LEVELS if likeness >= least), "different")
    return level, exp2(-_INDEPENDENT * common.shared)


def text_level(a: tuple[str, ...], b: tuple[str, ...], rarity: Rarity) -> str:
    """How far two long texts agree: same, high, some, little or different."""
    if a == b:
        return "same"
    common = overlap(a, b, rarity)
    likeness = 0.7 * common.dice + 0.3 * common.contained
    return next((level for level, least in _TEXT_LEVELS if likeness >= least), "different")


def are_acronyms(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether one is a word of the initials of the other: NYC and New York City."""
    short, long = sorted((a, b), key=len)
    return len(short) == 1 and len(long) > _FEWEST_INITIALS and short[0] in acronyms_of(long)


def _have_acronyms(a: list[str], b: list[str]) -> bool:
    """Whether they are acronyms, as wholes or after the same beginning: “Winona, MN” and “Winona, Minnesota North”."""
    same = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return are_acronyms(a[same:], b[same:])


def acronyms_of(words: Sequence[str]) -> frozenset[str]:
    """Initials of all words, and of those that are not small."""
    large = [word for word in words if word not in _SMALL]
    return frozenset("".join(word[0] for word in chosen) for chosen in (words, large) if len(chosen) > _FEWEST_INITIALS)


_SHORT = 4
_ALIKE = 0.88
_SPELT = frozenset({"slip", "similar"})
"""Levels at which the rarer of two words is taken for the other one, misspelt."""


def given_level(a: str, b: str) -> str:
    """How far two given names agree: exact, variant, initial, slip, similar or different."""
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
    """How far two family names agree: exact, slip, part (of a name of several words), similar or different."""
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
        a = b = min(a, b, key=lambda person: (len(person.words), person.words, person.given, person.middle))
    swap = rarity.agreement("order", "swapped")
    straight = [*_parts(a, b, rarity)]
    turned = ([*_parts(x, y, rarity), swap] for x, y in ((a, _turned(b)), (_turned(a), b)))
    return max(straight, *turned, key=_agreement)


def _turned(person: Person) -> Person:
    """The person with the given name in the place of the family name, and the other way round."""
    return Person(given=person.family, middle=person.middle, family=person.given)


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
    levels = {given_level(x, y) for x, y in product(a, b)}
    return next((level for level in ("exact", "initial") if level in levels), "different")


def _part(part: str, level: str, a: str, b: str, rarity: Rarity) -> Agreement:
    of = "given" if part == "middle" else part
    common = min if level in _SPELT else max
    frequency = common(rarity.of(of, a, "person"), rarity.of(of, b, "person"))
    return rarity.agreement(part, level, a, b, frequency=frequency)


def _of_short(a: Person, b: Person, rarity: Rarity) -> list[Agreement]:
    """What names of which at least one is a single word say: the best that any two of their words say."""
    if are_acronyms(a.words, b.words):
        return [rarity.agreement("word", "acronym", " ".join(a.words), " ".join(b.words))]
    pairs = [*product(" ".join(a.words).split(), " ".join(b.words).split())]
    if not pairs:
        return []
    agreements = (_word(x, y, rarity) for x, y in pairs)
    return [
        max(
            agreements,
            key=lambda agreement: (agreement.weight, agreement.level, *sorted((agreement.of_a, agreement.of_b))),
        )
    ]


def _word(a: str, b: str, rarity: Rarity) -> Agreement:
    level = given_level(a, b)
    level = {"variant": "slip", "initial": "different", "similar": "different"}.get(level, level)
    frequency = max(rarity.of("given", a, "person"), rarity.of("given", b, "person"))
    return rarity.agreement("word", level, a, b, frequency=frequency)
