"""The canonical predicates of open claims, and the verbs that fold into each, as ``predicates.toml`` lists them."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files


@cache
def folds() -> Mapping[str, Sequence[str]]:
    """Of each canonical predicate the “lemma particle preposition” that say it, some with “:type” of the object.

    “me” for an object is the speaker.
    """
    return tomllib.loads((files("graphmem.extract.offline.tables") / "predicates.toml").read_text("utf-8"))
