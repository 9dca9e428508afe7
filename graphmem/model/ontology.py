"""What a group's graph is about: the types of its entities and relationships, as a reader of episodes is told them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.errors import InvalidInput
from graphmem.model.claim import DID, STATED, Category
from graphmem.model.entity import OWN_LABELS, label_of

MOST_TYPES = 100
"""Of entities, and of relationships."""
MOST_ATTRIBUTES = 32
"""Of one type."""
LONGEST_NAME = 64
LONGEST_WORDING = 200
"""Of one sentence."""
LONGEST_DESCRIPTION = 500
LONGEST_INSTRUCTIONS = 4_000
LONGEST_ONTOLOGY = 32_000
"""Characters of all names and words: each digest reads them, and a language model is told most of them."""

TYPE = re.compile(r"[^\W\d][\w-]*")
"""The shape of an entity type."""
_WORDS = re.compile(r"[^\W\d]\w*")
_ODD = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_ODD_BUT_LINES = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
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
VALUE = "value"
"""Among the ``objects`` of a relation type: an object that is none of its types is text, and no thing."""
_FORMS = 3
"""Of a wording: it is so, it was so, it is so no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityType:
    """A kind of thing. ``attributes``: what is told of it in plain values, by name with a description each."""

    description: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationType:
    """A predicate between entities; without ``subjects`` or ``objects`` any type may stand there.

    ``attributes``: what is told of such a relationship in plain values, by name with a description each.
    ``category``: what kind of a fact a claim of it is. ``wording``: one sentence, that it is so, or three: also
    that it was so, and that it is so no more; ``{subject}`` and ``{object}`` stand in each.
    """

    description: str = ""
    subjects: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict[str, str])
    category: Category | None = None
    wording: tuple[str, ...] | None = None

    def allows(self, subject: str, target: str) -> bool:
        return (not self.subjects or subject in self.subjects) and (
            not self.objects or target in self.objects or VALUE in self.objects
        )

    def type_of_object(self, read: str) -> str | None:
        """The type of an object that is ``read`` as another one perhaps; ``VALUE`` of text, None of what fits none.

        A single type is that of whatever stands there. Of several nobody can tell which is meant.
        """
        if not self.objects or read in self.objects:
            return read
        if VALUE in self.objects:
            return VALUE
        return self.objects[0] if len(self.objects) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ontology:
    """Types by name, and instructions in the group's own words. ``open_types``: others may be used where none fits.

    ``open_predicates`` are those of open claims by name, each with its folds: beside the packaged ones, and instead of
    a packaged fold of the same words.

    Raises:
        InvalidInput: a name is none that the graph can have, an end of a relationship is no type, or it is too large.
    """

    entity_types: Mapping[str, EntityType] = field(default_factory=dict[str, EntityType])
    relation_types: Mapping[str, RelationType] = field(default_factory=dict[str, RelationType])
    open_types: bool = True
    instructions: str = ""
    open_predicates: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def __post_init__(self) -> None:
        for problem in self._problems():
            raise InvalidInput(problem)

    def knows_entity(self, name: str) -> bool:
        return self.open_types or name in self.entity_types

    def has_predicate(self, name: str, subject_type: str) -> bool:
        """Whether it is a relation type, or an attribute of this type of entity."""
        entity = self.entity_types.get(subject_type)
        return name in self.relation_types or (entity is not None and name in entity.attributes)

    def allows(self, predicate: str, subject: str, target: str | None) -> bool:
        """Whether a claim may be made; ``target`` None is a literal value, which no relationship type binds."""
        known = self.relation_types.get(predicate)
        if known is None or target is None:
            return self.open_types or not self.relation_types or target is None
        return known.allows(subject, target)

    def knows_attribute_of(self, entity_type: str, name: str) -> bool:
        known = self.entity_types.get(entity_type)
        return self.open_types or (known is not None and name in known.attributes)

    def knows_attribute_in(self, relation_type: str, name: str) -> bool:
        known = self.relation_types.get(relation_type)
        return self.open_types or (known is not None and name in known.attributes)

    def _problems(self) -> Iterator[str]:
        yield from _too_many("entity types", self.entity_types, MOST_TYPES)
        yield from _too_many("relation types", self.relation_types, MOST_TYPES)
        for name, entity in self.entity_types.items():
            yield from _of_type("entity type", name, entity.description, entity.attributes)
            if label_of(name) in OWN_LABELS:
                yield f"The entity type {name!r} would be taken for graphmem's own :{label_of(name)}. Use another word."
        for name, relation in self.relation_types.items():
            yield from _of_type("relation type", name, relation.description, relation.attributes)
            yield from self._strange_ends(name, relation)
            yield from _wording(name, relation.wording)
        yield from self._strange_open_predicates()
        yield from _instructions(self.instructions)
        if sum(map(len, self._words())) > LONGEST_ONTOLOGY:
            yield f"The ontology has more than {LONGEST_ONTOLOGY} characters; every digest would read them."

    def _strange_ends(self, name: str, relation: RelationType) -> Iterator[str]:
        for end in (*relation.subjects, *(end for end in relation.objects if end != VALUE)):
            if end not in self.entity_types:
                yield f"The relation type {name!r} stands at {end!r}, which is none of the entity types."

    def _strange_open_predicates(self) -> Iterator[str]:
        yield from _too_many("open predicates", self.open_predicates, MOST_OPEN_PREDICATES)
        for name, folds in self.open_predicates.items():
            yield from _name("open predicate", name)
            yield from _too_many(f"folds of the open predicate {name!r}", folds, MOST_FOLDS)
            if name in RESERVED:
                yield f"{name!r} says how something is said, so it is no open predicate. Use another name."
        yield from problems_of_folds(self.open_predicates)

    def _words(self) -> Iterator[str]:
        yield self.instructions
        for name, entity in self.entity_types.items():
            yield from (name, entity.description, *entity.attributes, *entity.attributes.values())
        for name, relation in self.relation_types.items():
            yield from (name, relation.description, *relation.attributes, *relation.attributes.values())
            yield from (*relation.subjects, *relation.objects, *(relation.wording or ()))
        for name, folds in self.open_predicates.items():
            yield from (name, *folds)


