"""One frozen model per shape that a query returns. No defaults: a missing column is an error, not a guess."""

from pydantic import BaseModel, ConfigDict, ValidationError, ValidatorFunctionWrapHandler, WrapValidator


class Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def otherwise(value: object) -> WrapValidator:
    """Takes ``value`` where what is stored cannot be read, of what only helps to rank a row.

    A row that somebody else has changed is named where it is read whole, and until then spoils no other.
    """

    def readable(given: object, read: ValidatorFunctionWrapHandler) -> object:
        try:
            return read(given)
        except ValidationError:
            return value

    return WrapValidator(readable)
