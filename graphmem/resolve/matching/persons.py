"""Names of persons: which word is given, which is the family's, and which given names are the same one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from graphmem.resolve.matching import vocabulary
from graphmem.resolve.matching.fold import folded
from graphmem.resolve.matching.numbers import in_digits, roman

_GENERATIONS = vocabulary.first_of("generations")
_NAMES = {word: generation for word, generation in _GENERATIONS.items() if not roman(word)}
"""Those that may be a family name: Senior."""
_LETTERS = frozenset("ivx")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")

if TYPE_CHECKING:
    from nicknames import NickNamer

_GENDER_OF = vocabulary.first_of("titles")
_WIVES = frozenset({"mrs", "mme", "madame", "senora"})
_FEMALE_ENDINGS = frozenset("aeiy")
_TITLES = re.compile(r"^(?:shri|smt|ato|woizero|justice|hajji|haji|prof\.? em\.)\s+(?=\S+\s+\S)", re.IGNORECASE)
"""Titles that nameparser does not know."""
_ELDER = vocabulary.first_of("elders")
"""Words for younger and elder elsewhere."""


class Sort(Enum):
    """How surely a part of a name says which one it is."""

    SUFFIX = "suffix"
    """After a given and a family name: “James Vance Jr.”."""
    NUMBER = "number"
    """After given names: “Louis XVII”, “Charles I of England”, “Elizabeth the Second”, “Tom Jr.”."""
    NAME = "name"
    """In the place of the family name, which it may be, or its initial: “Pius X”, “James V”, “Robert Senior”."""
    INITIAL = "initial"
    """A letter among other names, whose initial it may be: “Gustaf V Adolf”, “Robert V Smith”."""


_UNSURE = frozenset(
    frozenset(sorts)
    for sorts in (
        (Sort.NAME, Sort.SUFFIX),
        (Sort.INITIAL, Sort.SUFFIX),
        (Sort.INITIAL, Sort.NAME),
        (Sort.INITIAL,),
    )
)
"""What says nothing against each other: James V may be James Vance Jr."""


@dataclass(frozen=True, slots=True)
class Ordinal:
    """The number in digits, or jr, sr; "" says nothing."""

    number: str = ""
    sort: Sort = Sort.NUMBER

    def contradicts(self, other: "Ordinal") -> bool:
        """Whether the two are of two people."""
        differ = bool(self.number and other.number) and self.number != other.number
        return differ and frozenset((self.sort, other.sort)) not in _UNSURE


def of_suffix(words: Sequence[str]) -> str:
    """The generation that the words after a name tell; "" for none."""
    return next((generation for word in words if (generation := _GENERATIONS.get(word, ""))), "")


def which_of(text: str, middle: tuple[str, ...], family: str) -> Ordinal:
    """What the words after the first given name tell; ``text`` is the name as it is written."""
    words = (*middle, *family.split())
    if number := _ordinal_in(words):
        return Ordinal(number)
    for at, word in enumerate(words):
        if word in _LETTERS and not _is_abbreviated(word, text):
            return Ordinal(str(roman(word)), _sort_of_letter(words, at, family))
        if len(word) > 1 and roman(word) and _is_in_one_case(word, text):
            return Ordinal(str(roman(word)))
    return Ordinal(_NAMES.get(family, ""), Sort.NAME)


def _sort_of_letter(words: tuple[str, ...], at: int, family: str) -> Sort:
    if words[at + 1 : at + 2] == ("of",):
        return Sort.NUMBER
    return Sort.NAME if family == words[at] else Sort.INITIAL


def _ordinal_in(words: tuple[str, ...]) -> str:
    """The number of “the Second”, or of “8th”."""
    written = in_digits(words)
    for at, word in enumerate(written):
        match = _ORDINAL.fullmatch(word)
        if match and (word in words or written[at - 1 : at] == ("the",)):
            return match[1]
    return ""


def _is_abbreviated(letter: str, text: str) -> bool:
    return re.search(rf"\b{letter}\.", text, re.IGNORECASE) is not None


def _is_in_one_case(word: str, text: str) -> bool:
    """Whether it is written as numerals are: XI is one, Xi is a name."""
    written = [spelling for spelling in re.findall(r"\w+", text) if folded(spelling) == word]
    return any(spelling.isupper() or spelling.islower() for spelling in written)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Parts of a name in folded words; ``comma``: the family name was written first, with a comma.

    ``numbered``: which one of the name the words after the given name tell, beside the suffix in ``generation``.
    ``wife``: the title is that of a married woman, and the given name may be her husband's: “Mrs. Albert Harcourt”.
    """

    given: str = ""
    middle: tuple[str, ...] = ()
    family: str = ""
    generation: str = ""
    numbered: Ordinal = field(default_factory=Ordinal)
    nickname: str = ""
    genders: frozenset[str] = field(default_factory=frozenset[str])
    titled: bool = False
    wife: bool = False
    comma: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(" ".join((self.given, *self.middle, self.family)).split())

    @property
    def which(self) -> str:
        """Which one of a name it is; "" where nothing says it."""
        return self.numbering.number

    @property
    def numbering(self) -> Ordinal:
        """Which one of a name it is, and how surely: by its suffix, else by the number of a ruler."""
        sort = Sort.SUFFIX if self.is_full else Sort.NUMBER
        return Ordinal(self.generation, sort) if self.generation else self.numbered

    @property
    def is_full(self) -> bool:
        """Whether it has both a given and a family name."""
        return bool(self.given and self.family)


