"""Opaque cursors: where a page ended, as base64url of JSON."""

import base64
import binascii
from datetime import datetime
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from graphmem.api.errors import invalid
from graphmem.api.schemas.words import Instant
from graphmem.model.interval import BEGIN

Position = TypeVar("Position")

_ID: TypeAdapter[str] = TypeAdapter(str)
_TIME_AND_ID: TypeAdapter[tuple[datetime, str]] = TypeAdapter(tuple[Instant, str])


def id_cursor(last: str) -> str:
    return _encode(_ID.dump_json(last))


def after_id(cursor: str | None) -> str:
    """The id after which the page begins.

    Raises:
        InvalidRequest: no answer of ours had this cursor.
    """
    return "" if cursor is None else _decode(_ID, cursor)


def time_cursor(time: datetime, last: str) -> str:
    return _encode(_TIME_AND_ID.dump_json((time, last)))


def after_time(cursor: str | None) -> tuple[datetime, str]:
    """The (occurred_at, id) after which the page begins.

    Raises:
        InvalidRequest: no answer of ours had this cursor.
    """
    if cursor is None:
        return BEGIN, ""
    return _decode(_TIME_AND_ID, cursor)


def _encode(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _decode(adapter: TypeAdapter[Position], cursor: str) -> Position:
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        return adapter.validate_json(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValidationError, binascii.Error, UnicodeEncodeError):
        raise _malformed() from None


def _malformed() -> Exception:
    return invalid("query", "/cursor", "is not a cursor of an earlier answer")
