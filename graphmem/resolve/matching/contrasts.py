"""Names that a text tells apart: two names in one sentence are two, unless the words around them say that they are one.

“José García is not Jose Garcia” names two; “Tom Okafor, also known as Tommy,” names one.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from graphmem.model.matching import NEAR
from graphmem.resolve.matching import vocabulary
from graphmem.resolve.matching.fold import folded

NameSpan = tuple[int, int]
"""Where a name stands in a text: ``[start, end)``."""


def _any(words: Iterable[str]) -> str:
    """A pattern of any of them, the longest first."""
    return "(?:" + "|".join(sorted(words, key=lambda word: (-len(word), word))) + ")"


_AROUND = 40  # code points that are read before two names
_QUOTES = " \"'“”‘’„«»"
_BETWEEN_TWO = vocabulary.words("between_two")
_LITTLE = vocabulary.words("little")
_PRONOUNS = vocabulary.words("pronouns")
_SHORTENED = vocabulary.words("shortened")
_NAMING = _any(vocabulary.lines("naming_phrases"))
_BESIDE_NAMING = _any(vocabulary.words("beside_naming"))
_ALIAS = re.compile(rf"(?:{_BESIDE_NAMING} )*{_NAMING} (?:(?:{_NAMING}|{_BESIDE_NAMING}) )*")
"""All that stands between two names, folded, where the one is called as the other."""
_OR = re.compile(rf"or(?: {_BESIDE_NAMING})*")
_CALLS = re.compile(r"\s+(?:called|named)\s")
"""“Tom called Tom Okafor”: he telephoned."""
_THING = "(?:person|people|man|woman|human|one|thing|company|firm|place|city|entity)"
_ARE_ONE = re.compile(
    r"[,)]*\s+(?:both |all )?(?:are|were|is|mean|denote|refer to)\s"
    r"(?:(?:all|both|really|actually|just|simply|in fact)\s)*"
    rf"(?:(?:one and )?the same(?: {_THING})?\s*(?=[.,;!?)]|$)|(?:one|a single) {_THING}\b"
    r"|(?:two )?(?:names|spellings|aliases)\b)",
    re.IGNORECASE,
)
"""“Bob and Robert Hall are the same person”, but not “are the same age”."""
_LISTED = re.compile(r"(?:,\s+[^\W\d_a-z][^\s,.;]*(?:\s[^\W\d_a-z][^\s,.;]*){0,3})*(?:,?\s+(?:and|or)\b|\s*&)")
"""What follows in a row of names; in “Tom, Tom Okafor, lives in Rome and …” there is none."""
_OPENED = re.compile(
    rf"(?:^|[.!?\n]\s*){_any(vocabulary.words('openers'))}(?:\s+(?:from|of|to|with|for))?\s+$", re.IGNORECASE
)
"""“Unlike Tom, Tom Okafor lives in Rome.”"""
_EITHER = re.compile(r"\b(?:either|whether)\s+$", re.IGNORECASE)
_RELATIVE_OF = re.compile(rf"\b{_any(vocabulary.words('relatives'))}\s+(?:of|to)\s+$", re.IGNORECASE)
_OWNS = re.compile(r"['’]s?\s+(?!(?:\w+\s+)?(?:name|nickname|alias)\b)\w")
"""“Tom is Tom Okafor's son”, but not “Tom is Tom Okafor's nickname”."""
_SENTENCE_END = re.compile(r"(?P<before>\w*)(?P<end>[.!?…]+)[\"'”’)\]]*\s+(?![a-z])")


@dataclass(frozen=True, slots=True)
class _Two:
    """A name in a text, and the next one."""

    text: str
    first: NameSpan
    second: NameSpan

    @property
    def between(self) -> str:
        return self.text[self.first[1] : self.second[0]]

    @property
    def before(self) -> str:
        return self.text[max(0, self.first[0] - _AROUND) : self.first[0]]

    def follows(self, pattern: re.Pattern[str]) -> bool:
        return pattern.match(self.text, self.second[1]) is not None

    def are_one(self) -> bool | None:
        """Whether the sentence says that they are one (True), or two (False), or neither."""
        if not self._are_in_one_sentence():
            return None
        words = folded(self.between).removeprefix("s").strip() if self._is_possessive() else folded(self.between)
        if words in ("", "is", "was") and self.follows(_OWNS):
            return False
        if words in ("and", "or") and self.follows(_ARE_ONE):
            return True
        return self._are_one_by_words(words) if words else self._are_one_by_signs()

    def _are_one_by_words(self, words: str) -> bool | None:
        if _OR.fullmatch(words):
            return False if _EITHER.search(self.before) else None
        called = _ALIAS.fullmatch(f"{words} ") and not _CALLS.match(self.between)
        return bool(called) and not _RELATIVE_OF.search(self.before)

    def _are_one_by_signs(self) -> bool | None:
        sign = self.between.strip(_QUOTES)
        if sign == "+" or (sign == "," and (self.follows(_LISTED) or self._is_opened())):
            return False
        return True if sign in ("(", "[", "=") else None

    def _is_possessive(self) -> bool:
        return self.between[:2].casefold() in ("'s", "’s")

    def _is_opened(self) -> bool:
        return bool(_OPENED.search(self.before)) and self.text[self.second[1] : self.second[1] + 1] != ","

    def _are_in_one_sentence(self) -> bool:
        start = self.first[0]
        if not self.between or self.second[0] - start > NEAR or re.search(r"\n|:\s", self.between):
            return False
        ends = _SENTENCE_END.finditer(self.text[start : self.second[0] + 1])
        return not any(start + end.start("end") >= self.first[1] and _is_end(end["before"]) for end in ends)


def contrast(text: str, ones: Iterable[NameSpan], others: Iterable[NameSpan]) -> str:
    """What stands between two names where a text tells the one from the other; "" where it does not.

    A text that says somewhere that they are one does not. Of pronouns, and of a name that stands there twice, little is
    believed: “I and Maya”, but not “I'll come, Maya”.
    """
    places = sorted({*((place, False) for place in ones), *((place, True) for place in others)})
    names = [(place, of) for place, of in places if text[slice(*place)].casefold() not in _PRONOUNS]
    answers = [(two, two.are_one()) for two in _neighbours(text, names) if not _are_alike(two)]
    if any(answer for _, answer in answers):
        return ""
    plain = [two.between for two in _neighbours(text, places) if _is_plain(two.between)]
    return next((two.between for two, answer in answers if answer is False), plain[0] if plain else "")


def _neighbours(text: str, places: list[tuple[NameSpan, bool]]) -> list[_Two]:
    """Each place of the one beside one of the other."""
    return [_Two(text, first, second) for (first, of), (second, of_next) in pairwise(places) if of != of_next]


def _are_alike(two: _Two) -> bool:
    return two.text[slice(*two.first)].casefold() == two.text[slice(*two.second)].casefold()


def _is_plain(between: str) -> bool:
    """Whether no more stands there than that they are two: “and”, “met”."""
    words = [word for word in folded(between).split() if word not in _LITTLE]
    closed = re.search(r"[.!?;:()\n]", between.strip(" ").removesuffix("."))
    return bool(words) and not closed and all(word in _BETWEEN_TWO for word in words)


def _is_end(before: str) -> bool:
    """Whether a point after this word ends a sentence: none does after “Dr” and “J”."""
    return len(before) != 1 and before.casefold() not in _SHORTENED
