"""The predicates that language models may use: what kind of fact about a person each says."""

from collections.abc import Mapping

from graphmem.extract.offline.tables.words import words
from graphmem.model.fragment import ThingName

FAVORITE = "favorite_"
"""Before the noun (“favorite_color”): each thing has a favorite of its own."""

_FACTS = (
    (
        "identity",
        0.9,
        "named age birthday born_on born_in nationality is_a comes_from lives_in lives_at speaks has_email has_phone",
    ),
    ("constraint", 1.0, "allergic_to avoids intolerant_to has_condition"),
    ("constraint", 0.8, "has_budget"),
    ("instruction", 0.9, "instruction"),
    ("preference", 0.6, "likes dislikes prefers fears uses eats drinks favorite"),
    ("personality", 0.6, "has_trait"),
    ("habit", 0.5, "habit"),
    ("goal", 0.8, "goal trains_for saves_for"),
    ("commitment", 0.8, "promised"),
    ("relationship", 0.8, "married_to engaged_to partner_of sibling_of parent_of relative_of friend_of lives_with"),
    ("relationship", 0.5, "knows works_with neighbor_of"),
    ("occupation", 0.8, "works_at works_as reports_to leads works_on teaches"),
    ("milestone", 0.6, "studied_at founded won wrote directed created grew_up_in completed milestone"),
    ("hobby", 0.5, "plays plays_for volunteers_at member_of joined has_hobby practices collects"),
    ("other", 0.6, "owns ordered returned received cancelled reported subscribed_to"),
)
NO_FACT = ("", 0.5)
CATEGORIES: Mapping[str, tuple[str, float]] = {
    predicate: (category, importance) for category, importance, words in _FACTS for predicate in words.split()
}
"""What a claim is among the facts about a person, and how much it matters next time."""


def as_fact(predicate: str, subject: ThingName) -> tuple[str, float]:
    """The category of a claim and how much it matters; of what is no person it has none."""
    if subject.type != "person":
        return NO_FACT
    return CATEGORIES.get("favorite" if predicate.startswith(FAVORITE) else predicate, NO_FACT)


PREDICATES = CATEGORIES.keys() - {"favorite"} | words(
    """
    bought capital_of died_in died_on located_in part_of read sold studies visited watched went_to
    """
)
"""What claims of language models may say, whatever the ontology."""
