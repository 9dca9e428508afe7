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
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
"""Scripts that put no blanks between words: a word may begin and end at any letter."""
_KATAKANA = r"\p{Katakana}ー"
"""What Japanese writes foreign names in: a word goes on as long as it does."""
_PARTICLES = (
    "은|는|이|가|을|를|의|에|에서|에게|께|께서|한테|와|과|랑|이랑|하고|도|만|로|으로|부터|까지|보다|처럼|야|아"
    "|이에요|예요|이야|입니다|이다"
)
"""What Korean writes to the end of a name, after “Mr” or “Ms”, without a blank."""
_INSIDE = rf"(?![{_UNSPACED}{_KATAKANA}])\w"
_ANY, _LONG, _SUFFIXED = (regex.compile(f"[{scripts}]") for scripts in (_UNSPACED, _KATAKANA, r"\p{Hangul}"))
_CLASSES = {letter: f"[{regex.escape(family)}]" for family in _ALIKE for letter in family}


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """``[start, end)`` of the quote in the text, in code points; None where it does not stand there.

    Tried in this order: as it is, rather as words of their own than within others; with other blanks, case, quotation
    marks and dashes; with one wrong letter in ``TOLERANCE``.
    """
    wanted = quote.strip()
    if not wanted:
        return None
    whole = regex.search(_as_words(wanted, regex.escape(wanted)), text)
    at = whole.start() if whole else text.find(wanted)
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
    wanted = name.strip()
    if not wanted:
        return []
    return [match.span() for match in regex.finditer(_as_words(wanted, _pattern(wanted)), text, regex.IGNORECASE)]


def _as_words(words: str, pattern: str) -> str:
    """The pattern of words where nothing that is written together with them makes them other words."""
    first, last = words[0], words[-1]
    before = "" if _ANY.match(first) else f"(?<![{_KATAKANA}])" if _LONG.match(first) else f"(?<!{_INSIDE})"
    after = "" if _ANY.match(last) else f"(?![{_KATAKANA}])" if _LONG.match(last) else f"(?!{_INSIDE})"
    if _SUFFIXED.match(last):
        after = f"(?=(?:씨|님)?(?:{_PARTICLES})?{after})"
    return f"{before}{pattern}{after}"


def _pattern(words: str) -> str:
    return _BLANKS.join(map(_alike, _SPACE.split(words)))


def _alike(word: str) -> str:
    return "".join(_CLASSES.get(letter, regex.escape(letter)) for letter in word)


def _nearly(pattern: str, text: str, errors: int) -> "regex.Match[str] | None":
    try:
        return regex.search(rf"(?be)(?:{pattern}){{e<={errors}}}", text, regex.IGNORECASE, timeout=SECONDS)
    except TimeoutError:
        return None
