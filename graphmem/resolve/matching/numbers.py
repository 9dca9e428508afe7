"""Numbers in names: what is counted or coded, models, flights, versions, and numbers that are written out.

“twenty-first” is 21st, “One Hundred” 100, “XIX” 19.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from graphmem.resolve.matching import vocabulary
from graphmem.resolve.matching.fold import folded, without_thousands

_CODE = re.compile(r"[a-z0-9]+(?:[-/.][a-z0-9]+)*")
_ORDINAL_NUMBER = re.compile(r"(\d+)(?:st|nd|rd|th)")
_LAST_ROMAN = {"i": "1", "v": "5", "x": "10", "l": "50"}
_UNITS = r"(?:[kmgtp]b|[kmg]?hz|[km]w|k?wh|mah|[mck]m|[mk]g|ml|fps|rpm|dpi|mp)"
_UNIT = re.compile(rf"(?<=\d)\s+(?={_UNITS}\b)", re.IGNORECASE)
_SHORT_NAME = 4
_LONGEST_PREFIX = 3
_CODE_LENGTH, _CODE_DIGITS = 4, 5
_MEASURE = re.compile(r"\d{1,3}[a-z]+|1080[ip]|\d+x\d+(?:x\d+)?[a-z]{0,2}")
"""What is measured or counted: 24port, 1080p, 1920x1080."""


@lru_cache(maxsize=1 << 15)
def numbers_of(name: str) -> frozenset[str]:
    """Each code, number, ordinal, Roman numeral and, in short names, single letter, in one way of writing.

    “Room #101” has 101, “World War II” 2, “Gate B4” b4, “Vitamin C” c, “KX-TG9343T” kxtg9343t.
    """
    words = folded(name).split()
    numbers = {_plain(code) for code in codes_in(_UNIT.sub("", name))}
    if len(words) > 1:
        numbers |= {str(roman(word)) for word in words if len(word) > 1 and roman(word)}
        numbers |= {_plain(word) for word in in_digits(tuple(words)) if word[0].isdecimal() and word not in words}
        numbers |= {_LAST_ROMAN[word] for word in words[-1:] if word in _LAST_ROMAN}
        if len(words) <= _SHORT_NAME:
            rest = words[:-1] if words[-1] in _LAST_ROMAN else words
            numbers |= {word for word in rest if len(word) == 1 and word.isalpha() and word not in "aeosy"}
            numbers |= {word for word in words[-1:] if len(word) == 1 and word.isalpha() and word not in _LAST_ROMAN}
    return frozenset(numbers)


@lru_cache(maxsize=1 << 15)
def codes_in(text: str) -> tuple[str, ...]:
    """What holds a digit, without signs inside: “010-00718-20” is 0100071820; a point stays between two digits."""
    plain = without_thousands(unicodedata.normalize("NFKC", text).casefold())
    return tuple(
        _joined(match[0]) for match in _CODE.finditer(plain) if any(character.isdecimal() for character in match[0])
    )


def _joined(code: str) -> str:
    if re.fullmatch(r"[a-z]{0,2}\d{1,4}(?:\.\d{1,4})+", code):
        return code
    return re.sub(r"[-/.]", "", code)


def _plain(code: str) -> str:
    ordinal = _ORDINAL_NUMBER.fullmatch(code)
    number = re.fullmatch(r"v?(\d+(?:\.\d+)*)", ordinal[1] if ordinal else code)
    return number[1].lstrip("0") or "0" if number else code


def says(word: str, number: str) -> bool:
    """Whether a word is one of the numbers of a name, as ``numbers_of`` writes them."""
    if word == number or _LAST_ROMAN.get(word) == number or (len(word) > 1 and str(roman(word)) == number):
        return True
    ordinal = _ORDINAL_NUMBER.fullmatch(word)
    return ordinal is not None and ordinal[1] == number


def is_measure(number: str) -> bool:
    """Whether it ends in a unit: 500mg, 1000mg."""
    return re.fullmatch(rf"\d+{_UNITS}", number) is not None


def is_model(code: str) -> bool:
    """Whether a code is long enough to say by itself which product or thing it is."""
    if code.isdecimal():
        return len(code) >= _CODE_DIGITS
    return len(code) >= _CODE_LENGTH and "." not in code and not _MEASURE.fullmatch(code)


def models_of(text: str) -> frozenset[str]:
    return frozenset(code for code in codes_in(text) if is_model(code))


def contradicting(a: str, b: str, *, coded: bool) -> tuple[frozenset[str], frozenset[str]]:
    """The numbers of each name that the other lacks; ``coded``: short letters before a number belong to it."""
    of_a, of_b = _numbers(a, coded=coded), _numbers(b, coded=coded)
    lacks_b = frozenset(number for number in of_a - of_b if not _stands_in(number, b))
    lacks_a = frozenset(number for number in of_b - of_a if not _stands_in(number, a))
    return lacks_b, lacks_a


def _numbers(name: str, *, coded: bool) -> frozenset[str]:
    return numbers_of(name) | _with_prefix(name) if coded else numbers_of(name)


def _with_prefix(name: str) -> frozenset[str]:
    """“UA 123” is ua123."""
    words = folded(name).split()
    return frozenset(
        f"{word}{number}"
        for word, number in pairwise(words)
        if word.isalpha() and len(word) <= _LONGEST_PREFIX and number.isdecimal() and word not in _DESIGNATORS
    )


_DESIGNATORS = frozenset({"no", "nr", "num", "rm", "id", "ver", "v", "of", "the"})


def _stands_in(number: str, name: str) -> bool:
    """Whether it is written there in another way: 123 stands in “UA123”, ua123 in “UA 123”."""
    if len(number) < 2:  # noqa: PLR2004 - a digit stands in many
        return False
    edge = "[0-9.]" if "." in number else "[0-9]"
    plain = folded(name) if "." in number else folded(name).replace(".", "")
    written = plain.replace(" ", "") if _digits(number) >= _CODE_DIGITS else unspaced(plain)
    return re.search(rf"(?<!{edge}){re.escape(number)}(?!{edge})", written) is not None


def _digits(text: str) -> int:
    return sum(map(str.isdecimal, text))


_BETWEEN_OTHERS = re.compile(r"(?<!\d) | (?!\d)")


@lru_cache(maxsize=1 << 14)
def unspaced(plain: str) -> str:
    """Words without spaces but those between two digits: “4 64 gb” is not “464 gb”."""
    return _BETWEEN_OTHERS.sub("", plain)


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
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))
