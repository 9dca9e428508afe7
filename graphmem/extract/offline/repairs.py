"""What somebody withdraws in the same breath, left out: “I live in Rome, no, Milan” is read as “I live in Milan”.

A repair stands in the place of the words before its mark that look like it: that begin with the same preposition or
article, or else are names, numbers or nouns as it is (Levelt 1983, https://doi.org/10.1016/0010-0277(83)90026-4).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from graphmem.extract.offline.tables.words import words
from graphmem.extract.owners.rewording import Edit
from graphmem.extract.owners.words import words as own_words
from graphmem.model.dates import MONTHS, WEEKDAYS

_MARK = re.compile(
    r"(?P<pause>\s{0,2}(?:[,;:–—-]|\.{1,3}|…|!)\s{0,2}|\s{1,2})"
    r"(?P<mark>(?:(?:no|oops|whoops|wait|hang on|hold on|er|erm|uh|um|sorry|ah|well|typo|correction|actually|rather|or"
    r"|I meant?(?: to say)?|I tell a lie|(?:scratch|strike) that|make that|it['’]?s|that['’]?s)"
    r"\b[\s,.:;…–—-]{0,4}){1,4})",
    re.IGNORECASE,
)
_SURE = re.compile(
    r"\b(?:I meant?|rather|oops|whoops|(?:scratch|strike) that|make that|correction|typo|I tell a lie"
    r"|(?:no|oh)\W+(?:wait|sorry|actually)|wait\W+no|sorry\W+(?:no|I meant?|make that))\b",
    re.IGNORECASE,
)
"""Marks by which common nouns give way, too."""
_NO_MARK = re.compile(r"(?:or|it['’]?s|that['’]?s|well)\W*", re.IGNORECASE)
_SPOKEN = r"(?!-\s)[^\s.,;:!?…()–—]+(?:[.@:/'’-][^\s.,;:!?…()–—]+)*"
_REPAIR = re.compile(rf"{_SPOKEN}(?: +{_SPOKEN}){{0,3}}")
_AFTERWARDS = re.compile(r"(?:\s+(?:actually|now|instead|then|of course))+$", re.IGNORECASE)
_WORD = re.compile(rf"{_SPOKEN}\.?")
_SENTENCE_ENDS = re.compile(r"[.!?…]\s+|\n")
_LINKS = words("in at to for with on from of near by a an the my our his her their your")
_ARTICLES = words("a an the my our his her their your")
_NUMBERS = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty thirty"
)
_NOT = words("not never no nobody nothing")
_DAYS = frozenset({*MONTHS, *WEEKDAYS})
_SPEAKS = words("i i'm i've we we're we've he she they it you that this there")
_GOES_ON = words("and but so because although though when while if")
_NEAR = 80
"""Code points before a mark in which the words stand that give way."""
_FAR = 5
"""Words from the end that a number stands at most, which gives way to another one."""
_Words = Sequence[re.Match[str]]


def repairs(text: str) -> Iterator[Edit]:
    """What is to be left out of a text, in its order."""
    at = 0
    while mark := _MARK.search(text, at):
        edits = _edits(text, mark, at)
        yield from edits
        at = max((edit.end for edit in edits), default=mark.end("pause") + 1)


def _edits(text: str, mark: re.Match[str], at: int) -> list[Edit]:
    repair = _REPAIR.match(text, mark.end())
    sure = _SURE.search(mark["mark"]) is not None
    if repair is None or not (sure or mark["pause"].strip()):
        return []
    end = repair.end() - len(repair[0]) + len(_AFTERWARDS.sub("", repair[0]))
    if end == repair.end() and _NO_MARK.fullmatch(mark["mark"]):
        return []
    before = _words(text, _start_of_sentence(text, at, mark.start()), mark.start())
    instead = _words(text, repair.start(), end)
    if mark["mark"].casefold().startswith("sorry") and _key(instead[-1]) in own_words().given:
        return []  # “I can't come to Porto, sorry, Ana”
    gives_way = _withdrawn(before, instead, sure=sure)
    if gives_way is None:
        return []
    first, last = before[gives_way[0]].start(), before[gives_way[1] - 1].end()
    if gives_way[1] < len(before):  # “five cats, scratch that, six”
        return [Edit(first, last, text[repair.start() : end]), Edit(mark.start(), end, "")]
    return [Edit(first, repair.start(), "")]


def _withdrawn(before: _Words, instead: _Words, *, sure: bool) -> tuple[int, int] | None:
    """The first and the end of the words, of those before a mark, in whose place others stand; None where none do."""
    said, new = [_key(word) for word in before], [_key(word) for word in instead]
    if not said or not new or _GOES_ON & {*new} or any(map(_denies, said)):
        return None
    if new[0] in _SPEAKS or new[0] in _LINKS:
        wide = 2 if new[0] in _SPEAKS else 1  # “I live in Rome, no, I live in Milan”
        alike = _ARTICLES if new[0] in _ARTICLES else {new[0]}
        return _from(said, lambda at: said[at] in alike and said[at + 1 : at + wide] == new[1:wide])
    kinds, number = [_kind(word) for word in before], _kind(instead[0]) == "number"
    if number and len(new) == 1 and kinds[-1] != "number":
        counted = _from(said, lambda at: kinds[at] == "number" and at >= len(said) - _FAR)
        return counted and (counted[0], counted[0] + 1)
    kind = "number" if number and kinds[-1] == "number" else _kind(instead[-1])
    if kind != kinds[-1] or (kind == "noun" and not sure) or (kind == "name" and not _are_names(instead)):
        return None
    alike = list(takewhile(lambda at: kinds[at] == kind and said[at] not in _LINKS, reversed(range(len(said)))))
    if not alike:
        return None  # “to, I mean, shops”
    if kind != "name":
        alike = alike[: len(new) if kind == "noun" else 1]
    elif alike[-1] == 0 and len(alike) > len(new):
        alike.pop()  # “Ask Ana, no, Eva”
    house = number and kind != "number" and kinds[alike[-1] - 1 :][:1] == ["number"]
    return alike[-1] - house, len(said)  # “12 Elm Street, no, 14 Elm Street”


def _from(said: Sequence[str], begins: Callable[[int], bool]) -> tuple[int, int] | None:
    """From the last word that begins what gives way to the end; None where none does."""
    first = next((at for at in reversed(range(len(said))) if begins(at)), None)
    return None if first is None else (first, len(said))


def _are_names(instead: _Words) -> bool:
    """Also with the number of a house: “14 Elm Street”."""
    return {*map(_kind, instead)} - {"number"} == {"name"}


def _denies(word: str) -> bool:
    return word in _NOT or word.endswith(("n't", "n’t"))


def _kind(word: re.Match[str]) -> str:
    text = word[0].strip(".'’")
    if "@" in text:
        return "mail"
    if _key(word) in _DAYS:
        return "day"
    if text[:1].isdigit() or text[1:2].isdigit() or text.casefold() in _NUMBERS:
        return "number"
    return "name" if text[:1].isupper() and text != "I" else "noun"


def _key(word: re.Match[str]) -> str:
    return word[0].strip(".").casefold()


def _words(text: str, start: int, end: int) -> _Words:
    return list(_WORD.finditer(text, start, end))


def _start_of_sentence(text: str, at: int, end: int) -> int:
    """Where the sentence begins that ends before a mark; not before ``at``."""
    start = max(at, end - _NEAR)
    ends = [match.end() for match in _SENTENCE_ENDS.finditer(text, start, end)]
    return ends[-1] if ends else start
