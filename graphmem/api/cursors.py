"""Opaque cursors: where a page ended, as base64url of JSON."""

import base64
import binascii
from datetime import datetime
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from graphmem.api.errors import invalid
from graphmem.api.schemas.words import Instant
from graphmem.model.fact import FIRST_FACT, FactPosition
from graphmem.model.interval import BEGIN, shown
from graphmem.model.merge import FIRST_REVIEW
from graphmem.model.recall import FIRST_VERSION, VersionPosition

Position = TypeVar("Position")

_ID: TypeAdapter[str] = TypeAdapter(str)
_TIME_AND_ID: TypeAdapter[tuple[datetime, str]] = TypeAdapter(tuple[Instant, str])
_SCORE_AND_ID: TypeAdapter[tuple[float, str]] = TypeAdapter(tuple[float, str])
_VERSION: TypeAdapter[tuple[str, str, datetime | None, datetime, str]] = TypeAdapter(
    tuple[str, str, Instant | None, Instant, str]
)


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


def score_cursor(score: float, last: str) -> str:
    return _encode(_SCORE_AND_ID.dump_json((score, last)))


def after_score(cursor: str | None) -> tuple[float, str]:
    """The (score, id) after which the page begins.

    Raises:
        InvalidRequest: no answer of ours had this cursor.
    """
    return FIRST_REVIEW if cursor is None else _decode(_SCORE_AND_ID, cursor)


def fact_cursor(position: FactPosition) -> str:
    return _encode(_SCORE_AND_ID.dump_json(position))


def after_fact(cursor: str | None) -> FactPosition:
    """The (importance, id) after which the page begins.

    Raises:
        InvalidRequest: no answer of ours had this cursor.
    """
    return FIRST_FACT if cursor is None else _decode(_SCORE_AND_ID, cursor)


def version_cursor(position: VersionPosition) -> str:
    predicate, target, valid_from, recorded_at, last = position
    return _encode(_VERSION.dump_json((predicate, target, shown(valid_from), recorded_at, last)))


def after_version(cursor: str | None) -> VersionPosition:
    """The position in a history after which the page begins.

    Raises:
        InvalidRequest: no answer of ours had this cursor.
    """
    if cursor is None:
        return FIRST_VERSION
    predicate, target, valid_from, recorded_at, last = _decode(_VERSION, cursor)
    return predicate, target, valid_from or BEGIN, recorded_at, last


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
