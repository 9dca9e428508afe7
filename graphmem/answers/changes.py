"""Histories and differences as shown."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from graphmem.answers.answer import Answer, ReadAnswer
from graphmem.answers.beliefs import BeliefOut, EntityOut

Axis = Literal["valid", "known"]


class HistoryOut(ReadAnswer):
    """Versions in order of (predicate, object or value, valid_from, recorded_at, id).

    A version was believed from ``recorded_at`` until ``superseded_at``; null is still, as known at ``known_at``.
    ``valid_at`` is null unless it was asked for; without it, ``entity`` says whether it existed at ``known_at``.
    ``next_cursor`` asks for what follows; null at the end.
    """

    valid_at: datetime | None
    known_at: datetime
    entity: EntityOut
    versions: list[BeliefOut]
    next_cursor: str | None


class ChangeOut(Answer):
    """A belief that held at both instants, and which of its fields differ."""

    fields: list[str]
    before: BeliefOut
    after: BeliefOut


class DiffOut(ReadAnswer):
    """What began, ended and changed along one axis; the other one is given, and that of the diff itself is null.

    Each belief has the evidence of the instant at which it held. ``complete`` is false where ``limit`` cut the lists.
    """

    axis: Axis
    since: Annotated[datetime, Field(alias="from")]
    to: datetime
    valid_at: datetime | None
    known_at: datetime | None
    began: list[BeliefOut]
    ended: list[BeliefOut]
    changed: list[ChangeOut]
    complete: bool
