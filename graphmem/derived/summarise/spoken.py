"""Sentences of a turn that tell something by themselves: no questions, greetings and small talk.

The tables are of English; of other languages only questions and very short sentences are left out.
"""

import re
from collections.abc import Iterable, Iterator

from graphmem.derived.summarise.tables import CALLS, COMMON, JOINING, LINKS, POINTING, TALK

LEAST_WORDS = 4
"""A sentence of fewer words says nothing by itself; a character of Chinese, Japanese or Korean counts as a word."""
LEAST_TELLING = 3
"""Words of a sentence that are not among the common ones."""
LONGEST = 600
"""What has more characters is no sentence, but a list, a table or a log."""

_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s)|[。！？]+[」』”’）]*|\n")
_ABBREVIATED = re.compile(r"(?:\b(?:mrs?|ms|dr|prof|st|no|vs|etc|e\.g|i\.e|[a-hj-z]))\.\Z", re.IGNORECASE)
"""What ends with a full stop and ends no sentence: “Dr.”, “J.”; “I.” may end one."""
_LONGEST_ABBREVIATION = 6
_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_QUESTION = re.compile(r"[?？][\W_]*\Z")
_ADDRESSED = re.compile(r"\b(?:you|your|yours|yourself|yourselves|ya|y['’]all|let me know)\b", re.IGNORECASE)


def _one_of(patterns: Iterable[str]) -> str:
    return f"(?:{'|'.join(patterns)})"


_SET_OFF = r"(?:\s*[,!.…:;]+\s*|\s+[–—-]+\s+|\s+(?=(?:i|we|my|our)\b))"
_NAMED = r"\s+(?:there|again|man|dude|guys|so much|a lot|(?-i:[A-Z])\w+)"
_OPENING = re.compile(rf"(?:(?:{_one_of(CALLS)}(?:{_NAMED})?|{_one_of(LINKS)}){_SET_OFF})+", re.IGNORECASE)
_TALK = re.compile(rf"{_one_of(TALK)}\b", re.IGNORECASE)
_POINTS_BACK = re.compile(
    rf"\W*(?:{_one_of(sorted(JOINING))}\W+)*{_one_of(sorted(POINTING))}\b",
    re.IGNORECASE,
)


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence of a text stands, ``[start, end)`` in code points, without blanks around it."""
    start = 0
    for match in _END.finditer(text):
        if not _is_abbreviated(text, start, match.end()):
            yield from _trimmed(text, start, match.end())
            start = match.end()
    yield from _trimmed(text, start, len(text))


def telling(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence stands that tells something, less the “Hey Ana,” and “Yeah,” at its beginning."""
    for start, end in sentences(text):
        if end - start > LONGEST:
            continue
        opening = _OPENING.match(text, start, end)
        begin = opening.end() if opening else start
        if is_telling(text[begin:end]):
            yield begin, end


def is_telling(sentence: str) -> bool:
    """Whether a sentence is worth a place in a summary, and is understood without the one before."""
    words = _WORD.findall(sentence.casefold())
    if len(words) < LEAST_WORDS or len(set(words) - COMMON) < LEAST_TELLING:
        return False
    small = (_QUESTION.search(sentence), _ADDRESSED.search(sentence), _TALK.match(sentence))
    return not any(small) and not _POINTS_BACK.match(sentence)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[start:end]
    begin = start + len(part) - len(part.lstrip())
    if part.strip():
        yield begin, begin + len(part.strip())


def _is_abbreviated(text: str, start: int, end: int) -> bool:
    return _ABBREVIATED.search(text, max(start, end - _LONGEST_ABBREVIATION), end) is not None
