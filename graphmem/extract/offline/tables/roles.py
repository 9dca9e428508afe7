"""The table of roles: nouns that say what one person is to another, and where in a sentence they say it of whom.

“My sister Ana” presupposes what it says, whatever becomes of the sentence; “Ana is my sister” asserts it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from graphmem.extract.offline.syntax import Rule
from graphmem.extract.offline.tables.lexicon import PETS
from graphmem.extract.offline.tables.words import words


@dataclass(frozen=True, slots=True)
class Role:
    """“whose NOUN who” claims (who, predicate, whose), or with ``reversed`` (whose, predicate, who).

    ``lasting``: it is said of the past, too. ``type`` is of who; ``people``: whose is a person, whatever spaCy takes
    the name for.
    """

    predicate: str
    reversed: bool = False
    lasting: bool = False
    type: str = "person"
    people: bool = True


_SIBLING = Role("sibling_of", lasting=True)
_PARENT = Role("parent_of", lasting=True)
_CHILD = Role("parent_of", reversed=True, lasting=True)
_RELATIVE = Role("relative_of", lasting=True)
_SPOUSE = Role("married_to")
_COLLEAGUE = Role("works_with", people=False)
_HOUSEMATE = Role("lives_with")

_TABLE: Mapping[str, Role] = {
    "sister brother sibling twin stepsister stepbrother sis bro": _SIBLING,
    "mother father mom mum dad mommy daddy mama papa stepmother stepfather": _PARENT,
    "son daughter child kid stepson stepdaughter": _CHILD,
    "cousin uncle aunt auntie niece nephew grandmother grandma grandfather grandpa grandson granddaughter": _RELATIVE,
    "wife husband spouse": _SPOUSE,
    "boyfriend girlfriend": Role("partner_of"),
    "fiancé fiancée fiance fiancee": Role("engaged_to"),
    "friend buddy pal bestie": Role("friend_of"),
    "colleague coworker teammate workmate": _COLLEAGUE,
    "roommate flatmate housemate roomie": _HOUSEMATE,
    "neighbor neighbour": Role("neighbor_of"),
    "boss manager supervisor": Role("reports_to", reversed=True, people=False),
    " ".join(sorted(PETS)): Role("owns", reversed=True, type="animal"),
}
ROLES: Mapping[str, Role] = {noun: role for nouns, role in _TABLE.items() for noun in nouns.split()}

PERSONS = words(
    """
    mother-in-law father-in-law sister-in-law brother-in-law son-in-law daughter-in-law ex-wife ex-husband ex-boyfriend
    ex-girlfriend ex-partner ex parents parent in-laws partner doctor dentist therapist landlord landlady coach teacher
    tutor mentor client nurse lawyer accountant trainer instructor professor student godmother godfather
    """
)
"""Who is a person, and whose, but in no way that has a predicate."""

_ATTRIBUTES: Mapping[str, Mapping[str, object]] = {
    "noun": {"LEMMA": {"IN": sorted(ROLES)}, "TAG": {"IN": ["NN", "NNS"]}},
    "who": {"TAG": {"IN": ["NNP", "NNPS"]}},
    "mine": {"TAG": "PRP$"},
    "pronoun": {"TAG": "PRP", "LOWER": {"IN": ["i", "you", "he", "she"]}},
    "whose": {},
    "one": {"LOWER": "one"},
    "be": {"LEMMA": "be"},
    "have": {"LEMMA": "have", "POS": {"IN": ["VERB", "AUX"]}},
    "called": {"LEMMA": {"IN": ["name", "call"]}},
    "name": {"LEMMA": "name", "POS": "NOUN"},
    "of": {"LEMMA": "of"},
}
VERBS = ("be", "have", "called")


@dataclass(frozen=True, slots=True)
class Shape:
    """Where the noun, whose it is and who it is stand: nodes by name, the first the root, each below another."""

    names: tuple[str, ...]
    rule: Rule


def _shape(root: str, *edges: str) -> Shape:
    """Edges as “above relation name”: a dependency, several with “|”, or “.” for the next word.

    “name:form” is of that form, else the form is that of the name.
    """
    names, entries = [root], [{"RIGHT_ID": root, "RIGHT_ATTRS": _ATTRIBUTES[root]}]
    for edge in edges:
        above, relation, named = edge.split()
        name, _, form = named.partition(":")
        attributes = dict(_ATTRIBUTES[form or name])
        if relation != ".":
            attributes["DEP"] = {"IN": relation.split("|")}
        operator = "." if relation == "." else ">"
        entries.append({"LEFT_ID": above, "REL_OP": operator, "RIGHT_ID": name, "RIGHT_ATTRS": attributes})
        names.append(name)
    return Shape(tuple(names), entries)


SHAPES: tuple[Shape, ...] = (
    _shape("noun", "noun poss whose", "noun . who"),  # my sister Ana
    _shape("who", "who compound noun", "who poss whose"),  # my sister Ana, as spaCy sees it at times
    _shape("noun", "noun poss whose", "noun appos who"),  # my sister, Ana, …
    _shape("who", "who appos noun", "noun poss whose"),  # Ana, my sister, …
    _shape("who", "who appos noun", "noun prep of", "of pobj whose"),  # Ana, daughter of Bruno, …
    _shape("be", "be nsubj who", "be attr noun", "noun poss whose"),  # Ana is my sister
    _shape("be", "be nsubj who", "be attr noun", "noun prep of", "of pobj whose"),  # Ana is the sister of Bruno
    _shape("be", "be nsubj who:pronoun", "be attr noun", "noun poss whose"),  # you are my sister
    _shape("be", "be nsubj who:pronoun", "be attr noun", "noun prep of", "of pobj whose"),  # I am a sister of Bruno
    _shape("be", "be nsubj who:pronoun", "be attr one", "one prep of", "of pobj noun", "noun poss whose"),
    _shape("be", "be nsubj noun", "noun poss whose", "be attr who"),  # my sister is Ana
    _shape("noun", "noun poss who", "noun poss whose:mine"),  # Ana's my sister, which spaCy takes for a possessive
    _shape("be", "be nsubj name", "name poss noun", "noun poss whose", "be attr who"),  # my sister's name is Ana
    _shape("called", "called nsubjpass noun", "noun poss whose", "called oprd who"),  # my sister is called Ana
    _shape("have", "have nsubj whose", "have dobj noun", "noun acl called", "called oprd who"),  # I have a sister named
    _shape("have", "have nsubj whose", "have dobj noun", "noun appos who"),  # I have a sister, Ana
)
