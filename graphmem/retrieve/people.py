"""Who and what may be named in a text: runs of words that may be names, as keys of entities."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graphmem.model.entity import normalise_name

_WORD = re.compile(r"\w+(?:[.'’-]\w+)*", re.UNICODE)
_POSSESSIVE = re.compile(r"['’]s$")
_MOST_WORDS = 4
_MOST_PLACES = 300


@dataclass(frozen=True, slots=True)
class Place:
    """Words of a text, from ``start`` to ``end``, and the key that they are as a name."""

    start: int
    end: int
    key: str


def places(text: str, *, capitals: bool = True) -> list[Place]:
    """Runs of up to four words that may be a name, in their order, of one beginning the longest first.

    With ``capitals`` a name begins with one, unless the whole text is in lower case: “Will” is nobody in “will it
    rain?”.
    """
    anyhow = not capitals or text == text.lower()
    return [place for _, place in zip(range(_MOST_PLACES), _places(text, anyhow=anyhow), strict=False)]


def named_in(found: Iterable[Place], keys: Iterable[str]) -> list[str]:
    """The keys that are named, each once; words of a longer name name nobody else."""
    known, names, reached = set(keys), dict[str, None](), 0
    for place in found:
        if place.key in known and place.start >= reached:
            names[place.key] = None
            reached = place.end
    return list(names)


def _places(text: str, *, anyhow: bool) -> Iterator[Place]:
    words = list(_WORD.finditer(text))
    for first, word in enumerate(words):
        if anyhow or not word[0][0].islower():
            for last in reversed(words[first : first + _MOST_WORDS]):
                run = text[word.start() : last.end()]
                if re.fullmatch(r"[\w.'’-]+(?: [\w.'’-]+)*", run):
                    yield Place(word.start(), last.end(), normalise_name(_POSSESSIVE.sub("", run)))
