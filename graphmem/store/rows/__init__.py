"""One frozen model per shape that a query returns. No defaults: a missing column is an error, not a guess.

What a row becomes is made without errors: whatever may be wrong with it is found while it is validated, so that the
reader can leave it out (``store.reading``).
"""

from collections.abc import Callable, Sized
from typing import Annotated, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Json,
    JsonValue,
    TypeAdapter,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from graphmem.errors import GraphmemError
from graphmem.model.claim import Scalar

Found = TypeVar("Found")


class Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


JsonMap = Json[dict[str, JsonValue]]
"""JSON in a property, read into a map."""
Attributes = Json[dict[str, Scalar]]
"""The attributes of a claim, likewise."""

_ATTRIBUTES: TypeAdapter[dict[str, Scalar]] = TypeAdapter(dict[str, Scalar], config={"allow_inf_nan": False})


def _attributes_in(text: str) -> str:
    _ATTRIBUTES.validate_json(text)
    return text


AttributesText = Annotated[str, AfterValidator(_attributes_in)]
"""The same as the text that it is stored as."""


def readable(make: Callable[[], Found]) -> Found:
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


def same_length(*lists: Sized) -> None:
    """Raise ValueError for lists whose entries do not belong to each other one by one."""
    if len({len(one) for one in lists}) > 1:
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
