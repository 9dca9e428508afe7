"""Worked examples of every call: one story, of Maya, who lived in Porto and moved to Lisbon in May 2025."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True, kw_only=True)
class CallExample:
    """``answers`` are by status and media type."""

    answers: Mapping[str, Mapping[str, Any]]
    body: Any = None


EXAMPLES: Mapping[str, CallExample] = TypeAdapter(dict[str, CallExample]).validate_json(
    files("graphmem.api").joinpath("examples.json").read_bytes()
)
"""By method and path: “GET /v1/groups”."""
