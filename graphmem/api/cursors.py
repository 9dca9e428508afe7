"""Opaque cursors: where a page ended, as base64url of JSON."""

import base64
import binascii
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Any, Generic, TypeVar

from pydantic import AfterValidator, PlainSerializer, TypeAdapter, ValidationError

from graphmem.api.errors import invalid
from graphmem.api.schemas.words import Instant
from graphmem.model.fact import FIRST_FACT, FactPosition
from graphmem.model.interval import BEGIN, shown
from graphmem.model.merge import FIRST_REVIEW
from graphmem.model.recall import FIRST_VERSION, VersionPosition

Item = TypeVar("Item")
Position = TypeVar("Position")

_Start = Annotated[Instant | None, AfterValidator(lambda start: start or BEGIN), PlainSerializer(shown)]
"""An instant that may be an unknown start, which is null."""


class Cursor(Generic[Position]):
    """The cursors of lists in one order: ``kind`` is what a position in it is, ``first`` the one before all."""

    def __init__(self, kind: Any, first: Position) -> None:
        self._adapter: TypeAdapter[Position] = TypeAdapter(kind)
        self._first = first

    def of(self, position: Position) -> str:
        return base64.urlsafe_b64encode(self._adapter.dump_json(position)).decode().rstrip("=")

    def after(self, cursor: str | None) -> Position:
        """The position after which the page begins.

        Raises:
            InvalidRequest: no answer of ours had this cursor.
        """
        if cursor is None:
            return self._first
        try:
            padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
            return self._adapter.validate_json(base64.b64decode(padded, altchars=b"-_", validate=True))
        except (ValidationError, binascii.Error, UnicodeEncodeError):
            raise invalid("query", "/cursor", "is not a cursor of an earlier answer") from None

    def after_page(self, items: Sequence[Item], limit: int, position: Callable[[Item], Position]) -> str | None:
        """The cursor of what follows the first ``limit`` items; None where there are no more."""
        return self.of(position(items[limit - 1])) if len(items) > limit else None


BY_ID = Cursor[str](str, "")
BY_TIME = Cursor[tuple[datetime, str]](tuple[Instant, str], (BEGIN, ""))
BY_SCORE = Cursor[tuple[float, str]](tuple[float, str], FIRST_REVIEW)
BY_IMPORTANCE = Cursor[FactPosition](FactPosition, FIRST_FACT)
OF_VERSIONS = Cursor[VersionPosition](tuple[str, str, _Start, Instant, str], FIRST_VERSION)
