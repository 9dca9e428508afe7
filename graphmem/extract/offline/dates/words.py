"""The words of ``words.toml``: names of days and decades, and numbers as they are spelled."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import TypedDict, cast


class _DateWords(TypedDict):
    holidays: Mapping[str, Sequence[int | str]]
    decades: Mapping[str, int]
    ones: Mapping[str, int]
    numbers: Mapping[str, int]
    tens: Mapping[str, int]
    days: Mapping[str, int]
    written: Mapping[str, str]


_WORDS = cast("_DateWords", tomllib.loads((files("graphmem.extract.offline.dates") / "words.toml").read_text("utf-8")))
HOLIDAYS = _WORDS["holidays"]
"""Days that each year has under a name, by what ``holidays`` counts with."""
DECADES = _WORDS["decades"]
"""Names of decades, and the years of each after the century."""
ONES, TENS = _WORDS["ones"], _WORDS["tens"]
"""Numbers that are joined: “twenty-five”."""
NUMBERS = {**ONES, **_WORDS["numbers"], **TENS}
DAYS_OF_MONTH = _WORDS["days"]
_WRITTEN = _WORDS["written"]
_WORD = re.compile(r"(?:\b(?P<before>the|i|we|you|he|she|they|it|to) )?(?P<word>\b[A-Za-z]\w*\.?)", re.IGNORECASE)
_WORDS_TOO = frozenset({"sat", "sun", "wed", "mar", "may", "march"})
"""What means something else after “we”, “the” and the like."""


def spelled_out(phrase: str) -> str:
    """The phrase with its words of time as they are spelled in full: “last tues” is “last Tuesday”."""

    def spelled(match: re.Match[str]) -> str:
        word = match["word"].casefold().removesuffix(".")
        if match["before"] and word in _WORDS_TOO:
            return match[0]
        written = _WRITTEN.get(word, match["word"])
        return f"{match['before']} {written}" if match["before"] else written

    return _WORD.sub(spelled, phrase)
