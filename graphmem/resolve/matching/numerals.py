"""Numbers that are written out: “twenty-first” is 21st, “One Hundred” 100, “XIX” 19."""

import re
from functools import lru_cache

from graphmem.resolve.matching import vocabulary

_HUNDRED = 100
_SMALL = dict(enumerate(vocabulary.lines("numerals"), start=1)) | {
    10 * (place + 2): line for place, line in enumerate(vocabulary.lines("tens"))
}
_CARDINAL = {line.split()[0]: number for number, line in _SMALL.items()}
_ORDINAL = {line.split()[1]: number for number, line in _SMALL.items()}
_ALL = _CARDINAL.keys() | _ORDINAL.keys()
_ROMAN = re.compile(r"(?!li$|xl$)(xl|l?x{0,3})(ix|iv|v?i{0,3})")
_VALUE_OF = {"i": 1, "v": 5, "x": 10, "l": 50}


def in_digits(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words with numbers in digits; an ordinal stays one."""
    return words if _ALL.isdisjoint(words) else _in_digits(words)


@lru_cache(maxsize=1 << 14)
def _in_digits(words: tuple[str, ...]) -> tuple[str, ...]:
    written, at = list[str](), 0
    while at < len(words):
        number, ordinal, size = _number_at(words, at)
        written.append((f"{number}{_ending(number)}" if ordinal else str(number)) if size else words[at])
        at += max(size, 1)
    return tuple(written)


def _number_at(words: tuple[str, ...], at: int) -> tuple[int, bool, int]:
    """The number that begins there, whether it is an ordinal, and of how many words it is; none is of none."""
    number, ordinal, size = _below_hundred(words, at)
    if not size or ordinal or words[at + size : at + size + 1] != ("hundred",):
        return number, ordinal, size
    hundreds, size = number * _HUNDRED, size + 1
    joint = words[at + size : at + size + 1] == ("and",)
    rest, ordinal, more = _below_hundred(words, at + size + joint)
    return (hundreds + rest, ordinal, size + joint + more) if more else (hundreds, False, size)


def _below_hundred(words: tuple[str, ...], at: int) -> tuple[int, bool, int]:
    word, after = (*words[at : at + 2], "", "")[:2]
    if word in _ORDINAL:
        return _ORDINAL[word], True, 1
    tens = _CARDINAL.get(word, 0)
    unit = _CARDINAL.get(after) or _ORDINAL.get(after) or 0
    if tens >= 20 and 0 < unit < 10:  # noqa: PLR2004 - “twenty-one”
        return tens + unit, after in _ORDINAL, 2
    return tens, False, int(tens > 0)


def _ending(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


@lru_cache(maxsize=1 << 14)
def roman(word: str) -> int:
    """A Roman numeral below 90; 0 of any other word."""
    if not word or _ROMAN.fullmatch(word) is None:
        return 0
    values = [_VALUE_OF[letter] for letter in word]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))
