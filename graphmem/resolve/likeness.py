"""How alike two sentences are: the share of their words that both have (the index of P. Jaccard, 1912).

Which pairs are alike is found without comparing all: two sentences that share so much share one of their rarest words
(prefix filtering; S. Chaudhuri, V. Ganti, R. Kaushik, *A Primitive Operator for Similarity Joins in Data Cleaning*,
2006). What is found so is then compared exactly, and no pair is missed.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import ceil

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ROUNDING = 1e-9
_TURNING = re.compile(
    "no|not|never|none|nobody|nothing|neither|nor|without|cannot|against|instead|except|less|fewer|ex|formerly?"
    "|hat(?:es?|ed|ing)|dislike[sd]?|avoid(?:s|ed)?|refuse[sd]?|detests?|loathes?|stop(?:s|ped)?|quits?|.*n['’]t"
)
"""Words that turn what is said into something else."""
_OPPOSING = ("dis", "un", "non", "anti", "in", "im")
"""Beginnings of words that say the opposite of what is left without them."""

Words = frozenset[str]


def words_of(text: str) -> Words:
    """The words of a text, in lower case."""
    return frozenset(word.casefold() for word in _WORD.findall(text))


def likeness(a: Words, b: Words) -> float:
    """The share of words that both have, from 0 to 1; of texts without words 0."""
    return len(a & b) / len(a | b) if a and b else 0.0


def alike(texts: Sequence[Words], least: float) -> Iterator[tuple[int, int]]:
    """The places of all pairs that share at least so much, the smaller place first; in no particular order."""
    count = Counter(word for words in texts for word in words)
    holders: dict[str, list[int]] = defaultdict(list)
    for place, words in enumerate(texts):
        rarest = sorted(words, key=lambda word: (count[word], word))
        shared = ceil(least * len(words) - _ROUNDING)
        beginning = rarest[: len(words) - shared + 1]
        for other in sorted({other for word in beginning for other in holders[word]}):
            if likeness(texts[other], words) >= least:
                yield other, place
        for word in beginning:
            holders[word].append(place)


def says_another(a: str, b: str) -> bool:
    """Whether two sentences that are alike say something else all the same, by the words that only one of them has.

    That is a number, another name in the place of a name, or a word that turns what is said: not, never, dislikes.
    """
    first, second = words_of(a), words_of(b)
    only_first, only_second = first - second, second - first
    differing = only_first | only_second
    return (
        any(_turns(word) or any(sign.isdigit() for sign in word) for word in differing)
        or _has_opposite(only_first, only_second)
        or _has_opposite(only_second, only_first)
        or (_has_name(a, only_first) and _has_name(b, only_second))
    )


def _turns(word: str) -> bool:
    return _TURNING.fullmatch(word) is not None


def _has_opposite(words: Words, others: Words) -> bool:
    return any(start + word in others for word in words for start in _OPPOSING)


def _has_name(text: str, words: Words) -> bool:
    """Whether one of these words is written with a capital, where not every first word is."""
    return any(word[0].isupper() and word.casefold() in words for word in _WORD.findall(text)[1:])
