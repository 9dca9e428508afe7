"""An ontology as people write it: as JSON or TOML, or as pydantic models of their own.

class Customer(BaseModel):
    \"\"\"Somebody who buys from us.\"\"\"

    tier: str | None = Field(None, description="gold, silver or none")

class Placed(BaseModel):
    \"\"\"A customer placed an order.\"\"\"

    channel: str | None = Field(None, description="web, shop or phone")

client.put_ontology("team-1", ontology_of([Customer, Order], {Placed: (Customer, Order)}))
"""

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.errors import PydanticUserError

from graphmem.errors import InvalidInput
from graphmem.model.claim import Category
from graphmem.model.ontology import DEFAULT_ONTOLOGY, EntityType, Ontology, RelationType

Model = type[BaseModel]
Schema = Mapping[str, Any]
End = Model | Iterable[Model] | None
"""What may stand at one end of a relationship: entities of a model, of one of several, or of any type."""

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ONTOLOGY = TypeAdapter(Ontology)
_SCALARS = frozenset({"string", "integer", "number", "boolean", "null"})


class _TypeWords(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class WrittenEntityType(_TypeWords):
    """A kind of thing, and what is told of it in plain values: names of attributes with a description each."""

    description: str = ""
    attributes: dict[str, str] = {}


class WrittenRelationType(_TypeWords):
    """A predicate between entities of these types (of any, where none are given), and its attributes.

    Where ``value`` is among the objects, an object of none of these types is text. ``category`` is that of claims that
    are read. ``wording`` has one sentence, that it is so (“{subject} is employed by {object}”), or three: also that it
    was so, and that it is so no more.
    """

    description: str = ""
    subjects: list[str] = []
    objects: list[str] = []
    attributes: dict[str, str] = {}
    category: Category | None = None
    wording: list[str] | None = None


class WrittenOntology(_TypeWords):
    """What is looked for: types of entities and of relationships by name, and instructions in words.

    A type is a description, or a table that has one. Where no entity types are given, it is the default ones.
    ``open_predicates`` are names with the verbs that fold into each, beside the packaged ones.
    """

    entity_types: dict[str, str | WrittenEntityType] = Field(default_factory=dict)
    relation_types: dict[str, str | WrittenRelationType] = Field(default_factory=dict)
    open_types: bool = True
    instructions: str = ""
    open_predicates: dict[str, list[str]] = Field(default_factory=dict)

    def to_domain(self) -> Ontology:
        """The ontology.

        Raises:
            InvalidInput: a name, an end or a size does not fit.
        """
        entities = {name: _entity_type(words) for name, words in self.entity_types.items()}
        return Ontology(
            entity_types=entities or DEFAULT_ONTOLOGY.entity_types,
            relation_types={name: _relation_type(words) for name, words in self.relation_types.items()},
            open_types=self.open_types,
            instructions=self.instructions.strip(),
            open_predicates={name: tuple(map(_line, folds)) for name, folds in self.open_predicates.items()},
        )


@lru_cache(maxsize=128)
def read_ontology(words: str) -> Ontology:
    """What was ``written`` as JSON. The same words are checked once: each digest asks for those of its group."""
    return WrittenOntology.model_validate_json(words).to_domain()


def written(ontology: Ontology) -> dict[str, Any]:
    """The ontology as JSON that ``WrittenOntology`` reads, every type as a table."""
    return _ONTOLOGY.dump_python(ontology, mode="json", exclude_none=True)


def ontology_of(
    entity_types: Iterable[Model] = (),
    relation_types: Mapping[Model, tuple[End, End]] | None = None,
    *,
    open_types: bool = True,
    instructions: str = "",
    open_predicates: Mapping[str, Iterable[str]] | None = None,
    categories: Mapping[Model, Category] | None = None,
    wordings: Mapping[Model, Iterable[str]] | None = None,
) -> Ontology:
    """The ontology that models describe: types by their names in snake_case, docstrings, fields as attributes.

    ``relation_types`` says of each model between which entities it stands: its subject and its object; ``categories``
    of some of them what kind of a fact they are, ``wordings`` how sentences say them.

    Raises:
        InvalidInput: a field is no plain value, or a name, an end or a size does not fit.
    """
    return WrittenOntology(
        entity_types={
            type_name(model): WrittenEntityType(description=_doc(model), attributes=_attributes(model))
            for model in entity_types
        },
        relation_types={
            type_name(model): WrittenRelationType(
                description=_doc(model),
                subjects=_end(subject),
                objects=_end(target),
                attributes=_attributes(model),
                category=(categories or {}).get(model),
                wording=list((wordings or {}).get(model, ())),
            )
            for model, (subject, target) in (relation_types or {}).items()
        },
        open_types=open_types,
        instructions=instructions,
        open_predicates={name: list(folds) for name, folds in (open_predicates or {}).items()},
    ).to_domain()


def type_name(model: Model) -> str:
    """The name of a model as types have it: ``OrderLine`` is ``order_line``, ``WORKS_AT`` is ``works_at``."""
    return _snake(model.__name__)


def _entity_type(words: str | WrittenEntityType) -> EntityType:
    if isinstance(words, str):
        return EntityType(description=_line(words))
    return EntityType(description=_line(words.description), attributes=_lines(words.attributes))


def _relation_type(words: str | WrittenRelationType) -> RelationType:
    if isinstance(words, str):
        return RelationType(description=_line(words))
    return RelationType(
        description=_line(words.description),
        subjects=tuple(words.subjects),
        objects=tuple(words.objects),
        attributes=_lines(words.attributes),
        category=words.category,
        wording=tuple(map(_line, words.wording)) if words.wording else None,
    )


def _line(text: str) -> str:
    return " ".join(text.split())


def _lines(described: Mapping[str, str]) -> dict[str, str]:
    return {name: _line(text) for name, text in described.items()}


def _snake(name: str) -> str:
    return _HUMP.sub("_", name).lower()


def _doc(model: Model) -> str:
    return inspect.cleandoc(model.__doc__ or "")


def _end(end: End) -> list[str]:
    models = [] if end is None else [end] if isinstance(end, type) else list(end)
    return [type_name(model) for model in models]


def _attributes(model: Model) -> dict[str, str]:
    for name, schema, definitions in _fields(model):
        if not _is_plain(schema, definitions):
            raise InvalidInput(
                f"{model.__name__}.{name} is no plain value. Attributes are flat: texts, numbers, dates, Booleans or "
                "choices of them. Make what it holds an entity type of its own, and a relation type to it."
            )
    return {_snake(name): field.description or "" for name, field in model.model_fields.items()}


def _fields(model: Model) -> Iterator[tuple[str, Schema, Mapping[str, Schema]]]:
    """The fields of a model as JSON schemas, each with the definitions that it may point to."""
    try:
        schema = model.model_json_schema(by_alias=False)
    except PydanticUserError as error:
        raise InvalidInput(f"{model.__name__} has a field that JSON cannot hold: {error.message}") from error
    definitions: Mapping[str, Schema] = schema.get("$defs", {})
    if "$ref" in schema:  # a model that holds itself
        schema = definitions[_target(schema)]
    for name, field in schema.get("properties", {}).items():
        yield name, field, definitions


def _target(schema: Schema) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def _is_plain(schema: Schema, definitions: Mapping[str, Schema]) -> bool:
    """Whether a JSON schema allows nothing but scalars."""
    if "$ref" in schema:
        return _is_plain(definitions[_target(schema)], definitions)
    choices = cast("list[Schema]", schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf") or [])
    if choices:
        return all(_is_plain(choice, definitions) for choice in choices)
    if "enum" in schema or "const" in schema:
        values = cast("list[object]", schema.get("enum", [schema.get("const")]))
        return not any(isinstance(value, list | dict) for value in values)
    return schema.get("type") in _SCALARS
