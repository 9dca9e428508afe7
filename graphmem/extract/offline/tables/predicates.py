"""The predicates of claims, whatever the ontology, and the kind of fact about a person that each of them is."""

from collections.abc import Mapping

from graphmem.extract.offline.tables.meanings import MEANINGS
from graphmem.extract.offline.tables.words import words
from graphmem.model.fragment import ThingName

FAVORITE = "favorite_"
"""Before the noun (“favorite_color”): each thing has a favorite of its own."""

_FACTS = (
    ("identity", 0.9, "born_on born_in nationality is_a comes_from"),
    ("constraint", 1.0, "avoids"),
    ("preference", 0.6, "fears uses eats drinks favorite"),
    ("personality", 0.6, "has_trait"),
    ("goal", 0.8, "trains_for saves_for"),
    ("commitment", 0.8, "promised deadline"),
    ("relationship", 0.8, "relative_of lives_with"),
    ("relationship", 0.5, "knows works_with neighbor_of"),
    ("occupation", 0.8, "leads teaches"),
    ("milestone", 0.6, "founded won wrote directed created grew_up_in completed milestone"),
    ("hobby", 0.5, "plays plays_for volunteers_at joined practices collects"),
    ("other", 0.6, "ordered returned received cancelled reported"),
)
"""Predicates of language models that the trained reader has not."""
_READ = {meaning.name or name: meaning for name, meaning in MEANINGS.items() if name not in ("plan", "event")}
"""What the reader's predicates mean, by the predicates of beliefs. Plans are open claims, and models have other words
for what happened."""
NO_FACT = ("", 0.5)
CATEGORIES: Mapping[str, tuple[str, float]] = {
    name: (meaning.category, meaning.importance) for name, meaning in _READ.items() if meaning.category
} | {predicate: (category, importance) for category, importance, named in _FACTS for predicate in named.split()}
"""What a claim is among the facts about a person, and how much it matters next time."""


def as_fact(predicate: str, subject: ThingName) -> tuple[str, float]:
    """The category of a claim and how much it matters; of what is no person it has none."""
    if subject.type != "person":
        return NO_FACT
    return CATEGORIES.get("favorite" if predicate.startswith(FAVORITE) else predicate, NO_FACT)


KNOWN = (
    _READ.keys()
    | (CATEGORIES.keys() - {"favorite"})
    | words("bought capital_of died_in died_on located_in part_of read sold watched went_to")
)
"""What claims of language models may say."""
RENAMED: Mapping[str, str] = {
    "lives_at": "address", "has_email": "email", "has_phone": "phone", "has_condition": "health",
    "intolerant_to": "allergic_to", "married_to": "partner", "engaged_to": "partner", "partner_of": "partner",
    "sibling_of": "sibling", "friend_of": "friend", "reports_to": "boss", "works_on": "project",
    "studied_at": "studies_at", "has_hobby": "hobby", "subscribed_to": "subscription",
    "parent_of": "child", "child_of": "parent",
}  # fmt: skip
"""Names that language models write, with the predicates that say the same."""
