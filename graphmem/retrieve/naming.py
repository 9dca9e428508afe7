"""Who and what a text may name: runs of words that may be names, as keys of entities."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from graphmem.model.entity import normalise_name
from graphmem.model.recall import KnownEntity

_WORD = re.compile(r"\w+(?:[.'’-]\w+)*", re.UNICODE)
_POSSESSIVE = re.compile(r"['’]s$")
_MOST_WORDS = 4
_MOST_RUNS = 300


@dataclass(frozen=True, slots=True)
class Run:
    """Words of a text, from ``start`` to ``end``, and the key that they are as a name.

    ``proper``: they are written as a name of somebody is, with a capital, unless the whole text is in lower case.
    “Will” is nobody in “will it rain?”.
    """

    start: int
    end: int
    key: str
    proper: bool


def runs(text: str) -> Sequence[Run]:
    """Runs of up to four words that may be a name, in their order, of one beginning the longest first."""
    return tuple(islice(_runs(text), _MOST_RUNS))


def proper_runs(text: str) -> Sequence[Run]:
    """Runs of up to four words that are written as a name of somebody is, ordered as ``runs`` orders them."""
    return tuple(islice((run for run in _runs(text) if run.proper), _MOST_RUNS))


def named_in(found: Iterable[Run], keys: Iterable[str]) -> list[str]:
    """The keys that are named, each once; words of a longer name name nobody else."""
    known, names, reached = set(keys), dict[str, None](), 0
    for run in found:
        if run.key in known and run.start >= reached:
            names[run.key] = None
            reached = run.end
    return list(names)


def each_once(entities: Iterable[KnownEntity]) -> list[KnownEntity]:
    """Of entities that are the same, the first."""
    first = dict[str, KnownEntity]()
    for entity in entities:
        first.setdefault(entity.part_of or entity.id, entity)
    return list(first.values())


def _runs(text: str) -> Iterator[Run]:
    words, lower = list(_WORD.finditer(text)), text == text.lower()
    for first, word in enumerate(words):
        proper = lower or not word[0][0].islower()
        for last in reversed(words[first : first + _MOST_WORDS]):
            written = text[word.start() : last.end()]
            if re.fullmatch(r"[\w.'’-]+(?: [\w.'’-]+)*", written):
                yield Run(word.start(), last.end(), normalise_name(_POSSESSIVE.sub("", written)), proper)
