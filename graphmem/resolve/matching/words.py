"""How far two names or texts agree, word by word, by the rarity of what they share."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import exp2, log2

from graphmem.model.matching import Agreement
from graphmem.resolve.matching import vocabulary
from graphmem.resolve.matching.fold import LONG, edits, folded, sounds_spelt_alike
from graphmem.resolve.matching.names import ParsedName
from graphmem.resolve.matching.numbers import models_of
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
        """The share of the shorter one that the other has."""
        shorter = min(self.of_a, self.of_b)
        return self.shared / shorter if shorter else 0.0


def overlap(a: tuple[str, ...], b: tuple[str, ...], rarity: Rarity) -> Overlap:
    """Of words as sets; a long word that has a slip counts less."""
    of_a, of_b = (dict.fromkeys(words[:_MOST_WORDS]) for words in (a, b))
    bits = {word: _bits(word, rarity) for word in sorted({*of_a, *of_b})}
    shared = sum(bits[word] for word in bits if word in of_a and word in of_b)
    left_a, left_b = ([word for word in some if word not in other] for some, other in ((of_a, of_b), (of_b, of_a)))
    for word in left_a:
        if (slip := next((one for one in left_b if _is_slip(word, one)), None)) is not None:
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
    weight = rarity.weights.level(part, level).weight(frequency)
    return Agreement(part=part, level=level, weight=weight, of_a=a.text, of_b=b.text)


def _name_level(a: ParsedName, b: ParsedName, rarity: Rarity) -> tuple[str, float]:
    """The level, and how common what they share is: a whole name, or some of its words."""
    if a.key == b.key or a.joined == b.joined:
        return "exact", max(rarity.of("key", a.key), rarity.of("key", b.key))
    if _have_acronyms(folded(a.text).split(), folded(b.text).split()):
        return "acronym", 0.0
    models = models_of(a.text) | models_of(b.text)
    words = [tuple(word for word in name.words if word not in models) for name in (a, b)]
    found = overlap(words[0], words[1], rarity)
    likeness = 0.7 * found.dice + 0.3 * found.contained
    level = next((level for level, least in _LEVELS if likeness >= least), "different")
    return level, exp2(-_INDEPENDENT * found.shared)


def text_level(a: tuple[str, ...], b: tuple[str, ...], rarity: Rarity) -> str:
    """Of long texts: same, high, some, little or different."""
    if a == b:
        return "same"
    found = overlap(a, b, rarity)
    likeness = 0.7 * found.dice + 0.3 * found.contained
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