@lru_cache(maxsize=1 << 14)
def person(name: str) -> Person:
    """The parts of a name. A single word is taken for a given name, after a title for that of the family."""
    from nameparser import parse  # noqa: PLC0415 - a tenth of a second of import

    read = parse(_spaced(_TITLES.sub("", name)))
    words = [folded(part) for part in (read.given, read.middle, read.family)]
    elder = [_ELDER[word] for part in words for word in part.split() if word in _ELDER] if "".join(words[:2]) else []
    if elder:
        words = [" ".join(word for word in part.split() if word not in _ELDER and word != "the") for part in words]
        words = words if words[0] else ["", *words[1:]]
    given, *later = (words[0] or words[1]).split() or [""]
    middle = (*later, *(words[1].split() if words[0] else words[1].split()[1:]))
    titles = frozenset(folded(read.title).split())
    suffixes = folded(read.suffix).split()
    elder += [_ELDER[title] for title in sorted(titles) if title in _ELDER]
    family = words[2]
    if elder and not family and middle:
        *middle, family = middle
    return Person(
        given=given,
        middle=tuple(middle),
        family=family,
        generation=of_suffix(suffixes) or "".join(elder[:1]),
        numbered=which_of(name, tuple(middle), family) if given else Ordinal(),
        nickname=folded(read.nickname),
        genders=frozenset(_GENDER_OF[title] for title in titles if title in _GENDER_OF),
        titled=bool(titles),
        wife=not _WIVES.isdisjoint(titles) and given[-1:] not in _FEMALE_ENDINGS,
        comma="," in name and bool(words[2]) and folded(name).startswith(words[2]),
    )


def _spaced(name: str) -> str:
    """The name with a space after each point, and hyphens that stay: “J.R.R.Tolkien”."""
    return re.sub(r"\.(?=\w)", ". ", " ".join(name.split()))


@lru_cache(maxsize=1)
def _nicknamer() -> "NickNamer":
    from nicknames import NickNamer  # noqa: PLC0415 - reads its table when it is imported

    return NickNamer()


@lru_cache(maxsize=1 << 14)
def nicknames(given: str) -> frozenset[str]:
    """What else a given name may be called: its nicknames, and the names that it is a nickname of."""
    namer = _nicknamer()
    return frozenset(
        {*namer.nicknames_of(given), *namer.canonicals_of(given), *vocabulary.given_forms().get(given, ())} - {given}
    )


def is_known_given(word: str) -> bool:
    """Whether it is in a list of English given names."""
    return bool(nicknames(word))


def are_variants(a: str, b: str) -> bool:
    """Whether two given names may be one: one is a nickname of the other, or written by another transliteration."""
    return b in nicknames(a) or a in nicknames(b) or _romanised(a) == _romanised(b)


_ROMANISATIONS = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        ("(?:iy|ij|ii|yi|yy|y|j|i)+(?=$)", "i"),
        ("kh", "h"),
        ("ck|q|c(?![hei])", "k"),
        ("ph", "f"),
        ("oo|ou", "u"),
        ("ee", "i"),
        ("dzh|dj", "j"),
        ("tch|tsch|cz", "ch"),
        ("shch|sch", "sh"),
        ("w", "v"),
        ("ks", "x"),
        ("^[yj]e", "e"),
        ("[yj]", "i"),
        (r"([^aeiou])\1", r"\1"),
        ("th", "t"),
        ("(?<=[aeiou])h", ""),
    )
)


@lru_cache(maxsize=1 << 14)
def _romanised(word: str) -> str:
    """One way of writing for those that differ by transliteration: Dmitriy and Dmitry, Mohammed and Mohamed."""
    for pattern, by in _ROMANISATIONS:
        word = pattern.sub(by, word)
    return word


@lru_cache(maxsize=1 << 14)
def skeleton(word: str) -> str:
    """The consonants of a word: what scripts without vowels leave of it."""
    return re.sub("[aeiouy]", "", _romanised(word))


def is_initial_of(a: str, b: str) -> bool:
    """Whether one of them is the first letter of the other."""
    short, long = sorted((a, b), key=len)
    return len(short) == 1 and len(long) > 1 and long.startswith(short)


_ENDINGS = frozenset(("", *["a", "e", "i", "o", "y", "us", "as", "os", "is", "ia", "io", "ie", "ina", "ine", "en"]))
_SHORTEST_STEM = 3


def are_gendered(a: str, b: str) -> bool:
    """Whether they differ by an ending that makes another name: Maria and Mario, Daniel and Daniela."""
    pairs = zip(a, b, strict=False)
    stem = next((at for at, (x, y) in enumerate(pairs) if x != y), min(len(a), len(b)))
    ends = a[stem:], b[stem:]
    return a != b and stem >= _SHORTEST_STEM and ends[0] in _ENDINGS and ends[1] in _ENDINGS
