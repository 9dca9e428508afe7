"""An estimate of how many tokens a text has, without a tokenizer, which the light install does not have."""

import re

_PIECES = re.compile(r"(?P<letters>[A-Za-z]+)|(?P<digits>[0-9]+)|(?P<blanks>\s+)|[^A-Za-z0-9\s]")
_LETTERS, _DIGITS, _BLANKS = 4, 2, 4
"""So many characters make a token."""


def estimate(text: str) -> int:
    """Rather too many than too few: a word has a token for every four letters begun, a number for every two digits.

    Any other character has one of its own, which is about right for scripts without blanks, and too many for
    punctuation. A single blank belongs to the word after it.
    """
    return sum(map(_tokens, _PIECES.finditer(text)))


def _tokens(piece: re.Match[str]) -> int:
    length = len(piece[0])
    if piece["letters"]:
        return -(-length // _LETTERS)
    if piece["digits"]:
        return -(-length // _DIGITS)
    return length // _BLANKS if piece["blanks"] else 1
