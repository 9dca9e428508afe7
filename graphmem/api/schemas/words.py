"""The kinds of text, number and time that requests are made of."""

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    PlainValidator,
    ValidationInfo,
    WithJsonSchema,
)

from graphmem.errors import as_value_errors
from graphmem.model.claim import Value
from graphmem.model.dates import instants_of, zone_name
from graphmem.model.entity import normalise_name
from graphmem.model.interval import instant_of, moment_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

LONGEST_NAME = 512
"""Index keys of Neo4j end near 8 kB."""
LONGEST_VALUE = 10_000
"""Of texts that are asked for or given as reasons, and of attributes."""
LONGEST_TEXT = "longest_text"
"""Names, in the context of a validation, the most characters of a value and a statement: those of an episode."""
MOST_METADATA = 64 * 1024
MOST_ITEMS = 1_000
INT64 = 2**63
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_CONTROL_BUT_LINES = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_TYPE = re.compile(r"[^\W\d][\w-]{0,63}")


T = TypeVar("T")
Thing = TypeVar("Thing", bound="DataclassInstance")


class Request(BaseModel):
    """What a call takes as its body."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    def into(self, kind: type[Thing], **others: Any) -> Thing:
        """A thing of the model, of the ``others`` and of what this has of its fields; null is their default."""
        own = {field.name: getattr(self, field.name, None) for field in fields(kind)}
        return kind(**{name: value for name, value in own.items() if value is not None} | others)


Item = TypeVar("Item", bound=Request)


def said_for(item: Item, user: str | None, **others: str | None) -> Item:
    """A copy of a request that says this user, and ``others`` of its fields."""
    return item.model_copy(update={"user": user, **others})


def _name(value: str) -> str:
    """Trimmed; neither blank nor longer than an index can hold, in itself and as a key."""
    name = value.strip()
    if not name:
        raise ValueError("is blank")
    if _CONTROL.search(name):
        raise ValueError("has control characters")
    if len(name) > LONGEST_NAME or len(normalise_name(name)) > LONGEST_NAME:
        raise ValueError(f"has more than {LONGEST_NAME} characters")
    return name


def _text(value: str) -> str:
    if not value.strip():
        raise ValueError("is blank")
    if _CONTROL_BUT_LINES.search(value):
        raise ValueError("has control characters other than tab and line breaks")
    return value


def _short_text(value: str) -> str:
    if len(value) > LONGEST_VALUE:
        raise ValueError(f"has more than {LONGEST_VALUE} characters")
    return _text(value)


def _long_text(value: str, info: ValidationInfo) -> str:
    """Check that a text is no longer than the settings of the service that validates it let an episode be."""
    context: Mapping[str, int | None] = info.context or {}
    longest = context.get(LONGEST_TEXT)
    if longest is not None and len(value) > longest:
        raise ValueError(f"has {len(value)} characters, and {longest} are the limit; hand it in as episodes, in parts")
    return _text(value)


def _entity_type(value: str) -> str:
    word = value.strip().lower()
    if not _TYPE.fullmatch(word):
        raise ValueError("is not a type: one word of up to 64 letters, digits, _ and -, beginning with a letter")
    return word


def _read_by(read: Callable[[Any], T]) -> Callable[[Any], T]:
    """A validator that reads a value, and says as pydantic collects it where it cannot."""

    def validated(value: Any) -> T:
        with as_value_errors():
            return read(value)

    return validated


def _event_days(value: str) -> str:
    instants_of(value.strip(), UTC)
    return value.strip()


def _short_scalar(value: object) -> Value:
    return _short_text(value) if isinstance(value, str) else _number(value)


def _long_scalar(value: object, info: ValidationInfo) -> Value:
    return _long_text(value, info) if isinstance(value, str) else _number(value)


def _number(value: object) -> Value:
    """Check that a number fits into Neo4j; a union would make a float of an integer that does not."""
    if isinstance(value, int) and not -INT64 <= value < INT64:
        raise ValueError("is an integer beyond 64 bits")
    if isinstance(value, int | float) and math.isfinite(value):
        return value
    raise ValueError("is neither a text, nor a number, nor a Boolean")


def _bounded_json(value: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        size = len(json.dumps(value, allow_nan=False))
    except ValueError as error:
        raise ValueError("has a number that JSON has not") from error
    if size > MOST_METADATA:
        raise ValueError(f"has more than {MOST_METADATA} characters as JSON")
    return value


Name = Annotated[str, AfterValidator(_name), Field(json_schema_extra={"minLength": 1, "maxLength": LONGEST_NAME})]
Text = Annotated[str, AfterValidator(_text), Field(json_schema_extra={"minLength": 1})]
ShortText = Annotated[
    str, AfterValidator(_short_text), Field(json_schema_extra={"minLength": 1, "maxLength": LONGEST_VALUE})
]
EntityType = Annotated[
    str, AfterValidator(_entity_type), Field(json_schema_extra={"minLength": 1, "maxLength": 64, "example": "person"})
]
_INSTANT_SCHEMA: dict[str, Any] = {
    "type": "string",
    "anyOf": [{"format": "date-time"}, {"format": "date"}],
    "example": "2025-05-03T10:00:00Z",
}
Instant = Annotated[
    datetime, BeforeValidator(_read_by(instant_of), json_schema_input_type=str), WithJsonSchema(_INSTANT_SCHEMA)
]
"""RFC 3339 with an offset, or a day, which is its first instant; as UTC."""
Moment = Annotated[
    datetime,
    BeforeValidator(_read_by(partial(moment_of, days=False)), json_schema_input_type=str),
    WithJsonSchema({"type": "string", "format": "date-time", "example": "2025-05-03T10:00:00+09:00"}),
]
"""RFC 3339 with an offset, which is kept: its days are those that a text speaks of."""
Start = Annotated[
    datetime,
    BeforeValidator(_read_by(partial(moment_of, days=True)), json_schema_input_type=str),
    WithJsonSchema(_INSTANT_SCHEMA),
]
"""RFC 3339 with an offset, which is kept, or a day in UTC."""
TimeZone = Annotated[
    str,
    AfterValidator(_read_by(lambda value: zone_name(value.strip()))),
    Field(json_schema_extra={"minLength": 3, "maxLength": 64, "example": "Asia/Tokyo"}),
]
"""An IANA name or an offset."""
EventDays = Annotated[
    str,
    AfterValidator(_read_by(_event_days)),
    Field(json_schema_extra={"minLength": 4, "maxLength": 21, "example": "2025-05-03"}),
]
"""A day, a month, a year, or first and last day with a slash between."""
Integer = Annotated[int, Field(strict=True, ge=-INT64, lt=INT64)]
Count = Annotated[int, Field(strict=True, ge=0, lt=INT64)]
Share = Annotated[float, Field(ge=0, le=1)]
ContentHash = Annotated[str, Field(pattern="^[0-9a-f]{64}$", json_schema_extra={"example": "0" * 64})]
"""SHA-256 of a text in UTF-8, in hexadecimal digits."""
LongText = Annotated[str, AfterValidator(_long_text), Field(json_schema_extra={"minLength": 1})]
"""As long as an episode may be."""
_NUMBERS = [{"type": "integer", "minimum": -INT64, "maximum": INT64 - 1}, {"type": "number"}, {"type": "boolean"}]
ScalarValue = Annotated[
    str | int | float | bool,
    PlainValidator(_long_scalar),
    WithJsonSchema({"anyOf": [{"type": "string", "minLength": 1}, *_NUMBERS]}),
]
"""A number, or a text as long as an episode may be."""
AttributeValue = Annotated[
    str | int | float | bool,
    PlainValidator(_short_scalar),
    WithJsonSchema({"anyOf": [{"type": "string", "minLength": 1, "maxLength": LONGEST_VALUE}, *_NUMBERS]}),
]
Metadata = Annotated[dict[str, JsonValue], AfterValidator(_bounded_json)]
Attributes = Annotated[dict[Name, AttributeValue | None], Field(max_length=64), AfterValidator(_bounded_json)]
GROUP_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"
ID_PATTERN = r"^[0-9a-f]{32}$"
Id = Annotated[str, Field(pattern=ID_PATTERN)]
Tags = Annotated[tuple[Name, ...], Field(max_length=64)]
GroupId = Annotated[str, Field(pattern=GROUP_PATTERN)]
