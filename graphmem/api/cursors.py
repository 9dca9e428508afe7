"""Opaque cursors: where a page ended, as base64url of JSON."""

import base64
import binascii
from datetime import datetime
from typing import NamedTuple, TypeVar

from pydantic import TypeAdapter, ValidationError

from graphmem.api.errors import invalid
from graphmem.api.schemas.words import Instant
from graphmem.model.fact import FIRST_FACT, FactPosition
from graphmem.model.interval import BEGIN, shown
from graphmem.model.merge import FIRST_REVIEW
from graphmem.model.recall import FIRST_VERSION, VersionPosition

Position = TypeVar("Position")


class TimePosition(NamedTuple):
    """A place in a list in order of time, then id."""

    at: Instant
    id: str


class ScorePosition(NamedTuple):
    """A place in a list in order of score or importance, then id."""

    score: float
    id: str


_ID: TypeAdapter[str] = TypeAdapter(str)
_TIME_AND_ID: TypeAdapter[TimePosition] = TypeAdapter(TimePosition)
_SCORE_AND_ID: TypeAdapter[ScorePosition] = TypeAdapter(ScorePosition)
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


def time_cursor(at: datetime, last: str) -> str:
    return _encode(_TIME_AND_ID.dump_json(TimePosition(at, last)))


def after_time(cursor: str | None) -> TimePosition:
    """The place after which the page begins.

    Raises:
        InvalidRequest: no answer of ours had this cursor.
    """
    return TimePosition(BEGIN, "") if cursor is None else _decode(_TIME_AND_ID, cursor)


def score_cursor(score: float, last: str) -> str:
    return _encode(_SCORE_AND_ID.dump_json(ScorePosition(score, last)))


def after_score(cursor: str | None) -> ScorePosition:
    """The place after which the page begins.

    Raises:
        InvalidRequest: no answer of ours had this cursor.
    """
    return ScorePosition(*FIRST_REVIEW) if cursor is None else _decode(_SCORE_AND_ID, cursor)


def fact_cursor(position: FactPosition) -> str:
    return score_cursor(*position)


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
        raise invalid("query", "/cursor", "is not a cursor of an earlier answer") from None
