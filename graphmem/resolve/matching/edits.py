"""How far two words are apart, and whether that is a slip of the fingers."""

from functools import lru_cache

from jellyfish import metaphone
from rapidfuzz.distance import OSA, JaroWinkler

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
    """How it sounds in English, by Metaphone; the word itself if that says nothing."""
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
