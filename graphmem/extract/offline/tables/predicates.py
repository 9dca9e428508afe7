"""The predicates of the offline reader: how each is said, what kind of fact it is, and of whom it is claimed."""

from collections.abc import Mapping

from graphmem.model.fragment import ThingName

FAVORITE = "favorite_"
"""Before the noun (“favorite_color”): each thing has a favorite of its own."""

STATEMENTS: Mapping[str, tuple[str, str]] = {
    "lives_in": ("lives in {}", "lived in {}"),
    "lives_at": ("lives at {}", "lived at {}"),
    "works_at": ("works at {}", "worked at {}"),
    "works_as": ("works as {}", "worked as {}"),
    "married_to": ("is married to {}", "was married to {}"),
    "likes": ("likes {}", "liked {}"),
    "dislikes": ("dislikes {}", "disliked {}"),
    "bought": ("bought {}", "bought {}"),
    "owns": ("owns {}", "owned {}"),
    "studies": ("studies {}", "studied {}"),
    "studies organization": ("studies at {}", "studied at {}"),
    "visited": ("visited {}", "visited {}"),
    "knows": ("knows {}", "knew {}"),
    "joined": ("joined {}", "joined {}"),
    "volunteers_at": ("volunteers at {}", "volunteered at {}"),
    "comes_from": ("comes from {}", "came from {}"),
    "allergic_to": ("is allergic to {}", "was allergic to {}"),
    "plays": ("plays {}", "played {}"),
    "speaks": ("speaks {}", "spoke {}"),
    "went_to": ("went to {}", "went to {}"),
    "named": ("is named {}", "was named {}"),
    "born_in": ("was born in {}", "was born in {}"),
    "born_on": ("was born on {}", "was born on {}"),
    "died_in": ("died in {}", "died in {}"),
    "died_on": ("died on {}", "died on {}"),
    "nationality": ("is {}", "was {}"),
    "grew_up_in": ("grew up in {}", "grew up in {}"),
    "birthday": ("has birthday on {}", "had birthday on {}"),
    "age": ("is {} years old", "was {} years old"),
    "is_a": ("is {}", "was {}"),
    "fears": ("is afraid of {}", "was afraid of {}"),
    "intolerant_to": ("is intolerant to {}", "was intolerant to {}"),
    "has_condition": ("has {}", "had {}"),
    "has_condition disability": ("is {}", "was {}"),
    "has_budget": ("has a budget of {}", "had a budget of {}"),
    "has_trait": ("is {}", "was {}"),
    "has_hobby": ("has the hobby {}", "had the hobby {}"),
    "practices": ("practices {}", "practiced {}"),
    "collects": ("collects {}", "collected {}"),
    "completed": ("completed {}", "completed {}"),
    "milestone": ("reached the milestone: {}", "reached the milestone: {}"),
    "trains_for": ("trains for {}", "trained for {}"),
    "saves_for": ("saves for {}", "saved for {}"),
    "habit": ("has the habit: {}", "had the habit: {}"),
    "instruction": ("asks: {}", "asked: {}"),
    "avoids": ("avoids {}", "avoided {}"),
    "eats": ("eats {}", "ate {}"),
    "drinks": ("drinks {}", "drank {}"),
    "goal": ("has the goal {}", "had the goal {}"),
    "promised": ("promised {}", "promised {}"),
    "prefers": ("prefers {}", "preferred {}"),
    "lives_with": ("lives with {}", "lived with {}"),
    "partner_of": ("is together with {}", "was together with {}"),
    "engaged_to": ("is engaged to {}", "was engaged to {}"),
    "friend_of": ("is a friend of {}", "was a friend of {}"),
    "sibling_of": ("is a sibling of {}", "was a sibling of {}"),
    "parent_of": ("is a parent of {}", "was a parent of {}"),
    "relative_of": ("is related to {}", "was related to {}"),
    "neighbor_of": ("is a neighbor of {}", "was a neighbor of {}"),
    "studied_at": ("studied at {}", "studied at {}"),
    "read": ("read {}", "read {}"),
    "watched": ("watched {}", "watched {}"),
    "works_with": ("works with {}", "worked with {}"),
    "works_on": ("works on {}", "worked on {}"),
    "reports_to": ("reports to {}", "reported to {}"),
    "leads": ("leads {}", "led {}"),
    "teaches": ("teaches {}", "taught {}"),
    "uses": ("uses {}", "used {}"),
    "member_of": ("is a member of {}", "was a member of {}"),
    "plays_for": ("plays for {}", "played for {}"),
    "won": ("won {}", "won {}"),
    "founded": ("founded {}", "founded {}"),
    "wrote": ("wrote {}", "wrote {}"),
    "directed": ("directed {}", "directed {}"),
    "created": ("created {}", "created {}"),
    "ordered": ("ordered {}", "ordered {}"),
    "returned": ("returned {}", "returned {}"),
    "sold": ("sold {}", "sold {}"),
    "received": ("received {}", "received {}"),
    "cancelled": ("cancelled {}", "cancelled {}"),
    "subscribed_to": ("subscribed to {}", "was subscribed to {}"),
    "has_email": ("has the e-mail address {}", "had the e-mail address {}"),
    "has_phone": ("has the phone number {}", "had the phone number {}"),
    "reported": ("reported {}", "reported {}"),
    "located_in": ("is in {}", "was in {}"),
    "capital_of": ("is the capital of {}", "was the capital of {}"),
    "part_of": ("is part of {}", "was part of {}"),
}
"""How a predicate is said of the present and of the past; after the object's type where that makes a difference."""

