"""Folds: the words by which a plain clause says an open predicate: “look into”, “check out:place”, “inspire me”."""

import re
from collections.abc import Iterator, Mapping, Sequence

from graphmem.model.claim import DID, STATED

RESERVED = frozenset({DID, *STATED.values()})
"""Predicates that say how something is said, and not what."""
MOST_OPEN_PREDICATES = 200
MOST_FOLDS = 64
"""Of one open predicate."""
LONGEST_FOLD = 64

_FOLD = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){0,3}(?::[^\W\d][\w-]*)?")
_SHAPE = (
    "a verb (or an adjective) in its base form, with up to three words after it and perhaps “:” and the type of its "
    f"object; {LONGEST_FOLD} small letters at most"
)
_ME = "me"


def by_fold(open_predicates: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The open predicate of each fold."""
    return {fold: name for name, folds in open_predicates.items() for fold in folds}


def problems_of_folds(open_predicates: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """What keeps folds from being read, in words."""
    names: dict[str, str] = {}
    for name, folds in open_predicates.items():
        for fold in folds:
            yield from _problems(name, fold)
            if (other := names.setdefault(fold, name)) != name:
                yield f"{fold!r} folds into {other!r} and into {name!r}. Leave it with one of them."


def _problems(name: str, fold: str) -> Iterator[str]:
    if not _FOLD.fullmatch(fold) or fold != fold.lower() or len(fold) > LONGEST_FOLD:
        yield f"{fold[:LONGEST_FOLD]!r} of {name!r} is no fold: {_SHAPE}.{_hint(fold)}"
    said, _, type_ = fold.partition(":")
    if said == _ME or (type_ and said.endswith(f" {_ME}")):
        yield f"{fold!r} of {name!r} is no fold: “me” stands for the object, after a verb and without a type."


def _hint(fold: str) -> str:
    better = " ".join(fold.replace("_", " ").lower().split())
    return f" Write {better!r}." if _FOLD.fullmatch(better) and len(better) <= LONGEST_FOLD else ""
