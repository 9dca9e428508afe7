"""Finds what a model quotes in what was said: exactly, else nearly, else not at all."""

import regex

TOLERANCE = 10
"""A quote may differ from the text in one letter of so many (inserted, missing or another), beside case and blanks."""
SECONDS = 0.5
"""A search that takes longer has found nothing."""

_BLANKS = r"\s+"
_SPACE = regex.compile(_BLANKS)
# Signs that people and models write for each other.
_ALIKE = ("'‘’ʼ`´", '"“”„«»', "-‐‑‒–—−")
_CLASSES = {letter: f"[{regex.escape(family)}]" for family in _ALIKE for letter in family}


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """``[start, end)`` of the quote in the text, in code points; None where it does not stand there.

    Tried in this order: as it is; with other blanks, case, quotation marks and dashes; with one wrong letter in
    ``TOLERANCE``.
    """
    wanted = quote.strip()
    if not wanted:
        return None
    at = text.find(wanted)
    if at >= 0:
        return at, at + len(wanted)
    pattern = _pattern(wanted)
    found = regex.search(pattern, text, regex.IGNORECASE)
    errors = len(wanted) // TOLERANCE
    if found is None and errors:
        found = _nearly(pattern, text, errors)
    return found.span() if found else None


def find_name(text: str, name: str) -> list[tuple[int, int]]:
    """Every place where a name stands as words of its own, whatever its case and blanks."""
    if not name.strip():
        return []
    words = regex.finditer(rf"(?<!\w){_pattern(name.strip())}(?!\w)", text, regex.IGNORECASE)
    return [match.span() for match in words]


def _pattern(words: str) -> str:
    return _BLANKS.join(map(_alike, _SPACE.split(words)))


def _alike(word: str) -> str:
    return "".join(_CLASSES.get(letter, regex.escape(letter)) for letter in word)


def _nearly(pattern: str, text: str, errors: int) -> "regex.Match[str] | None":
    try:
        return regex.search(rf"(?be)(?:{pattern}){{e<={errors}}}", text, regex.IGNORECASE, timeout=SECONDS)
    except TimeoutError:
        return None
