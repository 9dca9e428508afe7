"""Which predicates are known, and the canonical one of a predicate that is not.

The folds are those of the offline reader: the packaged ones, and an ontology's own. A model writes a verb in any form
(“signed_up_for”): its base forms are looked up. Only a whole fold counts, so that a form that is none finds nothing.
"""

from collections.abc import Iterator

from graphmem.extract.llm.attributes import OTHER_NAME
from graphmem.extract.offline.tables.folds import folds_of, packaged_predicates
from graphmem.extract.offline.tables.predicates import CATEGORIES, FAVORITE, KNOWN, RENAMED
from graphmem.model.ontology import DEFAULT_ONTOLOGY, Ontology
from graphmem.model.projection.existence import BOUNDS
from graphmem.model.projection.predicate import BUILT_IN

_CURATED = frozenset({*KNOWN, *BUILT_IN, *BOUNDS, OTHER_NAME})
"""What the table of predicates, policies or the list of bounds know, whatever the ontology."""
_TOLD_AS_FACTS = ("instruction", "goal", "commitment", "habit")
_BE = frozenset({"be", "is", "are", "was", "were", "been", "being"})
_FORMS = (
    "have has had", "do did done", "go went gone", "get got gotten", "come came", "make made", "take took taken",
    "give gave given", "run ran", "see saw seen", "meet met", "tell told", "say said", "buy bought", "bring brought",
    "think thought", "teach taught", "catch caught", "fight fought", "find found", "lose lost", "leave left",
    "sell sold", "build built", "send sent", "spend spent", "lend lent", "hold held", "keep kept", "sleep slept",
    "feel felt", "hear heard", "lead led", "win won", "sing sang sung", "swim swam swum", "begin began begun",
    "drink drank drunk", "become became", "write wrote written", "drive drove driven", "ride rode ridden",
    "break broke broken", "choose chose chosen", "speak spoke spoken", "grow grew grown", "know knew known",
    "throw threw thrown", "draw drew drawn", "eat ate eaten", "fall fell fallen", "fly flew flown",
    "stand stood", "understand understood",
    "hang hung", "shoot shot", "sew sewn", "tie tied tying", "spill spilt",
)  # fmt: skip
_BASE = {form: base for base, *forms in map(str.split, _FORMS) for form in forms}
"""The base of each irregular form."""


def is_known(predicate: str, ontology: Ontology, subject_type: str) -> bool:
    """Whether the ontology has a predicate, or graphmem itself knows what it means."""
    return (
        ontology.has_predicate(predicate, subject_type)
        or predicate in _CURATED
        or (predicate.startswith(FAVORITE) and predicate != FAVORITE)
    )


def renamed(predicate: str, ontology: Ontology, subject_type: str) -> str:
    """The predicate under the name that graphmem has for it; what an ontology defines is left as it is."""
    own = ontology.has_predicate(predicate, subject_type) or predicate in ontology.open_predicates
    return predicate if own else RENAMED.get(predicate, predicate)


def canonical(predicate: str, target_type: str, ontology: Ontology = DEFAULT_ONTOLOGY) -> str:
    """The canonical predicate that says the same; "" where no fold has it. The ontology's own say it first."""
    if predicate in ontology.open_predicates:
        return predicate
    folds = folds_of(ontology)
    written = [fold for key in _keys(predicate) for fold in (f"{key}:{target_type}", key)]
    if predicate in packaged_predicates():
        return folds.first_own(*written) or predicate
    return folds.first(*written)


def curated_predicates() -> list[str]:
    """The predicates that claims of models may have, whatever the ontology, but for those that models say as facts."""
    return sorted(name for name in KNOWN if CATEGORIES.get(name, ("", 0.0))[0] not in _TOLD_AS_FACTS)


def canonical_predicates(ontology: Ontology) -> list[str]:
    """The open predicates that are not curated as well, the ontology's own first."""
    own = ontology.open_predicates
    return [*sorted(own), *sorted(packaged_predicates().keys() - KNOWN - RENAMED.keys() - own.keys())]


def base_forms(word: str) -> Iterator[str]:
    """What a verb may be a form of: “tried” of “try”, “planning” of “plan”; also what is no word."""
    yield _BASE.get(word, word)
    for ending in ("s", "es", "d", "ed", "ing"):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word.removesuffix(ending)
            yield from (stem, f"{stem}e")
            if stem.endswith("i"):
                yield f"{stem[:-1]}y"
            if stem[-2:-1] == stem[-1:]:
                yield stem[:-1]


def _keys(predicate: str) -> Iterator[str]:
    first, *rest = predicate.split("_")
    if first in _BE:
        yield " ".join(("be", *rest))
        if rest:
            yield " ".join(rest)
        return
    for base in base_forms(first):
        yield " ".join((base, *rest))
