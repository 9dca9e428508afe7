"""What is wrong with the arguments of a call, in words by which a model mends them."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

_MOST = 5
_SAID = {
    "missing": "is missing",
    "extra_forbidden": "is not taken",
    "string_type": "has to be a text",
    "string_too_short": "is empty",
    "string_too_long": "has more than {max_length} characters",
    "string_pattern_mismatch": "is no id, which has 32 characters from 0-9 and a-f",
    "int_type": "has to be a whole number",
    "int_parsing": "has to be a whole number",
    "int_from_float": "has to be a whole number",
    "bool_type": "has to be true or false",
    "bool_parsing": "has to be true or false",
    "greater_than_equal": "has to be {ge} or more",
    "less_than_equal": "has to be {le} or less",
    "literal_error": "has to be {expected}",
    "list_type": "has to be a list",
    "model_type": "has to be an object",
    "value_error": "does not fit: {error}",
}
"""By pydantic's name of what is wrong; the braces are what it says of that."""


def unknown_arguments(schema: Mapping[str, Any], arguments: Iterable[str]) -> str | None:
    """What to say of arguments that a schema does not have; None where it has them all."""
    taken: Mapping[str, Any] = schema["properties"]
    unknown = [name for name in arguments if name not in taken]
    if not unknown:
        return None
    takes = f"It takes {', '.join(f'`{name}`' for name in taken)}." if taken else "It takes none."
    return f"There is no argument {', '.join(f'`{name[:60]}`' for name in unknown[:_MOST])}. {takes}"


def wrong_arguments(schema: Mapping[str, Any], error: ValidationError) -> str:
    """What to say of arguments that do not fit a schema: each by its name, and what it is for."""
    found = error.errors(include_url=False, include_input=False)
    alike = [list(errors) for _, errors in groupby(found, key=lambda detail: _place(schema, detail))]
    more = len(alike) - _MOST
    lines = [_sentence(schema, errors) for errors in alike[:_MOST]]
    return " ".join([*lines, *([f"{more} more do not fit."] if more > 0 else [])])


def _place(schema: Mapping[str, Any], error: ErrorDetails) -> str:
    """The name of an argument, with the way into it where it has parts. Of a choice of types all errors are at one."""
    name, *within = [str(step) for step in error["loc"]]
    return ".".join([name, *within]) if schema["properties"].get(name, {}).get("type") == "array" else name


def _sentence(schema: Mapping[str, Any], errors: list[ErrorDetails]) -> str:
    place, first = _place(schema, errors[0]), errors[0]
    form = _SAID.get(first["type"]) if len(errors) == 1 else None
    wrong = form.format_map(first.get("ctx", {})) if form else "does not fit"
    meant = schema["properties"].get(place, {}).get("description")
    return f"`{place[:200]}` {wrong.rstrip('.')}{f'. It is: {meant}' if meant else '.'}"
