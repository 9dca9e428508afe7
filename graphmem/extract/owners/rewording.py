"""Words about somebody in the words that they would use themselves, with the way back to the places of the text."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from graphmem.extract.owners.words import words


@dataclass(frozen=True, slots=True)
class Edit:
    """What stands at ``[start, end)`` of a text is to be read as ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Reworded:
    """A text after some edits, which do not overlap and are in order."""

    text: str
    edits: tuple[Edit, ...] = ()

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where in the first text ``[start, end)`` of this one stands; what was edited, as a whole."""
        return self._back(start, is_end=False), self._back(end, is_end=True)

    def _back(self, at: int, *, is_end: bool) -> int:
        shifts, starts = self._shifts(), self._starts()
        number = (bisect_left if is_end else bisect_right)(starts, at) - 1
        if number < 0:
            return at
        edit = self.edits[number]
        inside = at - starts[number]
        if inside < len(edit.text) or (is_end and inside == len(edit.text)):
            return edit.end if is_end else edit.start
        return at - shifts[number]

    def _shifts(self) -> list[int]:
        return list(accumulate(len(edit.text) - (edit.end - edit.start) for edit in self.edits))

    def _starts(self) -> list[int]:
        before = [0, *self._shifts()]
        return [edit.start + shift for edit, shift in zip(self.edits, before, strict=False)]


def reworded(text: str, edits: Iterable[Edit]) -> Reworded:
    """The text as the edits have it."""
    kept = list[Edit]()
    for edit in sorted(edits, key=lambda each: (each.start, each.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return Reworded("".join(_parts(text, kept)), tuple(kept))


def _parts(text: str, edits: Sequence[Edit]) -> Iterator[str]:
    at = 0
    for edit in edits:
        yield text[at : edit.start]
        yield edit.text
        at = edit.end
    yield text[at:]


_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_PRONOUN = re.compile(
    r"(?<![\w'’])(?:(?P<subject>she|he)(?P<short>['’]s)?|(?P<poss>her|his)(?= \w)|(?P<self>herself|himself))(?![\w’'])",
    re.IGNORECASE,
)


def first_person(text: str, start: int, end: int) -> Iterator[Edit]:
    """What is said of one person as “she” or “he” in ``[start, end)``, as they say it: “she sold her car”, “I … my”."""
    for match in _PRONOUN.finditer(text, start, end):
        if match["self"]:
            yield Edit(match.start(), match.end(), "myself")
        elif match["poss"]:
            yield Edit(match.start(), match.end(), "my")
        elif not match["short"]:
            yield Edit(match.start(), match.end(), "I")
            yield from of_first_person(text, match.end(), end)
        else:
            gone = _is_participle(text[match.end() : min(end, match.end() + _NEAR)])
            yield Edit(match.start(), match.end(), "I've" if gone else "I'm")


def _is_participle(text: str) -> bool:
    """Whether “she's” before it is “she has”: “she's moved”."""
    word = _WORD.match(text.lstrip())
    return word is not None and (word[0].endswith("ed") or word[0] in words().verbs.participles)


def of_first_person(text: str, at: int, end: int) -> Iterator[Edit]:
    """The verb behind a subject that has become “I”, after adverbs."""
    for match in _WORD.finditer(text, at, min(end, at + _NEAR)):
        if re.search(r"[^\s]", text[at : match.start()].replace(",", "")):
            return
        verb = first_person_verb(match[0])
        if verb != match[0]:
            yield Edit(match.start(), match.end(), verb)
            return
        if match[0].casefold() not in words().verbs.adverbs:
            return
        at = match.end()


_NEAR = 60


_SHORTEST = 4
"""Letters of a verb that ends in “s”."""


def first_person_verb(word: str) -> str:
    """“prefers” as “prefer”, “is” as “am”; other words as they are."""
    key = word.replace("’", "'")
    if key.casefold() in words().verbs.first:
        return words().verbs.first[key.casefold()]
    if key.casefold() in words().verbs.others or not key.endswith("s") or key.endswith("ss") or len(key) < _SHORTEST:
        return word
    if key.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if key.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")) else word[:-1]


def is_third_person(word: str) -> bool:
    """Whether a word may be a verb of somebody else's: “prefers”, “is”."""
    return first_person_verb(word) != word or word.casefold() in ("was", "had", "did", "will", "would", "can", "must")


def relatives(text: str) -> bool:
    """Whether a text names somebody else whom “she” may be."""
    text_words = {word.casefold() for word in _WORD.findall(text)}
    return not text_words.isdisjoint(words().kin) or not text_words.isdisjoint(words().given)
