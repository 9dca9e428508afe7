"""Names and values as plain words, lower-case ASCII letters and digits, and how far two such words are apart."""

import html
import re
import unicodedata
from functools import lru_cache

from anyascii import anyascii
from jellyfish import metaphone
from rapidfuzz.distance import OSA, JaroWinkler

_SPELT_OUT = (
    (re.compile(r"&"), " and "),
    (re.compile(r"(?<=[\w+])\+"), " plus "),
    (re.compile(r"(?<=[^\W\d_])#"), " sharp "),
)
_ABBREVIATION = re.compile(r"\b[^\W\d_](?:\.[^\W\d_])+\b\.?")
_SIGNS = re.compile("[™®©℠]")
_LOST = re.compile(r"(?<=\w)[?\ufffd](?=\w)")
"""What stands for a letter that an encoding has lost."""
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])['’`´ʼ](?=[^\W\d_])")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_BETWEEN_WORDS = re.compile(r"(?<!\d)\.|\.(?!\d)|[^a-z0-9.]+")
_DIGRAPHS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})


@lru_cache(maxsize=1 << 16)
def folded(text: str) -> str:
    """The text in lower-case ASCII; words are separated by a space, and a point stays between digits only."""
    text = _SIGNS.sub("", text)
    plain = unicodedata.normalize("NFKC", html.unescape(text)).casefold()
    plain = _LOST.sub("", plain)
    for sign, word in _SPELT_OUT:
        plain = sign.sub(word, plain)
    plain = _ABBREVIATION.sub(lambda match: match[0].replace(".", ""), plain)
    plain = without_thousands(_APOSTROPHE.sub("", plain))
    return " ".join(_BETWEEN_WORDS.sub(" ", anyascii(plain).lower().replace("'", "")).split())


def without_thousands(text: str) -> str:
    """Numbers without the commas that part their thousands: “12,000” is “12000”."""
    return _THOUSANDS.sub("", text)


def compact(text: str) -> str:
    """Folded text without anything between letters and digits: “KX-TG 9343” is “kxtg9343”."""
    return folded(text).replace(" ", "").replace(".", "")


def marks_differ(a: str, b: str) -> bool:
    """Whether two texts of one plain form are two words: both in Chinese characters, or both with Vietnamese tones.

    王伟 is not 王薇, though both read Wang Wei, and “Hùng” is not “Hưng”, though either may be “Hung”.
    """
    if a.isascii() or b.isascii():
        return False
    plain_a, plain_b = (unicodedata.normalize("NFKC", text).casefold() for text in (a, b))
    return _letters(plain_a) != _letters(plain_b) and any(
        all(map(is_told, (plain_a, plain_b))) for is_told in (_is_han, _is_tonal)
    )


def _letters(text: str) -> str:
    return "".join(sorted(character for character in text if character.isalnum()))


def _is_han(text: str) -> bool:
    return any("\u3400" <= character <= "\u9fff" for character in text)


def _is_tonal(text: str) -> bool:
    return any("\u1ea0" <= character <= "\u1ef9" or character in "ơưđ" for character in text)


def with_digraphs(text: str) -> str:
    """The other way to write umlauts: “Müller” is “Mueller”; any other text is itself."""
    return unicodedata.normalize("NFC", text).lower().translate(_DIGRAPHS) if not text.isascii() else text


_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_VOWELS = frozenset("aeiouy")
_VERY_LONG = 9
_ONE_SOUND = (("ph", "f"), ("ae", "e"), ("oe", "e"), ("ck", "k"), ("y", "i"))
LONG = 6
"""Letters of a word in which one edit is more likely a slip than another word."""


def edits(a: str, b: str) -> int:
    """Insertions, deletions, substitutions and swaps of neighbours; 3 stands for any more."""
    return OSA.distance(a, b, score_cutoff=2)


def likeness(a: str, b: str) -> float:
    """Jaro–Winkler similarity, from 0 to 1."""
    return JaroWinkler.similarity(a, b)


@lru_cache(maxsize=1 << 15)
def sound(word: str) -> str:
    """How a word sounds in English, by Metaphone; the word itself if that says nothing."""
    return metaphone(word) or word


def sound_alike(a: str, b: str) -> bool:
    return sound(a) == sound(b)


def deletions(word: str) -> frozenset[str]:
    """The word without one of its letters. Two words one edit apart share such a form, or one is the other's."""
    return frozenset(word[:at] + word[at + 1 :] for at in range(len(word)))


def sounds_spelt_alike(a: str, b: str) -> bool:
    """Whether two very long words differ by letters of one sound only: “sulphadiazine” and “sulfadiazine”."""
    return min(len(a), len(b)) >= _VERY_LONG and edits(a, b) < 3 and _in_one_spelling(a) == _in_one_spelling(b)  # noqa: PLR2004


def _in_one_spelling(word: str) -> str:
    for letters, by in _ONE_SOUND:
        word = word.replace(letters, by)
    return word


def is_clear_slip(a: str, b: str) -> bool:
    """Whether two long words differ by a slip that hardly makes another word.

    That is two inner letters swapped, a letter doubled or a double one single inside of the word, a consonant hit
    beside its key, or any inner letter left out of a very long word. Vowels, first letters and endings make names of
    their own: Anderson and Andersen, Hoffman and Hoffmann.
    """
    if min(len(a), len(b)) < LONG or edits(a, b) != 1:
        return False
    short, long = sorted((a, b), key=len)
    at = next((at for at, (x, y) in enumerate(zip(short, long, strict=False)) if x != y), len(short))
    if at == 0 or at >= len(short) - 1:
        return False
    if len(long) > len(short) and len(short) >= _VERY_LONG:
        return True
    if len(short) == len(long):
        return short[at + 1 :] != long[at + 1 :] or _is_beside(short[at], long[at])
    return long[at] == long[at - 1] and len(short) > LONG + 1


def _is_beside(a: str, b: str) -> bool:
    if a in _VOWELS or b in _VOWELS:
        return False
    return any(a + b in row or b + a in row for row in _ROWS)
