"""The canonical predicates of open claims, and the verbs that fold into each, as ``predicates.toml`` lists them."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files


@cache
def folds() -> Mapping[str, Sequence[str]]:
    """Of each canonical predicate the “lemma particle preposition” that say it, some with “:type” of the object."""
    return tomllib.loads((files(__package__) / "predicates.toml").read_text("utf-8"))