@dataclass(frozen=True, slots=True)
class GroupOntology:
    """The ontology that is a group's own, and since when."""

    ontology: Ontology
    changed_at: datetime


def snake_case(words: str) -> str:
    """The name of a predicate or an attribute; "" where there is no word."""
    return "_".join(re.findall(r"\w+", words.casefold()))


def _of_type(kind: str, name: str, description: str, attributes: Mapping[str, str]) -> Iterator[str]:
    yield from _name(kind, name)
    yield from _description(f"The description of the {kind} {name!r}", description)
    yield from _too_many(f"attributes of the {kind} {name!r}", attributes, MOST_ATTRIBUTES)
    for attribute, text in attributes.items():
        yield from _name("attribute", attribute)
        yield from _description(f"The description of the attribute {attribute!r} of {name!r}", text)


def _name(kind: str, name: str) -> Iterator[str]:
    shape, written = (TYPE, name.lower()) if kind == "entity type" else (_WORDS, snake_case(name))
    if not shape.fullmatch(name) or name != written or len(name) > LONGEST_NAME:
        better = snake_case(name)[:LONGEST_NAME]
        hint = f" Write {better!r}." if shape.fullmatch(better) else ""
        rule = f"one word of up to {LONGEST_NAME} small letters, digits and _, beginning with a letter"
        yield f"{name[:LONGEST_NAME]!r} is no name of {'an' if kind[0] in 'aeo' else 'a'} {kind}: {rule}.{hint}"


def _description(what: str, text: str, longest: int = LONGEST_DESCRIPTION) -> Iterator[str]:
    if len(text) > longest:
        yield f"{what} has more than {longest} characters."
    if _ODD.search(text):
        yield f"{what} has line breaks or control characters."


def _wording(name: str, wording: tuple[str, ...] | None) -> Iterator[str]:
    if wording is None:
        return
    if len(wording) not in (1, _FORMS):
        yield (
            f"The wording of the relation type {name!r} has {len(wording)} sentences. Give one, that it is so; or "
            "three: that it is so, that it was so, and that it is so no more."
        )
    for sentence in wording:
        yield from _description(f"A sentence of the wording of {name!r}", sentence, LONGEST_WORDING)
        ends = [sentence.count(end) for end in ("{subject}", "{object}")]
        if ends != [1, 1] or sentence.count("{") + sentence.count("}") > 2 * len(ends):
            yield (
                f"{sentence[:LONGEST_WORDING]!r} is no wording of {name!r}: {{subject}} and {{object}} stand in it "
                "once each, and no other braces. Write “{subject} is employed by {object}”."
            )


def _instructions(text: str) -> Iterator[str]:
    if len(text) > LONGEST_INSTRUCTIONS:
        yield f"The instructions have more than {LONGEST_INSTRUCTIONS} characters."
    if _ODD_BUT_LINES.search(text):
        yield "The instructions have control characters other than tab and line breaks."


def _too_many(what: str, names: Iterable[str], most: int) -> Iterator[str]:
    if (number := len(list(names))) > most:
        yield f"There are {number} {what}; {most} at most are taken."


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
    words, _, type_ = fold.partition(":")
    if words == _ME or (type_ and words.endswith(f" {_ME}")):
        yield f"{fold!r} of {name!r} is no fold: “me” stands for the object, after a verb and without a type."


def _hint(fold: str) -> str:
    better = " ".join(fold.replace("_", " ").lower().split())
    return f" Write {better!r}." if _FOLD.fullmatch(better) and len(better) <= LONGEST_FOLD else ""


DEFAULT_ONTOLOGY = Ontology(
    entity_types={
        "person": EntityType(description="a human being, by name"),
        "organization": EntityType(description="a company, team, school, authority or club"),
        "place": EntityType(description="a country, city, address, building or landscape"),
        "order": EntityType(description="a purchase or booking with a number"),
        "product": EntityType(description="a thing made or sold, a work, a service"),
        "project": EntityType(description="an undertaking with a name"),
        "issue": EntityType(description="a problem, ticket, bug or complaint"),
        "event": EntityType(description="something that happens once, by name"),
        "concept": EntityType(description="a topic, activity, skill, food or kind of thing"),
        "email": EntityType(description="an e-mail address"),
        "url": EntityType(description="a web address"),
    }
)
