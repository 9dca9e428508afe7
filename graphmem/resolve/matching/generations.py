"""Which one of a name somebody is: “Jr.”, “Louis XVII”, “Elizabeth the Second”."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from graphmem.resolve.matching import vocabulary
from graphmem.resolve.matching.fold import folded
from graphmem.resolve.matching.numerals import in_digits, roman

_GENERATIONS = vocabulary.first_of("generations")
_NAMES = {word: generation for word, generation in _GENERATIONS.items() if not roman(word)}
"""Those that may be a family name: Senior."""
_LETTERS = frozenset("ivx")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")


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
class Which:
    """The number in digits, or jr, sr; "" says nothing."""

    number: str = ""
    sort: Sort = Sort.NUMBER

    def contradicts(self, other: "Which") -> bool:
        """Whether the two are of two people."""
        differ = bool(self.number and other.number) and self.number != other.number
        return differ and frozenset((self.sort, other.sort)) not in _UNSURE


def of_suffix(words: Sequence[str]) -> str:
    """The generation that the words after a name tell; "" for none."""
    return next((found for word in words if (found := _GENERATIONS.get(word, ""))), "")


def which_of(text: str, middle: tuple[str, ...], family: str) -> Which:
    """What the words after the first given name tell; ``text`` is the name as it is written."""
    words = (*middle, *family.split())
    if number := _ordinal_in(words):
        return Which(number)
    for at, word in enumerate(words):
        if word in _LETTERS and not _is_abbreviated(word, text):
            return Which(str(roman(word)), _sort_of_letter(words, at, family))
        if len(word) > 1 and roman(word) and _is_in_one_case(word, text):
            return Which(str(roman(word)))
    return Which(_NAMES.get(family, ""), Sort.NAME)


def _sort_of_letter(words: tuple[str, ...], at: int, family: str) -> Sort:
    if words[at + 1 : at + 2] == ("of",):
        return Sort.NUMBER
    return Sort.NAME if family == words[at] else Sort.INITIAL


def _ordinal_in(words: tuple[str, ...]) -> str:
    """The number of “the Second”, or of “8th”."""
    written = in_digits(words)
    for at, word in enumerate(written):
        found = _ORDINAL.fullmatch(word)
        if found and (word in words or written[at - 1 : at] == ("the",)):
            return found[1]
    return ""


def _is_abbreviated(letter: str, text: str) -> bool:
    return re.search(rf"\b{letter}\.", text, re.IGNORECASE) is not None


def _is_in_one_case(word: str, text: str) -> bool:
    """Whether it is written as numerals are: XI is one, Xi is a name."""
    written = [one for one in re.findall(r"\w+", text) if folded(one) == word]
    return any(one.isupper() or one.islower() for one in written)
