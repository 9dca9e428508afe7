"""The canonical predicates of open claims, and the verbs that fold into each: packaged ones, and an ontology's own."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from graphmem.model.ontology import Ontology, by_fold


@cache
def packaged_predicates() -> Mapping[str, Sequence[str]]:
    """Of each canonical predicate the “lemma particle preposition” that say it, some with “:type” of the object.

    “me” for an object is the speaker. They are those of ``predicates.toml``.
    """
    return tomllib.loads((files("graphmem.extract.offline.tables") / "predicates.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Folds:
    """Canonical predicates by their folds: an ontology's ``own``, and the packaged one of a fold that it has not."""

    own: Mapping[str, str] = field(default_factory=dict[str, str])

    def first(self, *folds: str) -> str:
        """The canonical predicate of the first of the folds that there is; "" if there is none."""
        packaged = _packaged()
        return next((name for fold in folds if (name := self.own.get(fold) or packaged.get(fold))), "")

    def first_own(self, *folds: str) -> str:
        """The canonical predicate of the first of the ontology's own folds that there is; "" if there is none."""
        return next((self.own[fold] for fold in folds if fold in self.own), "")


PACKAGED = Folds()


def folds_of(ontology: Ontology) -> Folds:
    """The packaged folds, with those of the ontology if it has any."""
    return Folds(by_fold(ontology.open_predicates)) if ontology.open_predicates else PACKAGED


@cache
def _packaged() -> Mapping[str, str]:
    """The canonical predicate of each packaged fold."""
    return by_fold(packaged_predicates())
