"""Finds what a model quotes in what was said, and tells whether that bears out what a model says in its own words.

A quote is found exactly, else nearly, else not at all. Who, where and how many is never a model's own: a name or number
that the text does not have is made up, whatever is around.
"""

from collections.abc import Iterable
from itertools import takewhile

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

_WORD = regex.compile(r"\w+")
_NOTHING = frozenset(
    _WORD.findall("""
    a an and any are as at be but by can cannot did do does don for from had has have he her hers him his i in is it its
    me my never no none not of off on or our s she so t that the their them they this to too us very was we were with
    yes you your
    """)
)
"""Words that say nothing of a turn by standing in it."""
_SPEAKING = frozenset({"my", "myself", "our", "ours", "ourselves", "you", "your", "yours", "yourself", "yourselves"})
"""Pronouns that are no words of other languages, as “me” and “we” are."""
_KIN = 0.7
"""So much of the longer one do two forms of a word have in common, from their beginning on."""


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
    match = regex.search(pattern, text, regex.IGNORECASE)
    errors = len(wanted) // TOLERANCE
    if match is None and errors:
        match = _nearly(pattern, text, errors)
    return match.span() if match else None


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


def bears_out(text: str, words: str) -> bool:
    """Whether a text has at least half of the words that say something, endings aside, and every name and number."""
    if not words.isascii() and find_quote(text, words):
        return True  # not every script has blanks between words
    claimed = telling(words)
    stand = sum(_stands(text, word) for word in claimed)
    return 2 * stand >= len(claimed) > 0 and not _invents(text, words)


def statement_of(written: str, text: str, subject: str, predicate: str, target: str, *, ends: bool) -> str:
    """A model's sentence where it may stand, else a plain one."""
    verb = predicate.replace("_", " ")
    if own := own_sentence(written, f"{text} {verb}", (subject, target)):
        return own
    sentence = f"{subject} {verb} {target}".strip()
    return f"{sentence} no longer." if ends else f"{sentence}."


def own_sentence(written: str, text: str, about: Iterable[str]) -> str:
    """A model's sentence; "" of one that nobody understands by itself, or that says what nobody said.

    That is one that does not name what it is ``about``, that says “my” or “you”, or has other names and numbers than
    the text.
    """
    about = [name for name in about if name]
    first, _, others = written.strip().partition(" ")  # the first word has a capital whatever it is
    words, known = _WORD.findall(others), " ".join((text, *about))
    if not all(_names(written, name) for name in about) or _SPEAKING.intersection(words):
        return ""
    counted = all(_stands(known, word) for word in words if word[0].isdigit())  # also “8th”
    return f"{first} {others}".strip() if counted and not _invents(known, others) else ""


def _names(sentence: str, name: str) -> bool:
    """Whether a sentence has a name, or one of its words."""
    return any(find_name(sentence, word) for word in telling(name)) or bool(find_name(sentence, name))


def _invents(text: str, words: str) -> bool:
    named = [word for word in telling(words) if not word.islower()]
    return not all(_stands(text, word) for word in named)


def telling(words: str) -> list[str]:
    """The words that say something, in their order."""
    return [word for word in _WORD.findall(words) if word.casefold() not in _NOTHING]


def _stands(text: str, word: str) -> bool:
    return any(_are_kin(word.casefold(), other.casefold()) for other in _WORD.findall(text))


def _are_kin(word: str, other: str) -> bool:
    if word == other or not (word.isalpha() and other.isalpha()):
        return word == other
    beginning = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False)))
    return beginning >= _KIN * max(len(word), len(other))
