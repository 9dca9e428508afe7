"""Names of organizations: what they are called, and in which legal form."""

from dataclasses import dataclass
from functools import lru_cache

from graphmem.resolve.matching import vocabulary
from graphmem.resolve.matching.fold import folded

_FORM_OF = {tuple(spelling.split()): line for line in vocabulary.lines("legal_forms") for spelling in line.split(" | ")}
_BEFORE = vocabulary.words("leading_legal_forms")
"""Forms that may stand before the name."""
_CHARACTERS = vocabulary.rest_of("legal_characters")
_MOST_WORDS = max(map(len, _FORM_OF))


@dataclass(frozen=True, slots=True, kw_only=True)
class Organization:
    """``words`` without “the” and the legal form; ``form`` is "" where none is said."""

    words: tuple[str, ...]
    form: str = ""


@lru_cache(maxsize=1 << 14)
def organization(name: str) -> Organization:
    for characters, latin in _CHARACTERS.items():
        name = f"{name.replace(characters, ' ')} {latin}" if characters in name else name
    words = tuple(folded(name).split())
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    for size in range(min(_MOST_WORDS, len(words) - 1), 0, -1):
        if (form := _FORM_OF.get(words[-size:])) is not None:
            return Organization(words=words[:-size], form=form)
    if len(words) > 1 and words[0] in _BEFORE:
        return Organization(words=words[1:], form=_FORM_OF[words[:1]])
    return Organization(words=words)