ENDED: Mapping[str, str] = {
    "lives_in": "no longer lives in {}",
    "lives_at": "no longer lives at {}",
    "works_at": "no longer works at {}",
    "married_to": "is no longer married to {}",
    "lives_with": "no longer lives with {}",
    "partner_of": "is no longer together with {}",
    "works_with": "no longer works with {}",
    "works_on": "no longer works on {}",
    "member_of": "is no longer a member of {}",
    "plays_for": "no longer plays for {}",
    "reports_to": "no longer reports to {}",
    "leads": "no longer leads {}",
    "uses": "no longer uses {}",
    "works_as": "no longer works as {}",
    "volunteers_at": "no longer volunteers at {}",
    "teaches": "no longer teaches {}",
    "studies": "no longer studies {}",
    "studies organization": "no longer studies at {}",
    "engaged_to": "is no longer engaged to {}",
    "friend_of": "is no longer a friend of {}",
    "owns": "no longer owns {}",
    "likes": "no longer likes {}",
    "dislikes": "no longer dislikes {}",
    "prefers": "no longer prefers {}",
    "eats": "no longer eats {}",
    "drinks": "no longer drinks {}",
    "plays": "no longer plays {}",
    "practices": "no longer practices {}",
    "collects": "no longer collects {}",
    "trains_for": "no longer trains for {}",
    "saves_for": "no longer saves for {}",
    "is_a": "is no longer {}",
    "fears": "is no longer afraid of {}",
    "allergic_to": "is no longer allergic to {}",
    "intolerant_to": "is no longer intolerant to {}",
    "has_condition": "no longer has {}",
    "has_condition disability": "is no longer {}",
}
"""How an end is said. Only these predicates end by “no longer”, “not … any more” and “stopped …”."""

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


ENDABLE = frozenset(key.partition(" ")[0] for key in ENDED)
PREDICATES = frozenset(key.partition(" ")[0] for key in STATEMENTS)

SYMMETRIC = frozenset(
    {
        "engaged_to", "friend_of", "knows", "lives_with", "married_to", "neighbor_of", "partner_of", "relative_of",
        "sibling_of", "works_with",
    }
)  # fmt: skip
"""Said of both in both directions: the speaker is the subject."""

OF_ADDRESSEE = SYMMETRIC - {"knows"} | frozenset(
    {
        "born_in", "born_on", "comes_from", "founded", "grew_up_in", "is_a", "lives_in", "member_of", "nationality",
        "parent_of", "plays_for", "reports_to", "studied_at", "works_as", "works_at", "works_on",
    }
)  # fmt: skip
"""What “you” is claimed of. Of likes, of what one does or owns, “you” may be anybody; “you know Ana” opens a tale."""
