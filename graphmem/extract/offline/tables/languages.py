"""Small words and scripts by which languages are known: ``languages.toml``."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

ENGLISH = "English"


@dataclass(frozen=True, slots=True)
class SmallWords:
    """Of a language: those that English does not have, those of English that it does not have, and its own letters."""

    own: frozenset[str]
    of_english_alone: frozenset[str]
    letters: frozenset[str]


@dataclass(frozen=True, slots=True)
class LanguageTable:
    """``words`` are by the language's name; ``scripts`` have the language that each stands for where no word tells.

    ``languages_of`` a word are the names of those that have it and English has not; ``joining`` words stand between the
    words of a name.
    """

    english: frozenset[str]
    words: Mapping[str, SmallWords]
    languages_of: Mapping[str, frozenset[str]]
    scripts: Mapping[str, str]
    unspaced: frozenset[str]
    joining: frozenset[str]


@cache
def language_table() -> LanguageTable:
    read = tomllib.loads((files("graphmem.extract.offline.tables") / "languages.toml").read_text("utf-8"))
    tables = {table["name"]: table for table in read.values() if "words" in table}
    english = _words(tables.pop(ENGLISH))
    words = {name: _small_words(table, english) for name, table in tables.items()}
    unspaced, joining = frozenset(read["unspaced"]["scripts"]), frozenset(read["names"]["joining"].split())
    languages_of = {
        word: frozenset(name for name, its in words.items() if word in its.own)
        for word in {word for its in words.values() for word in its.own}
    }
    return LanguageTable(english, words, languages_of, read["scripts"], unspaced, joining)


def _words(table: Mapping[str, str]) -> frozenset[str]:
    return frozenset(table["words"].split())


def _small_words(table: Mapping[str, str], english: frozenset[str]) -> SmallWords:
    words = _words(table)
    return SmallWords(words - english, english - words, frozenset(table.get("letters", "")))
