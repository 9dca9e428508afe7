"""Answers as text: JSON in one line, in which what others said stays inside its quotation marks."""

import json
from collections.abc import Mapping
from typing import Any, cast

from graphmem.retrieve.quoting import quoted


def json_text(value: Any) -> str:
    """A JSON value as JSON. Strings are quoted as in contexts, so that none of them looks like structure."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
        return "{" + ",".join(f"{json.dumps(name)}:{json_text(item)}" for name, item in items) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(json_text, cast("list[Any]", value))) + "]"
    return json.dumps(value, allow_nan=False)
