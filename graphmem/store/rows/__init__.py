"""How what a query returns becomes things of the model, or one of the few rows that are of another shape.

A row is a dataclass, of ``graphmem.model`` if it can be. Whatever may be wrong with it is found while it is validated,
so that the reader can leave it out (``store.reading``).
"""

from collections.abc import Callable, Mapping, Sized
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

from pydantic import (
    AfterValidator,
    ConfigDict,
    GetCoreSchemaHandler,
    TypeAdapter,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import CoreSchema, SchemaValidator, from_json
from pydantic_core.core_schema import (
    chain_schema,
    no_info_before_validator_function,
    no_info_plain_validator_function,
    no_info_wrap_validator_function,
)

from graphmem.errors import GraphmemError
from graphmem.model.claim import Scalar
from graphmem.store.instants import as_utc

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Made = TypeVar("Made")
Thing = TypeVar("Thing", bound="DataclassInstance")
Schema = dict[str, Any]

_CONFIG = ConfigDict(extra="forbid", allow_inf_nan=False)
_WITHIN = ("schema", "steps", "items_schema", "keys_schema", "values_schema", "fields", "choices", "definitions")
"""Where a schema of pydantic holds others."""


@dataclass(frozen=True, slots=True)
class IdRow:
    id: str


@dataclass(frozen=True, slots=True)
class IdsRow:
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CountRow:
    count: int


@dataclass(frozen=True, slots=True)
class RecordedRow:
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class EpisodeTimeRow:
    id: str
    occurred_at: datetime


@cache
def validator_of(row: type) -> SchemaValidator:
    """Reads a list of maps, as the driver returns them, into things of a type.

    Every field has to be there, whatever defaults the model has. An instant is Neo4j's or its text, and comes in UTC; 1
    is no bool; and since no property of Neo4j is a map, what is one in the model is read from JSON.
    """
    rows = cast("type[list[object]]", GenericAlias(list, (row,)))
    schema = cast("Schema", TypeAdapter(rows, config=_CONFIG).core_schema)
    definitions = {part["ref"]: part for part in schema.get("definitions", ())}
    return SchemaValidator(cast("CoreSchema", _as_stored(schema, definitions)))


def _as_stored(schema: Schema, definitions: Mapping[str, Schema]) -> Schema:
    """A schema of the model, as what Neo4j stores is to be read."""
    read = schema | {name: _each_as_stored(schema[name], definitions) for name in _WITHIN if name in schema}
    match schema["type"]:
        case "datetime":
            return cast("Schema", no_info_plain_validator_function(as_utc))
        case "bool":
            return read | {"strict": True}
        case "dataclass" if schema["post_init"]:
            ref = read.pop("ref")
            made = no_info_wrap_validator_function(_made, cast("CoreSchema", read))
            return cast("Schema", made) | {"ref": ref}
        case "dataclass-field":
            inner = read["schema"]["schema"] if read["schema"]["type"] == "default" else read["schema"]
            return read | {"schema": _from_json(inner) if _holds_maps(schema, definitions) else inner}
        case _:
            return read


def _each_as_stored(part: object, definitions: Mapping[str, Schema]) -> Any:
    if isinstance(part, list):
        return [_each_as_stored(item, definitions) for item in cast("list[Any]", part)]
    if not isinstance(part, dict) or "type" not in part:
        return cast("object", part)
    return _as_stored(cast("Schema", part), definitions)


def _holds_maps(schema: Schema, definitions: Mapping[str, Schema]) -> bool:
    match schema["type"]:
        case "dict" | "dataclass":
            return True
        case "definition-ref":
            return _holds_maps(definitions[schema["schema_ref"]], definitions)
        case "tuple":
            return any(_holds_maps(item, definitions) for item in schema["items_schema"])
        case _:
            inner = schema.get("schema") or schema.get("items_schema")
            return isinstance(inner, dict) and _holds_maps(cast("Schema", inner), definitions)


def _from_json(schema: Schema) -> Schema:
    return cast("Schema", no_info_before_validator_function(_unless_text, cast("CoreSchema", schema)))


def _unless_text(given: object) -> object:
    if not isinstance(given, str):
        return given
    try:
        return from_json(given, allow_inf_nan=False)
    except ValueError:
        raise ValueError("this is no JSON") from None  # pydantic's own words may quote the text


def _made(given: object, read: ValidatorFunctionWrapHandler) -> object:
    try:
        return read(given)
    except GraphmemError:
        raise ValueError("they do not belong together") from None


@dataclass(frozen=True)
class ReadAs:
    """Fields of a type that are read as other ``columns`` say.

    Columns that the type does not have are read so that damage of them is named, and go no further.
    """

    columns: type

    def __get_pydantic_core_schema__(self, source: type, handler: GetCoreSchemaHandler) -> CoreSchema:
        names = {field.name for field in fields(self.columns)}
        kept = names & {field.name for field in fields(source)}

        def checked(given: object, read: ValidatorFunctionWrapHandler) -> object:
            if not isinstance(given, dict):
                return given
            record = cast("dict[str, object]", given)
            columns = read({name: value for name, value in record.items() if name in names})
            others = {name: value for name, value in record.items() if name not in names}
            return others | {name: getattr(columns, name) for name in kept}

        columns = handler.generate_schema(self.columns)
        return chain_schema([no_info_wrap_validator_function(checked, columns), handler(source)])


_ATTRIBUTES: TypeAdapter[dict[str, Scalar]] = TypeAdapter(dict[str, Scalar], config={"allow_inf_nan": False})


def _attributes_in(text: str) -> str:
    _ATTRIBUTES.validate_json(text)
    return text


AttributesText = Annotated[str, AfterValidator(_attributes_in)]
"""The attributes of a claim or a belief, as the text that they are stored as."""


def readable(make: Callable[[], Made]) -> Made:
    """What a row becomes, whose errors are those of the row.

    Raises:
        ValueError: it cannot be made, in words without content.
    """
    try:
        return make()
    except ValidationError:
        raise
    except (GraphmemError, ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
        reason = "they do not belong together" if isinstance(error, GraphmemError) else type(error).__name__
        raise ValueError(reason) from None


def made_of(row: object, made: "type[Thing]", **others: object) -> "Thing":
    """A thing that has the fields of a row that are called like its own, and others."""
    shared = {field.name: getattr(row, field.name) for field in fields(made) if hasattr(row, field.name)}
    return made(**shared | others)


def same_length(*lists: Sized) -> None:
    """Raise ValueError for lists whose entries do not belong to each other one by one."""
    if len({len(entries) for entries in lists}) > 1:
        raise ValueError("the lists differ in length")


def otherwise(value: object) -> WrapValidator:
    """Takes ``value`` where what is stored cannot be read, of what only helps to rank a row.

    A row that somebody else has changed is named where it is read whole, and until then spoils no other.
    """

    def readable_or_else(given: object, read: ValidatorFunctionWrapHandler) -> object:
        try:
            return read(given)
        except ValidationError:
            return value

    return WrapValidator(readable_or_else)
