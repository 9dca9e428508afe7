"""Names and values as plain words: lower-case ASCII letters and digits, without accents and punctuation."""

import html
import re
import unicodedata
from functools import lru_cache

from anyascii import anyascii

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
    one, other = (unicodedata.normalize("NFKC", text).casefold() for text in (a, b))
    return _letters(one) != _letters(other) and any(all(map(is_told, (one, other))) for is_told in (_is_han, _is_tonal))


def _letters(text: str) -> str:
    return "".join(sorted(one for one in text if one.isalnum()))


def _is_han(text: str) -> bool:
    return any("\u3400" <= one <= "\u9fff" for one in text)


def _is_tonal(text: str) -> bool:
    return any("\u1ea0" <= one <= "\u1ef9" or one in "ơưđ" for one in text)


def with_digraphs(text: str) -> str:
    """The other way to write umlauts: “Müller” is “Mueller”; any other text is itself."""
    return unicodedata.normalize("NFC", text).lower().translate(_DIGRAPHS) if not text.isascii() else text
