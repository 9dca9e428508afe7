"""The packaged vocabulary: words that names and predicates are read by."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

_PACKAGE = "graphmem.resolve.matching"


@lru_cache(maxsize=1)
def _vocabulary() -> Mapping[str, str]:
    return tomllib.loads(files(_PACKAGE).joinpath("vocabulary.toml").read_text(encoding="utf-8"))


def words(name: str) -> frozenset[str]:
    return frozenset(_vocabulary()[name].split())


def lines(name: str) -> tuple[str, ...]:
    return tuple(_vocabulary()[name].strip().splitlines())


def first_of(name: str) -> dict[str, str]:
    """For each word of a line but the first, the first."""
    split = [line.split() for line in lines(name)]
    return {word: first for first, *others in split for word in others}


def rest_of(name: str) -> dict[str, str]:
    """For the first word of a line what follows it."""
    return {first: rest for first, _, rest in (line.partition(" ") for line in lines(name))}


def predicate_words(predicate: str) -> frozenset[str]:
    """A predicate in small letters, whole and by the words that it is made of."""
    plain = predicate.casefold()
    return frozenset((plain, *plain.split("_")))


@lru_cache(maxsize=1)
def given_forms() -> Mapping[str, frozenset[str]]:
    """The forms of given names in other languages and outside of English."""
    read = tomllib.loads(files(_PACKAGE).joinpath("givens.toml").read_text(encoding="utf-8"))
    forms = dict[str, frozenset[str]]()
    for line in read["names"]:
        for name in line.split():
            forms[name] = forms.get(name, frozenset()) | frozenset(line.split())
    return forms
