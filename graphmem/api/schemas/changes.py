"""Histories and differences as shown."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from graphmem.api.schemas.beliefs import BeliefOut, EntityOut, beliefs_out, entity_out
from graphmem.api.schemas.words import Answer, ReadAnswer, stands
from graphmem.model.recall import Diff, History
from graphmem.reading import Standing

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


def history_out(
    history: History, valid_at: datetime | None, known_at: datetime, next_cursor: str | None, *, standing: Standing
) -> HistoryOut:
    return HistoryOut(
        **stands(standing),
        valid_at=valid_at,
        known_at=known_at,
        entity=entity_out(history.entities[0], valid_at or known_at),
        versions=beliefs_out(history.versions, history.entities),
        next_cursor=next_cursor,
    )


def diff_out(
    diff: Diff,
    axis: Axis,
    between: tuple[datetime, datetime],
    valid_at: datetime | None,
    known_at: datetime | None,
    *,
    standing: Standing,
) -> DiffOut:
    found, ends = diff.difference, diff.entities
    before = beliefs_out((item.before for item in found.changed), ends)
    after = beliefs_out((item.after for item in found.changed), ends)
    pairs = zip(found.changed, before, after, strict=True)
    return DiffOut.model_validate(
        {
            **stands(standing),
            "axis": axis,
            "from": between[0],
            "to": between[1],
            "valid_at": valid_at,
            "known_at": known_at,
            "began": beliefs_out(found.began, ends),
            "ended": beliefs_out(found.ended, ends),
            "changed": [ChangeOut(fields=list(item.fields), before=old, after=new) for item, old, new in pairs],
            "complete": diff.complete,
        }
    )
