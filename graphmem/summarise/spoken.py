"""Sentences of a turn that a reader understands by themselves, without questions, greetings and small talk.

The tables are of English; in other languages only questions and very short sentences are left out.
"""

import re
from collections.abc import Iterator

LEAST_WORDS = 4
"""A sentence of fewer words says nothing by itself; a character of Chinese, Japanese or Korean counts as a word."""
LONGEST = 600
"""A sentence of more characters is no sentence, but a list, a table or a log."""

_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？]+[」』”’）]*|\n")
_ABBREVIATED = re.compile(r"(?:\b(?:mrs?|ms|dr|prof|st|no|vs|etc|e\.g|i\.e|[a-z]))\.\Z", re.IGNORECASE)
_LONGEST_ABBREVIATION = 6
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:['’]\w+)?")
_QUESTION = re.compile(r"[?？][\s\"'”’»)\]」』]*\Z")
_ADDRESSED = re.compile(r"\b(?:you|your|yours|yourself|yourselves|ya|y['’]all)\b", re.IGNORECASE)

_CALLS = r"(?:hey|hi|hiya|hello|thanks|thank\ you|wow|whoa|woah|oh|ah|aw+|haha+|lol|yeah|yes|yep|yup|no|nope|sure|ok|okay|well|anyway|btw|by\ the\ way|honestly|actually|so|and|but|plus|also|cool|nice|great|awesome|right|exactly|absolutely|definitely|totally|of\ course|congrats|congratulations)"
_OPENING = re.compile(
    rf"(?:{_CALLS}(?:\s+(?:there|again|man|dude|guys|so\ much|a\ lot|[A-Z]\w+))?(?:\s*[,!.…:;]+|\s*[-–—]+)\s*)+"
    .replace("{_CALLS}", _CALLS),
    re.IGNORECASE | re.VERBOSE,
)
_TALK = re.compile(
    r"""
    (?: hey|hi|hiya|hello|thanks?|thx|wow|whoa|woah|oh|aw+|haha+|lol|congrats|congratulations|kudos|cheers
      | yeah|yes|yep|yup|nope|sure|ok|okay|absolutely|definitely|totally|exactly|agreed|indeed|of\ course
      | bye|goodbye|see\ ya|see\ you|take\ care|good\ (?:luck|morning|evening|night|job|for)|have\ a|keep|enjoy
      | cool|awesome|nice|great|amazing|sounds?|glad|sorry|no\ (?:problem|worries)|my\ pleasure|way\ to\ go|well\ done
      | so\ (?:cool|nice|happy|glad|sweet|sorry|true)|can['’]t\ wait|let\ me|let['’]?s|check|look|here|long\ time
      | i\ (?:agree|see|know|understand|get\ it|hear|bet|hope\ so|guess\ so|appreciate)
      | i['’]m\ (?:so\ |really\ |very\ )?(?:glad|happy|sorry|proud)\ (?:to\ hear|for|of|that)
    )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_POINTS_BACK = re.compile(
    r"\W*(?:(?:and|but|so|plus|also|because|cause|then)\W+)*(?:it|its|this|that|these|those|they|them|their|he|him|his|she|her|which|what"
    r"|who|how|there|both|same|either|neither)\b",
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
    """Where each sentence stands that says something by itself, less the “Hey Ana,” and “Yeah,” at its beginning."""
    for start, end in sentences(text):
        opening = _OPENING.match(text, start, end)
        begin = opening.end() if opening else start
        if is_telling(text[begin:end]):
            yield begin, end


def is_telling(sentence: str) -> bool:
    """Whether a sentence is worth a place in a summary: no question, no small talk, nothing that points back."""
    if len(sentence) > LONGEST or len(_WORD.findall(sentence)) < LEAST_WORDS:
        return False
    return not (
        _QUESTION.search(sentence)
        or _ADDRESSED.search(sentence)
        or _TALK.match(sentence)
        or _POINTS_BACK.match(sentence)
    )


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


def _is_abbreviated(text: str, start: int, end: int) -> bool:
    return _ABBREVIATED.search(text, max(start, end - _LONGEST_ABBREVIATION), end) is not None
